import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from '../../runtime/certificates/make-certificate';
import { startAzure, type AzureSimulator } from '../../sandbox';
import { acceptAzure, type AcceptOptions } from '../../scripts/accept-azure/accept-azure';
import { STEPS } from '../../scripts/accept-azure/life';
import { Recorder, type Exchange } from '../../scripts/accept-azure/recorder';
import { Redaction } from '../../scripts/accept-azure/redaction';
import { deletionsBeside, differences } from '../../scripts/accept-azure/replay';
import { acceptedResources } from '../../scripts/accept-azure/resources';
import { simulatorToken } from '../../scripts/accept-azure/simulator-token';
import { STATUS } from '../../scripts/accept-azure/statuses';
import { Catalog } from '../../src/catalog';
import { validateSpec } from '../../src/catalog/validate-spec';

const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';
const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/cdk8s-aso-accept-1`;

test('some forty resources of thirty kinds, whose specs the CRDs take before and after the edit', () => {
  const all = acceptedResources('group', 'westeurope', 'abcd1234');
  expect(all.length).toBeGreaterThanOrEqual(40);
  expect(new Set(all.map(({ object: { apiVersion, kind } }) => `${apiVersion} ${kind}`)).size).toBeGreaterThanOrEqual(30);
  for (const { object: { apiVersion, kind, spec }, edited } of all) {
    const [group = '', version = ''] = apiVersion.split('/');
    const of = Catalog.default().kind(group, kind)!.version(version)!;
    expect([kind, validateSpec(spec, of), validateSpec(edited ?? spec, of)]).toEqual([kind, [], []]);
  }
  expect(() => acceptedResources('group', 'westeurope', 'a', ['nothing'])).toThrow('--only: there is no resource nothing');
  expect(acceptedResources('group', 'westeurope', 'a', ['container']).map(({ name }) => name)).toEqual(['group', 'storage', 'blobs', 'container']);
});

test('a case shows no id, key, token, address or name of a person', () => {
  const redaction = new Redaction({ subscriptionId: SUBSCRIPTION, tenantId: '99999999-8888-7777-6666-555555555555', publicIds: [] });
  const principal = 'a1b2c3d4-1111-2222-3333-444455556666';
  const secrets = [
    SUBSCRIPTION, '99999999-8888-7777-6666-555555555555', principal, 'c2VjcmV0c2VjcmV0', 'jane@example.org', '203.0.113.77', 'eyJhbGciOi', 'sig=abc',
  ];
  const body = {
    id: `/subscriptions/${SUBSCRIPTION.toUpperCase()}/x`,
    principalId: principal,
    again: principal,
    keys: [{ keyName: 'key1', value: 'c2VjcmV0c2VjcmV0' }],
    primaryKey: 'c2VjcmV0c2VjcmV0',
    connectionString: 'Endpoint=c2VjcmV0c2VjcmV0',
    createdBy: 'jane@example.org',
    tenantId: '99999999-8888-7777-6666-555555555555',
    message: 'client 203.0.113.77 with eyJhbGciOi.eyJzdWIi.abc',
    url: 'https://x/y?sig=abc&se=1',
    minimumTlsVersion: 'TLS1_2',
    addressPrefix: '10.0.0.0/8',
  };
  const shown = redaction.exchange({
    method: 'PUT',
    host: 'management.azure.com',
    path: `/subscriptions/${SUBSCRIPTION}/x`,
    query: 'api-version=1',
    status: 200,
    headers: { Location: `https://x/subscriptions/${SUBSCRIPTION}/y?t=eyJhbGciOi.e.f` },
    response: JSON.stringify(body),
    isPoll: false,
    by: 'controller',
    begun: 0,
  });
  const text = JSON.stringify(shown).toLowerCase();
  expect(secrets.filter((secret) => text.includes(secret.toLowerCase()))).toEqual([]);
  const kept = JSON.parse(shown.response) as Record<string, string>;
  expect(kept).toMatchObject({ minimumTlsVersion: 'TLS1_2', addressPrefix: '10.0.0.0/8', principalId: kept.again });
});

test('answers are compared by status, headers that matter and the shape of the body', () => {
  const azure = { status: 200, headers: { 'Retry-After': '1' }, response: '{"a":{"b":[{"c":1},{"c":2}],"n":null},"etag":"x"}' };
  const simulator = (status: number, text: string) => ({ status, headers: {}, text });
  expect(differences(azure, simulator(200, '{"a":{"b":[{"c":7}]}}'))).toEqual(['header Retry-After: Azure alone']);
  expect(differences({ ...azure, headers: {} }, simulator(200, '{"a":{"b":[{"c":"7","d":true}]}}')))
    .toEqual(['a.b[].c: Azure number, simulator string', 'a.b[].d: simulator alone (boolean)']);
  expect(differences({ ...azure, headers: {} }, simulator(201, ''))).toEqual(['status: Azure 200, simulator 201']);
});

