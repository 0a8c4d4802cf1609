import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startAzure, type AzureSimulator } from '../../sandbox/azure';

let azure: AzureSimulator;
beforeAll(async () => {
  azure = await startAzure({ timeScale: 60 });
});
afterAll(() => azure?.close());

test('the Azure SDK for JavaScript works on the simulator', async () => {
  // A process of its own: Node reads NODE_EXTRA_CA_CERTS only when it starts.
  const { stdout } = await promisify(execFile)(process.execPath, [join(__dirname, 'azure-sdk.mjs')], {
    env: { ...process.env, ...azure.env },
    timeout: 50_000,
  });
  expect(JSON.parse(stdout)).toEqual({
    group: 'Succeeded',
    server: 'sdkserver',
    principalId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    groups: ['sdk'],
    resources: ['sdkserver', 'sdkidentity'],
    inGroup: ['sdkserver', 'sdkidentity'],
    missing: { code: 'ResourceGroupNotFound', status: 404 },
    left: [],
  });
  expect(azure.resources()).toEqual([]);
});
