import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from './certificates';
import { CredentialWorld } from './world';

const SECRET = 'hunter2~hunter2.hunter2';
const certificate = selfSigned();
const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-bad-input-'));
let world: CredentialWorld;
let portal: Server;

beforeAll(async () => {
  // What a captive portal or a wrong proxy answers.
  portal = createServer({ cert: certificate.certificate, key: certificate.key }, (_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<html><body>please log in, ${SECRET}</body></html>`);
  });
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
  world = await CredentialWorld.start();
  const authorities = join(directory, 'ca.pem');
  writeFileSync(authorities, readFileSync(world.azure.caFile, 'utf8') + certificate.certificate);
  world.startController({ NODE_EXTRA_CA_CERTS: authorities, ALLOW_MULTI_ENV_MANAGEMENT: 'true' });
});

afterAll(async () => {
  await world.close();
  portal.closeAllConnections();
  await new Promise((resolve) => portal.close(resolve));
  rmSync(directory, { recursive: true });
});

const ids = () => {
  const { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID } = world.azure.env;
  return { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID };
};

const cases: [string, () => Record<string, string>, string, RegExp][] = [
  ['no-key', () => ({ AZURE_CLIENT_SECRET: SECRET }), 'CredentialInvalid', /does not contain key "AZURE_SUBSCRIPTION_ID".*"AZURE_TENANT_ID".*"AZURE_CLIENT_ID"/],
  ['no-guid', () => ({ ...ids(), AZURE_CLIENT_ID: SECRET }), 'CredentialInvalid', /key "AZURE_CLIENT_ID" is no GUID: write an id/],
  ['no-certificate', () => ({ ...ids(), AZURE_CLIENT_CERTIFICATE: SECRET }), 'CredentialInvalid', /key "AZURE_CLIENT_CERTIFICATE" is neither PEM nor PKCS#12/],
  ['wrong-secret', () => ({ ...ids(), AZURE_CLIENT_SECRET: SECRET }), 'CredentialRejected', /the client secret is wrong: put the value of the secret.*AADSTS7000215/],
  ['no-json', () => ({
    ...ids(),
    AZURE_CLIENT_SECRET: SECRET,
    AZURE_RESOURCE_MANAGER_ENDPOINT: world.azure.endpoint,
    AZURE_RESOURCE_MANAGER_AUDIENCE: world.azure.endpoint,
    AZURE_AUTHORITY_HOST: `https://localhost:${(portal.address() as AddressInfo).port}`,
  }), 'UnknownError', /https:\/\/localhost:\d+/],
];

describe.each(cases)('%s', (namespace, values, reason, message) => {
  test('is a condition with reason and cure, and heals without a restart', async () => {
    await world.namespace(namespace);
    await world.secret(namespace, 'aso-credential', values());
    await world.object('ResourceGroup', namespace, `group-${namespace}`);
    const condition = await world.reason(reason, 'ResourceGroup', namespace, `group-${namespace}`);
    expect(condition).toMatchObject({ status: 'False', severity: 'Warning', message: expect.stringMatching(message) });
    expect(JSON.stringify(await world.get('ResourceGroup', namespace, `group-${namespace}`))).not.toContain('hunter2');
    // Others go on.
    await world.namespace(`beside-${namespace}`);
    await world.object('ResourceGroup', `beside-${namespace}`, `beside-${namespace}`);
    await world.reason('Succeeded', 'ResourceGroup', `beside-${namespace}`, `beside-${namespace}`);
    await world.secret(namespace, 'aso-credential', { ...ids(), AZURE_CLIENT_SECRET: world.azure.env.AZURE_CLIENT_SECRET });
    await world.reason('Succeeded', 'ResourceGroup', namespace, `group-${namespace}`);
  });
});

test('neither the log nor an event shows a secret', async () => {
  expect(world.log).toContain('pass failed');
  expect(world.log).not.toContain('hunter2');
  expect(world.log).not.toContain(world.azure.env.AZURE_CLIENT_SECRET);
  const events = await world.client.list(world.typeOf('Event'), {});
  expect(events.items.length).toBeGreaterThan(0);
  expect(JSON.stringify(events)).not.toContain('hunter2');
});