test('a deletion may find nothing while that of its owner goes on', () => {
  const deletion = (path: string, begun: number, method = 'DELETE'): Exchange => (
    { method, host: '', path, query: '', status: 404, headers: {}, response: '', isPoll: false, by: 'controller', begun });
  const child = deletion('/groups/one/identities/TWO/credentials/three', 0);
  const beside = (owner: Exchange) => [...deletionsBeside([child, owner])];
  expect(beside(deletion('/groups/one/identities/two', 0))).toEqual([child]);
  expect(beside(deletion('/groups/one/identities/two', 1))).toEqual([]);
  expect(beside(deletion('/groups/one/identities/tw', 0))).toEqual([]);
  expect(beside(deletion('/groups/one/identities/two', 0, 'GET'))).toEqual([]);
  expect([...deletionsBeside([deletion('/groups/one/identities/two', 0), child])]).toEqual([]);
});

describe('against the simulator', () => {
  let azure: AzureSimulator;
  beforeAll(async () => {
    azure = await startAzure({ timeScale: 300, subscriptionIds: [SUBSCRIPTION] });
  });
  afterAll(() => azure.close());

  test.each([
    ['/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/another'],
    [`${GROUP}-2`],
    [`${GROUP}/../another`],
    [`${GROUP}/%2e%2e/another`],
    [`${GROUP}%2f..%2fanother`],
    [`/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleAssignments/x`],
  ])('a write to %s is never sent', async (path) => {
    const certificate = await makeCertificate(['localhost'], Date.now(), 3_600_000);
    const token = () => simulatorToken(azure.endpoint);
    const recorder = await Recorder.start({ endpoint: azure.endpoint, token, group: GROUP, certificate });
    await expect(recorder.send('DELETE', `${path}?api-version=2021-04-01`)).rejects.toThrow('its own resource group alone');
    expect(recorder.exchanges).toEqual([]);
    await recorder.close();
  });

  const run = async (options: Partial<AcceptOptions> = {}) => {
    const [printed, said]: [string[], string[]] = [[], []];
    const out = mkdtempSync(join(tmpdir(), 'accept-azure-test-'));
    const status = await acceptAzure({
      subscription: SUBSCRIPTION,
      location: 'westeurope',
      only: ['federation', 'application-group'],
      keep: false,
      isDryRun: false,
      endpoint: azure.endpoint,
      out,
      output: 'json',
      suffix: 'test0001',
      timeoutMs: 60_000,
      syncPeriodSeconds: 2,
      ...options,
    }, {}, { print: (text) => printed.push(text), say: (text) => said.push(text) });
    return { status, printed: printed.join('\n'), said, out };
  };

  test('a dry run sends nothing', async () => {
    const before = azure.requests().total;
    const { status, printed } = await run({ isDryRun: true, output: 'text' });
    expect([status, azure.requests().total]).toEqual([STATUS.passed, before]);
    expect(printed).toContain('Nothing was made.');
  });

  test('resources live a whole life, the group goes, and the case has the traffic without the subscription', async () => {
    const { status, printed, out } = await run();
    const report = JSON.parse(printed) as { steps: { step: string; problem?: string }[]; differences: unknown[]; groupDeleted: boolean };
    expect(report.steps.filter(({ problem }) => problem)).toEqual([]);
    expect(new Set(report.steps.map(({ step }) => step))).toEqual(new Set(STEPS));
    expect([status, report.groupDeleted, report.differences]).toEqual([STATUS.passed, true, []]);
    const text = readFileSync(join(out, 'case.json'), 'utf8');
    expect(text).not.toContain(SUBSCRIPTION);
    const { expect: puts, manifests, traffic } = JSON.parse(text) as Record<string, { kind: string; method?: string }[]>;
    expect(puts!.map(({ kind }) => kind)).toEqual(['ResourceGroup', 'UserAssignedIdentity', 'FederatedIdentityCredential', 'ApplicationSecurityGroup']);
    expect(manifests).toHaveLength(4);
    expect(traffic!.filter(({ method }) => method === 'DELETE').length).toBeGreaterThan(0);
  });

  test('a signal ends the life, and deletes the group', async () => {
    const running = run({ suffix: 'test0002', timeoutMs: 600_000, only: ['network'] });
    setTimeout(() => process.emit('SIGINT'), 4_000);
    const { status, said } = await running;
    expect(status).toBe(STATUS.stopped);
    expect(said).toContain('deleting cdk8s-aso-accept-test0002');
    expect(azure.resources().filter(({ id }) => String(id).includes('test0002'))).toEqual([]);
  });
});
