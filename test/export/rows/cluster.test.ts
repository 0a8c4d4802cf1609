import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';
import { table } from '../../docs/spec-tables';
import { settled } from '../../reconcile/fake-clock';
import { ACCOUNTS, CONFIG_MAPS, group, GROUP_ID, GROUPS, IDENTITIES, IDENTITY_ID, identity, object, SECRETS, World } from '../../reconcile/harness';

/** Imports and exports of whole controllers, against a cluster and an Azure in memory. */

const azureType = (service: string, version: string, plural: string, kind: string): ResourceType => ({ group: `${service}.azure.com`, version, plural, kind, namespaced: true });
const SERVERS = azureType('sql', 'v1api20211101', 'servers', 'Server');
const EXTENSIONS = azureType('compute', 'v1api20220301', 'virtualmachinesextensions', 'VirtualMachinesExtension');
const CREDENTIALS = azureType('managedidentity', 'v1api20230131', 'federatedidentitycredentials', 'FederatedIdentityCredential');
const ACTIONS = azureType('insights', 'v1api20230101', 'actiongroups', 'ActionGroup');
const HOUR = 3_600_000;

const owner = { armId: GROUP_ID };
const server = () => object(SERVERS, 'srv', { location: 'westeurope', owner, administratorLogin: 'me', administratorLoginPassword: { name: 's', key: 'password' } });
const extension = () => object(EXTENSIONS, 'ext', { location: 'westeurope', owner: { armId: `${GROUP_ID}/providers/Microsoft.Compute/virtualMachines/vm` }, protectedSettings: { name: 's' } });
const credential = (more: Record<string, unknown> = {}) => object(CREDENTIALS, 'fic', {
  owner: { armId: IDENTITY_ID }, audiences: ['a'], subject: 'system:x', issuerFromConfig: { name: 'c', key: 'issuer' }, ...more,
});
const secret = (data: Record<string, string>): KubernetesObject => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'default' }, stringData: data });
const configMap = (data: Record<string, string>, more: object = {}): KubernetesObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'default' }, data, ...more });

/** The last body of a PUT. */
const sent = (world: World) => world.azure.bodies.at(-1) as { properties: Record<string, unknown> };

async function inWorld(check: (world: World) => Promise<unknown>): Promise<void> {
  const world = new World();
  world.types.push(SERVERS, EXTENSIONS, CREDENTIALS, ACTIONS);
  try {
    await check(world);
  } finally {
    await world.kill();
  }
  expect(world.errors).toEqual([]);
}

async function created(world: World, ...objects: (readonly [ResourceType, KubernetesObject])[]): Promise<void> {
  for (const [type, next] of objects) await world.cluster.create(type, next);
  await (world.running ? settled() : world.start());
}

/** Another content, as somebody else writes it. */
async function replaced(world: World, type: ResourceType, name: string, data: Record<string, string>): Promise<void> {
  const encoded = type === SECRETS ? Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])) : data;
  await world.cluster.replace(type, { ...world.stored(type, name)!, data: encoded });
  await settled();
}

const ready = (world: World, type: ResourceType, name: string) => world.ready(type, name);

table('docs/spec/exports.md#imports', (row) => {
  row('secret reference', 'one value', () => inWorld(async (world) => {
    await created(world, [SECRETS, secret({ password: 'hunter2', other: 'x' })], [SERVERS, server()]);
    expect(sent(world).properties).toMatchObject({ administratorLoginPassword: 'hunter2' });
  }));
  row('secret map reference', 'all keys', () => inWorld(async (world) => {
    await created(world, [SECRETS, secret({ a: '1', b: '2' })], [EXTENSIONS, extension()]);
    expect(sent(world).properties).toMatchObject({ protectedSettings: { a: '1', b: '2' } });
  }));
  row('ConfigMap reference', 'one value of data, none of binaryData', () => inWorld(async (world) => {
    await created(world, [CONFIG_MAPS, configMap({}, { binaryData: { issuer: 'eA==' } })], [CREDENTIALS, credential()]);
    expect(ready(world, CREDENTIALS, 'fic')).toMatchObject({ reason: 'ConfigMapNotFound' });
    await replaced(world, CONFIG_MAPS, 'c', { issuer: 'https://issuer' });
    expect(sent(world).properties).toMatchObject({ issuer: 'https://issuer' });
  }));
});

