import { runCommandLine } from '../../../cli/command-line';
import { findNode, wantedObject } from '../../../cli/why/find-object';
import type { KubernetesObject } from '../../../engine/kubernetes';
import { EVENT_CODE, EVENT_REQUEST_ID, EVENT_STATUS } from '../../../src/azure/annotations';
import { azure, inspected, namespace, READY, warning } from '../../engine/inspect/snapshots';
import { captured } from '../capture';
import { LiveCluster } from '../status/live-cluster';

const spec = { location: 'uksouth' };

describe('a cluster', () => {
  let cluster: LiveCluster;
  beforeAll(async () => {
    cluster = await LiveCluster.start('ResourceGroup', 'StorageAccount');
    await cluster.apply(
      namespace('shop'),
      azure('ResourceGroup', 'group', { spec, ready: warning('AuthorizationFailed', 'no rights\u001b[2J') }),
      azure('ResourceGroup', 'fine', { spec, ready: READY }),
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aso-credential', namespace: 'shop' }, data: { AZURE_CLIENT_SECRET: 'aHVudGVyMmh1bnRlcjI=' } },
    );
    const { uid } = (await cluster.client.get(cluster.typeOf(azure('ResourceGroup', 'group')), 'group', 'shop'))!.metadata;
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'x', namespace: 'shop', annotations: { [EVENT_REQUEST_ID]: 'request-17', [EVENT_STATUS]: '403', [EVENT_CODE]: 'AuthorizationFailed' } },
      involvedObject: { kind: 'ResourceGroup', namespace: 'shop', name: 'group', uid },
      type: 'Warning',
      reason: 'CreateOrUpdateActionError',
      message: 'Reason: AuthorizationFailed, Severity: Warning, RetryClassification: Slow, Cause: no rights',
      lastTimestamp: '2026-01-01T00:00:00Z',
    } as KubernetesObject);
  });
  afterAll(() => cluster.close());

  async function why(...args: string[]) {
    const terminal = captured();
    const exit = await runCommandLine(['why', '--kubeconfig', cluster.kubeconfig, ...args], '0', terminal);
    return { exit, out: terminal.out.join('\n'), err: terminal.err.join('\n') };
  }

  test('explains the object: cause, facts, Azure with its request id, what comes next, what to do', async () => {
    const { exit, out, err } = await why('rg/group', '-n', 'shop');
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    for (const expected of [
      /^! ResourceGroup shop\/group: Warning \(AuthorizationFailed\), since /m,
      /^Cause {7}ResourceGroup shop\/group: AuthorizationFailed: no rights/m,
      /^Next {8}within 3m \(Slow: 1, 2, 4 … 180 s\)/m,
      /^Credential {2}of the namespace: Secret shop\/aso-credential has no key AZURE_SUBSCRIPTION_ID, key AZURE_TENANT_ID and key AZURE_CLIENT_ID$/m,
      /^Policy {6}manage \(the default/m,
      /^Azure {7}HTTP 403 AuthorizationFailed, .* ago$/m,
      /^ {12}request id request-17$/m,
      /^Advice {6}Give the credential's principal a role/m,
      /^ {4}az role assignment create /m,
    ]) expect(out).toMatch(expected);
    // eslint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|hunter2|aHVudGVy/);
  });

  test('KIND NAME, plural and group name the same object', async () => {
    for (const words of [['ResourceGroup', 'group'], ['resourcegroups/group'], ['resourcegroups.resources.azure.com', 'group'], ['resources.azure.com/ResourceGroup/group']]) {
      expect((await why(...words, '-n', 'shop')).out).toContain('ResourceGroup shop/group: Warning');
    }
  });

  test('an object that is Ready', async () => {
    const { exit, out } = await why('rg/fine', '-n', 'shop', '--exit-code');
    expect(exit).toBe(0);
    expect(out).toContain('Nothing is wrong with it.');
    expect((await why('rg/group', '-n', 'shop', '--exit-code')).exit).toBe(1);
  });

  test('an object that is not there', async () => {
    expect(await why('rg/grop', '-n', 'shop', '--exit-code')).toEqual({ exit: 2, out: '', err: "there is no ResourceGroup grop in namespace shop. Did you mean 'group'?" });
  });

  test('a namespace that is not there', async () => expect(await why('rg/group', '-n', 'nowhere')).toMatchObject({ exit: 1, err: 'the cluster has no namespace nowhere' }));

  test('events that may not be read are said', async () => {
    cluster.refuse('/events');
    const { exit, err } = await why('rg/group', '-n', 'shop');
    expect({ exit, err }).toEqual({ exit: 0, err: expect.stringContaining('note: not read: Event in namespace shop: 403 Forbidden') as string });
    cluster.refuse();
  });
});

test.each<[string[], string]>([
  [['StorageAcount/x'], "why: there is no kind StorageAcount. Did you mean 'StorageAccount'?"],
  [['x'], "why: 'x' is no object; give KIND/NAME or KIND NAME, for example StorageAccount/data"],
  [['rg/'], "why: 'rg/' is no object"],
  [['rg', 'a', 'b'], 'why: give one object'],
])('%j is a wrong command line', async (words, message) => {
  const terminal = captured();
  expect(await runCommandLine(['why', ...words], '0', terminal)).toBe(2);
  expect(terminal.err[0]).toContain(message);
});

describe('of several objects of one name', () => {
  const server = (group: string) => ({ ...azure('ResourceGroup', 'server', { ready: READY }), apiVersion: `${group}.azure.com/v20250801`, kind: 'FlexibleServer' });

  test('the kind has to be written with its group', () => {
    const inspection = inspected({ objects: [server('dbforpostgresql'), server('dbformysql')] });
    expect(() => findNode(wantedObject(['FlexibleServer/server']), inspection, 'shop')).toThrow('is the name of 2 objects: FlexibleServer.dbformysql.azure.com, FlexibleServer.dbforpostgresql.azure.com; write the kind with its group');
    expect(findNode(wantedObject(['flexibleservers.dbformysql/server']), inspection, 'shop').group).toBe('dbformysql.azure.com');
  });

  test('a kind that may not be read is no missing object', () => {
    const inspection = inspected({ objects: [], unread: [{ group: 'resources.azure.com', kind: 'ResourceGroup', why: '403 Forbidden' }] });
    expect(() => findNode(wantedObject(['rg/x']), inspection, 'shop')).toThrow('ResourceGroup.resources.azure.com could not be read: 403 Forbidden');
  });
});
