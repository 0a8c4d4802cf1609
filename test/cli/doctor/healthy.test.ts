import { Installation, strictAzure } from './installation';
import type { AzureSimulator } from '../../../sandbox/azure';

let azure: AzureSimulator;
beforeAll(async () => {
  azure = await strictAzure();
});
afterAll(() => azure.close());

test('a healthy cluster: nothing to say, and one read of Azure for each credential', async () => {
  const installation = await Installation.healthy(azure);
  const { status, findings, unread, err } = await installation.doctor({ strict: true });
  expect({ status, findings, unread, err }).toEqual({ status: 0, findings: [], unread: [], err: [] });
  expect(installation.asked.map(({ method }) => method)).toEqual(['GET']);
});

test('the text', async () => {
  const { out } = await (await Installation.healthy(azure)).doctor({ output: 'text', azure: false });
  expect(out).toMatchInlineSnapshot(`
"✓ controllers: cdk8s-aso 1.2.3 in azureserviceoperator-system
✓ CRDs: 2 CRDs
✓ webhooks: 0 CRDs with conversion, 1 certificate
✓ leases and clocks: 1 Lease
✓ rights: 1 service account
✓ credentials: not tried
✓ objects: 2 objects
✓ GitOps: 0 Applications of Argo CD, 0 objects of Flux
Doctor: nothing to say."
`);
});
