import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from './certificates';
import { CredentialEnvironment } from './environment';

const SECRET = 'hunter2~hunter2.hunter2';
const certificate = selfSigned();
const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-bad-input-'));
let environment: CredentialEnvironment;
let portal: Server;

beforeAll(async () => {
  // Answer of a captive portal or a wrong proxy.
  portal = createServer({ cert: certificate.certificate, key: certificate.key }, (_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<html><body>please log in, ${SECRET}</body></html>`);
  });
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
  environment = await CredentialEnvironment.start();
  const authorities = join(directory, 'ca.pem');
  writeFileSync(authorities, readFileSync(environment.azure.caFile, 'utf8') + certificate.certificate);
  environment.startController({ NODE_EXTRA_CA_CERTS: authorities, ALLOW_MULTI_ENV_MANAGEMENT: 'true' });
});

afterAll(async () => {
  await environment.close();
  portal.closeAllConnections();
  await new Promise((resolve) => portal.close(resolve));
  rmSync(directory, { recursive: true });
});

const ids = () => {
  const { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID } = environment.azure.env;
  return { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID };
};

const cases: [string, () => Record<string, string>, string, RegExp][] = [
  [
    'no-key',
    () => ({ AZURE_CLIENT_SECRET: SECRET }),
    'CredentialInvalid',
    /does not contain key "AZURE_SUBSCRIPTION_ID".*"AZURE_TENANT_ID".*"AZURE_CLIENT_ID"/,
  ],
  ['no-guid', () => ({ ...ids(), AZURE_CLIENT_ID: SECRET }), 'CredentialInvalid', /key "AZURE_CLIENT_ID" is no GUID: write an id/],
  [
    'no-certificate',
    () => ({ ...ids(), AZURE_CLIENT_CERTIFICATE: SECRET }),
    'CredentialInvalid',
    /key "AZURE_CLIENT_CERTIFICATE" is neither PEM nor PKCS#12/,
  ],
  [
    'wrong-secret',
    () => ({ ...ids(), AZURE_CLIENT_SECRET: SECRET }),
    'CredentialRejected',
    /the client secret is wrong: put the value of the secret.*AADSTS7000215/,
  ],
  [
    'no-json',
    () => ({
      ...ids(),
      AZURE_CLIENT_SECRET: SECRET,
      AZURE_RESOURCE_MANAGER_ENDPOINT: environment.azure.endpoint,
      AZURE_RESOURCE_MANAGER_AUDIENCE: environment.azure.endpoint,
      AZURE_AUTHORITY_HOST: `https://localhost:${(portal.address() as AddressInfo).port}`,
    }),
    'UnknownError',
    /https:\/\/localhost:\d+/,
  ],
];

describe.each(cases)('%s', (namespace, values, reason, message) => {
  test('is a condition with reason and cure, and heals without a restart', async () => {
    await environment.namespace(namespace);
    await environment.secret(namespace, 'aso-credential', values());
    await environment.object('ResourceGroup', namespace, `group-${namespace}`);
    const condition = await environment.reason(reason, 'ResourceGroup', namespace, `group-${namespace}`);
    expect(condition).toMatchObject({ status: 'False', severity: 'Warning', message: expect.stringMatching(message) });
    expect(JSON.stringify(await environment.get('ResourceGroup', namespace, `group-${namespace}`))).not.toContain('hunter2');
    // Others go on.
    await environment.namespace(`beside-${namespace}`);
    await environment.object('ResourceGroup', `beside-${namespace}`, `beside-${namespace}`);
    await environment.reason('Succeeded', 'ResourceGroup', `beside-${namespace}`, `beside-${namespace}`);
    await environment.secret(namespace, 'aso-credential', { ...ids(), AZURE_CLIENT_SECRET: environment.azure.env.AZURE_CLIENT_SECRET });
    await environment.reason('Succeeded', 'ResourceGroup', namespace, `group-${namespace}`);
  });
});

test('neither the log nor an event shows a secret', async () => {
  expect(environment.log).toContain('Reconciler error');
  expect(environment.log).not.toContain('hunter2');
  expect(environment.log).not.toContain(environment.azure.env.AZURE_CLIENT_SECRET);
  const events = await environment.client.list(environment.typeOf('Event'), {});
  expect(events.items.length).toBeGreaterThan(0);
  expect(JSON.stringify(events)).not.toContain('hunter2');
});