table('docs/spec/exports.md#import-names', (row) => {
  row('password-like', 'plain text is not sent', () => inWorld(async (world) => {
    await created(world, [SERVERS, object(SERVERS, 'srv', { location: 'x', owner, administratorLoginPassword: 'plain' })]);
    expect(ready(world, SERVERS, 'srv')).toMatchObject({ status: 'False' });
    expect(world.azure.count('PUT')).toBe(0);
  }));
  row('FromConfig', 'a plain value, or one of a ConfigMap, at the same place', () => inWorld(async (world) => {
    await created(world, [CREDENTIALS, credential({ issuerFromConfig: undefined, issuer: 'https://plain' })]);
    expect(sent(world).properties).toMatchObject({ issuer: 'https://plain' });
    expect(sent(world).properties).not.toHaveProperty('issuerFromConfig');
  }));
  row('FromSecret', 'a plain value, or one of a Secret, at the same place', () => inWorld(async (world) => {
    const receivers = [{ name: 'w', serviceUriFromSecret: { name: 's', key: 'uri' } }, { name: 'v', serviceUri: 'https://plain' }];
    await created(world, [SECRETS, secret({ uri: 'https://hook' })], [ACTIONS, object(ACTIONS, 'act', { location: 'x', owner, groupShortName: 'a', enabled: true, webhookReceivers: receivers })]);
    expect(sent(world).properties.webhookReceivers).toEqual([{ name: 'w', serviceUri: 'https://hook' }, { name: 'v', serviceUri: 'https://plain' }]);
  }));
  row('both', 'rejected', () => inWorld(async (world) => {
    await created(world, [CREDENTIALS, credential({ issuer: 'https://plain' })]);
    expect(ready(world, CREDENTIALS, 'fic')!.message).toContain('cannot specify both issuer and issuerFromConfig');
    expect(world.azure.count('PUT')).toBe(0);
  }));
  row('neither', 'the member is omitted', () => inWorld(async (world) => {
    await created(world, [CREDENTIALS, credential({ issuerFromConfig: undefined })]);
    expect(sent(world).properties).not.toHaveProperty('issuer');
  }));
});

table('docs/spec/exports.md#import-behaviour', (row) => {
  row('namespace', 'the object\'s', () => inWorld(async (world) => {
    const elsewhere = secret({ password: 'x' });
    await created(world, [SECRETS, { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'other' } }], [SERVERS, server()]);
    expect(ready(world, SERVERS, 'srv')).toMatchObject({ reason: 'SecretNotFound', message: expect.stringContaining('default/s') as string });
  }));
  row('when read', 'before every PUT, also those of a sync', () => inWorld(async (world) => {
    await created(world, [SECRETS, secret({ password: 'one' })], [SERVERS, server()]);
    world.azure.meddle([...world.azure.resources.keys()].find((path) => path.endsWith('/srv'))!, { location: 'elsewhere' });
    await world.clock.advance(HOUR);
    expect(world.azure.bodies).toHaveLength(2);
    expect(sent(world).properties).toMatchObject({ administratorLoginPassword: 'one' });
  }));
  row('missing', 'a Warning, retried fast, and nothing is sent', () => inWorld(async (world) => {
    await created(world, [SERVERS, server()]);
    expect(ready(world, SERVERS, 'srv')).toMatchObject({ severity: 'Warning', reason: 'SecretNotFound' });
    await world.clock.advance(120_000);
    expect(world.passes.at(-1)!.nextIn).toBe(30_000);
    await created(world, [SECRETS, secret({ other: 'x' })], [CREDENTIALS, credential()]);
    expect(ready(world, SERVERS, 'srv')!.message).toContain('does not contain key "password"');
    expect(ready(world, CREDENTIALS, 'fic')).toMatchObject({ severity: 'Warning', reason: 'ConfigMapNotFound' });
    expect(world.azure.count('PUT')).toBe(0);
  }));
  row('change', 'of what the spec names: a full PUT at once', () => inWorld(async (world) => {
    await created(world, [SERVERS, server()]);
    await created(world, [SECRETS, secret({ password: 'one' })]);
    expect(sent(world).properties).toMatchObject({ administratorLoginPassword: 'one' });
    await replaced(world, SECRETS, 's', { password: 'two' });
    expect(sent(world).properties).toMatchObject({ administratorLoginPassword: 'two', administratorLogin: 'me' });
    await world.cluster.delete(SECRETS, 's', 'default');
    await settled();
    expect(ready(world, SERVERS, 'srv')).toMatchObject({ reason: 'SecretNotFound' });
    expect(world.azure.bodies).toHaveLength(2);
  }));
  row('change', 'of something else is none', () => inWorld(async (world) => {
    await created(world, [SECRETS, secret({ password: 'one' })], [SERVERS, server()]);
    const passes = world.passes.length;
    await created(world, [CONFIG_MAPS, configMap({ a: 'b' })]);
    await replaced(world, CONFIG_MAPS, 'c', { a: 'c' });
    expect(world.passes).toHaveLength(passes);
  }));
  row('values', 'are in no status, condition, event or annotation', () => inWorld(async (world) => {
    world.azure.intercept = ({ method, url, body }) => (method === 'GET' && url.includes('/servers/srv') ? { body: { ...(world.azure.bodies[0] as object ?? body), id: 'x' } } : undefined);
    await created(world, [SECRETS, secret({ password: 'hunter2' })], [SERVERS, server()]);
    expect(world.azure.bodies.length).toBeGreaterThan(0);
    expect(JSON.stringify([world.stored(SERVERS, 'srv'), world.events])).not.toMatch(/hunter2|aHVudGVyMg/);
  }));
  row('newlines', 'are kept, and so is every byte', () => inWorld(async (world) => {
    await created(world, [SECRETS, secret({ password: ' hünter2\r\n\n' })], [SERVERS, server()]);
    expect(sent(world).properties).toMatchObject({ administratorLoginPassword: ' hünter2\r\n\n' });
  }));
});

/** A ready identity that exports by this, in a ready group; `clientId` is what Azure tells. */
async function exporting(world: World, operatorSpec: unknown, client: { id?: string } = { id: 'c1' }, annotations?: Record<string, string>): Promise<void> {
  world.azure.intercept = ({ method, url }) => (method === 'GET' && url.startsWith(IDENTITY_ID) ? { body: { id: IDENTITY_ID, properties: { clientId: client.id } } } : undefined);
  await created(world, [GROUPS, group()]);
  const made = identity('id', { operatorSpec });
  await created(world, [IDENTITIES, annotations ? { ...made, metadata: { ...made.metadata, annotations } } : made]);
}
const TO_OUT = { configMaps: { clientId: { name: 'out', key: 'client' } }, secrets: { clientId: { name: 'out', key: 'client' } } };
const decoded = (world: World, name = 'out') => Object.fromEntries(Object.entries(world.stored(SECRETS, name)?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));

table('docs/spec/exports.md#export-writes', (row) => {
  row('all tried', 'one that cannot be written does not keep back the others', () => inWorld(async (world) => {
    await created(world, [CONFIG_MAPS, configMap({ mine: 'x' }, { metadata: { name: 'a', namespace: 'default' } })]);
    await exporting(world, { configMaps: { clientId: { name: 'a', key: 'client' }, tenantId: { name: 'a', key: 't' } }, configMapExpressions: [{ name: 'b', key: 'k', value: '"v"' }] });
    expect(world.stored(CONFIG_MAPS, 'a')!.data).toEqual({ mine: 'x' });
    expect(world.stored(CONFIG_MAPS, 'b')!.data).toEqual({ k: 'v' });
  }));
  row('not owned', 'an Error', () => inWorld(async (world) => {
    await created(world, [SECRETS, { ...secret({ mine: 'x' }), metadata: { name: 'out', namespace: 'default' } }]);
    await exporting(world, TO_OUT);
    expect(ready(world, IDENTITIES, 'id')).toMatchObject({
      severity: 'Error',
      reason: 'FailedWritingAdditionalKubernetesObjects',
      message: 'cannot overwrite Secret default/out which is not owned by UserAssignedIdentity.managedidentity.azure.com default/id',
    });
  }));
  row('other', 'a Warning, with what Azure said', () => inWorld(async (world) => {
    world.azure.intercept = ({ method }) => (method === 'POST' ? { status: 403, body: { error: { code: 'AuthorizationFailed', message: 'no keys for you' } } } : undefined);
    await created(world, [GROUPS, group()]);
    await created(world, [ACCOUNTS, object(ACCOUNTS, 'sa', { location: 'x', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' }, operatorSpec: { secrets: { key1: { name: 'out', key: 'k' } } } })]);
    expect(ready(world, ACCOUNTS, 'sa')).toMatchObject({ severity: 'Warning', reason: 'Failed', message: 'extension failed to produce resources for export: AuthorizationFailed: no keys for you' });
    expect(world.azure.count('PUT', '/storageAccounts/sa')).toBe(1);
  }));
});

table('docs/spec/exports.md#export-lifetime', (row) => {
  row('renamed', 'the old object stays, owned, until the owner goes', () => inWorld(async (world) => {
    await exporting(world, TO_OUT);
    await world.cluster.edit(IDENTITIES, 'default', 'id', { operatorSpec: { configMaps: { clientId: { name: 'new', key: 'client' } } } });
    await settled();
    expect(world.stored(CONFIG_MAPS, 'new')!.data).toEqual({ client: 'c1' });
    expect(world.stored(CONFIG_MAPS, 'out')).toMatchObject({ data: { client: 'c1' }, metadata: { ownerReferences: [{ kind: 'UserAssignedIdentity' }] } });
  }));
  for (const policy of ['manage', 'skip', 'detach-on-delete']) {
    row('owner deleted', `under ${policy}: exports carry the reference by which the cluster collects them`, () => inWorld(async (world) => {
      world.azure.resources.set(IDENTITY_ID.toLowerCase(), { body: {}, polls: 0 });
      await exporting(world, TO_OUT, { id: 'c1' }, { 'serviceoperator.azure.com/reconcile-policy': policy });
      const { uid } = world.stored(IDENTITIES, 'id')!.metadata;
      for (const type of [SECRETS, CONFIG_MAPS]) {
        const { ownerReferences } = world.stored(type, 'out')!.metadata;
        expect(ownerReferences).toEqual([{ apiVersion: 'managedidentity.azure.com/v1api20230131', kind: 'UserAssignedIdentity', name: 'id', uid }]);
      }
    }));
  }
  row('deleted by hand', 'made again with the next sync', () => inWorld(async (world) => {
    await exporting(world, TO_OUT);
    await world.cluster.delete(CONFIG_MAPS, 'out', 'default');
    await settled();
    expect(world.stored(CONFIG_MAPS, 'out')).toBeUndefined();
    await world.clock.advance(HOUR);
    expect(world.stored(CONFIG_MAPS, 'out')!.data).toEqual({ client: 'c1' });
  }));
  row('rotated', 'the new value comes with the next sync', () => inWorld(async (world) => {
    const client = { id: 'c1' };
    await exporting(world, TO_OUT, client);
    expect(decoded(world)).toEqual({ client: 'c1' });
    client.id = 'c2';
    await world.clock.advance(HOUR);
    expect(decoded(world)).toEqual({ client: 'c2' });
  }));
  row('skip', 'exports work the same', () => inWorld(async (world) => {
    await exporting(world, TO_OUT, { id: 'c9' }, { 'serviceoperator.azure.com/reconcile-policy': 'skip' });
    expect(world.azure.count('PUT', '/id')).toBe(0);
    expect(decoded(world)).toEqual({ client: 'c9' });
  }));
  row('unchanged', '(better) is not written again', () => inWorld(async (world) => {
    await exporting(world, TO_OUT);
    const written = () => world.cluster.writes.filter((write) => /Secret|ConfigMap/.test(write)).length;
    const before = written();
    await world.clock.advance(3 * HOUR);
    expect(written()).toBe(before);
  }));
});

describe('a hostile expression', () => {
  const deep = 'self.spec.tags.map(a, self.spec.tags.map(b, self.spec.tags.map(c, self.spec.tags.map(d, self.spec.tags.map(e, a + b)))))';
  const hostile = {
    nested: `string(size(${deep}))`,
    doubling: `string(size(${'[["x"]]'}${'.map(a, a + a)'.repeat(60)}[0]))`,
    unfolding: `"%s".format([${'["x"]'}${'.map(a, [a, a])'.repeat(60)}])`,
    pattern: `"${'a'.repeat(9000)}".matches("(?:a?){500}(?:a?){500}b") ? "a" : "b"`,
  };

  test.each(Object.entries(hostile))('%s ends in a condition of its object, and other objects go on', async (_, value) => {
    await inWorld(async (world) => {
      const tags = Object.fromEntries(Array.from({ length: 50 }, (__, index) => [`tag${index}`, 'x']));
      await created(world, [GROUPS, group()], [GROUPS, object(GROUPS, 'bad', { location: 'x', tags, operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value }] } })], [GROUPS, group('good')]);
      expect(ready(world, GROUPS, 'bad')).toMatchObject({ status: 'False', severity: 'Error', reason: 'FailedWritingAdditionalKubernetesObjects' });
      expect(ready(world, GROUPS, 'bad')!.message!.length).toBeLessThan(2000);
      expect(ready(world, GROUPS, 'good')).toMatchObject({ status: 'True' });
      expect(world.stored(CONFIG_MAPS, 'out')).toBeUndefined();
    });
  });
});
