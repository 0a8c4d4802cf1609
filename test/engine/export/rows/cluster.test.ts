import type { KubernetesObject, ResourceType } from '../../../../engine/kubernetes/types';
import { settled } from '../../../controller/reconcile/fake-clock';
import {
  ACCOUNTS,
  CONFIG_MAPS,
  group,
  GROUP_ID,
  GROUPS,
  IDENTITIES,
  IDENTITY_ID,
  identity,
  object,
  SECRETS,
  TestEnvironment,
} from '../../../controller/reconcile/harness';
import { table } from '../../../docs/spec-tables';

/** Imports and exports of whole controllers, against a cluster and an Azure in memory. */

const azureType = (service: string, version: string, plural: string, kind: string): ResourceType => ({
  group: `${service}.azure.com`,
  version,
  plural,
  kind,
  namespaced: true,
});
const SERVERS = azureType('sql', 'v1api20211101', 'servers', 'Server');
const EXTENSIONS = azureType('compute', 'v1api20220301', 'virtualmachinesextensions', 'VirtualMachinesExtension');
const CREDENTIALS = azureType('managedidentity', 'v1api20230131', 'federatedidentitycredentials', 'FederatedIdentityCredential');
const ACTIONS = azureType('insights', 'v1api20230101', 'actiongroups', 'ActionGroup');
const HOUR = 3_600_000;

const owner = { armId: GROUP_ID };
const server = () =>
  object(SERVERS, 'srv', {
    location: 'westeurope',
    owner,
    administratorLogin: 'me',
    administratorLoginPassword: { name: 's', key: 'password' },
  });
const extension = () =>
  object(EXTENSIONS, 'ext', {
    location: 'westeurope',
    owner: { armId: `${GROUP_ID}/providers/Microsoft.Compute/virtualMachines/vm` },
    protectedSettings: { name: 's' },
  });
const credential = (more: Record<string, unknown> = {}) =>
  object(CREDENTIALS, 'fic', {
    owner: { armId: IDENTITY_ID },
    audiences: ['a'],
    subject: 'system:x',
    issuerFromConfig: { name: 'c', key: 'issuer' },
    ...more,
  });
const secret = (data: Record<string, string>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', namespace: 'default' },
  stringData: data,
});
const configMap = (data: Record<string, string>, more: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'default' },
  data,
  ...more,
});

/** The last body of a PUT. */
const sent = (environment: TestEnvironment) => environment.azure.bodies.at(-1) as { properties: Record<string, unknown> };

async function inEnvironment(check: (environment: TestEnvironment) => Promise<unknown>): Promise<void> {
  const environment = new TestEnvironment();
  environment.types.push(SERVERS, EXTENSIONS, CREDENTIALS, ACTIONS);
  try {
    await check(environment);
  } finally {
    await environment.kill();
  }
  expect(environment.errors).toEqual([]);
}

async function created(environment: TestEnvironment, ...objects: (readonly [ResourceType, KubernetesObject])[]): Promise<void> {
  for (const [type, next] of objects) await environment.cluster.create(type, next);
  await (environment.running ? settled() : environment.start());
}

/** Different content, as another client writes it. */
async function replaced(environment: TestEnvironment, type: ResourceType, name: string, data: Record<string, string>): Promise<void> {
  const encoded =
    type === SECRETS ? Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])) : data;
  await environment.cluster.replace(type, { ...environment.stored(type, name)!, data: encoded });
  await settled();
}

const ready = (environment: TestEnvironment, type: ResourceType, name: string) => environment.ready(type, name);

table('docs/spec/exports.md#imports', (row) => {
  row('secret reference', 'one value', () => inEnvironment(async (environment) => {
    await created(environment, [SECRETS, secret({ password: 'hunter2', other: 'x' })], [SERVERS, server()]);
    expect(sent(environment).properties).toMatchObject({ administratorLoginPassword: 'hunter2' });
  }));
  row('secret map reference', 'all keys', () => inEnvironment(async (environment) => {
    await created(environment, [SECRETS, secret({ a: '1', b: '2' })], [EXTENSIONS, extension()]);
    expect(sent(environment).properties).toMatchObject({ protectedSettings: { a: '1', b: '2' } });
  }));
  row('ConfigMap reference', 'one value of data, none of binaryData', () => inEnvironment(async (environment) => {
    await created(environment, [CONFIG_MAPS, configMap({}, { binaryData: { issuer: 'eA==' } })], [CREDENTIALS, credential()]);
    expect(ready(environment, CREDENTIALS, 'fic')).toMatchObject({ reason: 'ConfigMapNotFound' });
    await replaced(environment, CONFIG_MAPS, 'c', { issuer: 'https://issuer' });
    expect(sent(environment).properties).toMatchObject({ issuer: 'https://issuer' });
  }));
});

table('docs/spec/exports.md#import-names', (row) => {
  row('password-like', 'plain text is not sent', () =>
    inEnvironment(async (environment) => {
      await created(environment, [SERVERS, object(SERVERS, 'srv', { location: 'x', owner, administratorLoginPassword: 'plain' })]);
      expect(ready(environment, SERVERS, 'srv')).toMatchObject({ status: 'False' });
      expect(environment.azure.count('PUT')).toBe(0);
    }),
  );
  row('FromConfig', 'a plain value, or one of a ConfigMap, at the same place', () =>
    inEnvironment(async (environment) => {
      await created(environment, [CREDENTIALS, credential({ issuerFromConfig: undefined, issuer: 'https://plain' })]);
      expect(sent(environment).properties).toMatchObject({ issuer: 'https://plain' });
      expect(sent(environment).properties).not.toHaveProperty('issuerFromConfig');
    }),
  );
  row('FromSecret', 'a plain value, or one of a Secret, at the same place', () =>
    inEnvironment(async (environment) => {
      const receivers = [
        { name: 'w', serviceUriFromSecret: { name: 's', key: 'uri' } },
        { name: 'v', serviceUri: 'https://plain' },
      ];
      await created(
        environment,
        [SECRETS, secret({ uri: 'https://hook' })],
        [ACTIONS, object(ACTIONS, 'act', { location: 'x', owner, groupShortName: 'a', enabled: true, webhookReceivers: receivers })],
      );
      expect(sent(environment).properties.webhookReceivers).toEqual([
        { name: 'w', serviceUri: 'https://hook' },
        { name: 'v', serviceUri: 'https://plain' },
      ]);
    }),
  );
  row('both', 'rejected', () =>
    inEnvironment(async (environment) => {
      await created(environment, [CREDENTIALS, credential({ issuer: 'https://plain' })]);
      expect(ready(environment, CREDENTIALS, 'fic')!.message).toContain('cannot specify both issuer and issuerFromConfig');
      expect(environment.azure.count('PUT')).toBe(0);
    }),
  );
  row('neither', 'the member is omitted', () =>
    inEnvironment(async (environment) => {
      await created(environment, [CREDENTIALS, credential({ issuerFromConfig: undefined })]);
      expect(sent(environment).properties).not.toHaveProperty('issuer');
    }),
  );
});

table('docs/spec/exports.md#import-behaviour', (row) => {
  row('namespace', "the object's", () =>
    inEnvironment(async (environment) => {
      const elsewhere = secret({ password: 'x' });
      await created(environment, [SECRETS, { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'other' } }], [SERVERS, server()]);
      expect(ready(environment, SERVERS, 'srv')).toMatchObject({
        reason: 'SecretNotFound',
        message: expect.stringContaining('default/s') as string,
      });
    }),
  );
  row('when read', 'before every PUT, also those of a sync', () =>
    inEnvironment(async (environment) => {
      await created(environment, [SECRETS, secret({ password: 'one' })], [SERVERS, server()]);
      environment.azure.meddle(
        [...environment.azure.resources.keys()].find((path) => path.endsWith('/srv'))!,
        { location: 'elsewhere' },
      );
      await environment.clock.advance(HOUR);
      expect(environment.azure.bodies).toHaveLength(2);
      expect(sent(environment).properties).toMatchObject({ administratorLoginPassword: 'one' });
    }),
  );
  row('missing', 'a Warning, retried fast, and nothing is sent', () =>
    inEnvironment(async (environment) => {
      await created(environment, [SERVERS, server()]);
      expect(ready(environment, SERVERS, 'srv')).toMatchObject({ severity: 'Warning', reason: 'SecretNotFound' });
      await environment.clock.advance(120_000);
      expect(environment.reconciles.at(-1)!.nextIn).toBe(30_000);
      await created(environment, [SECRETS, secret({ other: 'x' })], [CREDENTIALS, credential()]);
      expect(ready(environment, SERVERS, 'srv')!.message).toContain('does not contain key "password"');
      expect(ready(environment, CREDENTIALS, 'fic')).toMatchObject({ severity: 'Warning', reason: 'ConfigMapNotFound' });
      expect(environment.azure.count('PUT')).toBe(0);
    }),
  );
  row('change', 'of what the spec names: a full PUT at once', () =>
    inEnvironment(async (environment) => {
      await created(environment, [SERVERS, server()]);
      await created(environment, [SECRETS, secret({ password: 'one' })]);
      expect(sent(environment).properties).toMatchObject({ administratorLoginPassword: 'one' });
      await replaced(environment, SECRETS, 's', { password: 'two' });
      expect(sent(environment).properties).toMatchObject({ administratorLoginPassword: 'two', administratorLogin: 'me' });
      await environment.cluster.delete(SECRETS, 's', 'default');
      await settled();
      expect(ready(environment, SERVERS, 'srv')).toMatchObject({ reason: 'SecretNotFound' });
      expect(environment.azure.bodies).toHaveLength(2);
    }),
  );
  row('change', 'of something else is none', () =>
    inEnvironment(async (environment) => {
      await created(environment, [SECRETS, secret({ password: 'one' })], [SERVERS, server()]);
      const reconciles = environment.reconciles.length;
      await created(environment, [CONFIG_MAPS, configMap({ a: 'b' })]);
      await replaced(environment, CONFIG_MAPS, 'c', { a: 'c' });
      expect(environment.reconciles).toHaveLength(reconciles);
    }),
  );
  row('values', 'are in no status, condition, event or annotation', () =>
    inEnvironment(async (environment) => {
      environment.azure.intercept = ({ method, url, body }) =>
        method === 'GET' && url.includes('/servers/srv')
          ? { body: { ...((environment.azure.bodies[0] as object) ?? body), id: 'x' } }
          : undefined;
      await created(environment, [SECRETS, secret({ password: 'hunter2' })], [SERVERS, server()]);
      expect(environment.azure.bodies.length).toBeGreaterThan(0);
      expect(JSON.stringify([environment.stored(SERVERS, 'srv'), environment.events])).not.toMatch(/hunter2|aHVudGVyMg/);
    }),
  );
  row('newlines', 'are kept, and so is every byte', () =>
    inEnvironment(async (environment) => {
      await created(environment, [SECRETS, secret({ password: ' hünter2\r\n\n' })], [SERVERS, server()]);
      expect(sent(environment).properties).toMatchObject({ administratorLoginPassword: ' hünter2\r\n\n' });
    }),
  );
});

/** A ready identity that exports by this, in a ready group; `clientId` is what Azure tells. */
async function exporting(
  environment: TestEnvironment,
  operatorSpec: unknown,
  client: { id?: string } = { id: 'c1' },
  annotations?: Record<string, string>,
): Promise<void> {
  environment.azure.intercept = ({ method, url }) =>
    method === 'GET' && url.startsWith(IDENTITY_ID) ? { body: { id: IDENTITY_ID, properties: { clientId: client.id } } } : undefined;
  await created(environment, [GROUPS, group()]);
  const made = identity('id', { operatorSpec });
  await created(environment, [IDENTITIES, annotations ? { ...made, metadata: { ...made.metadata, annotations } } : made]);
}
const TO_OUT = { configMaps: { clientId: { name: 'out', key: 'client' } }, secrets: { clientId: { name: 'out', key: 'client' } } };
const decoded = (environment: TestEnvironment, name = 'out') =>
  Object.fromEntries(
    Object.entries(environment.stored(SECRETS, name)?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );

table('docs/spec/exports.md#export-writes', (row) => {
  row('all tried', 'one that cannot be written does not keep back the others', () =>
    inEnvironment(async (environment) => {
      await created(environment, [CONFIG_MAPS, configMap({ mine: 'x' }, { metadata: { name: 'a', namespace: 'default' } })]);
      await exporting(environment, {
        configMaps: { clientId: { name: 'a', key: 'client' }, tenantId: { name: 'a', key: 't' } },
        configMapExpressions: [{ name: 'b', key: 'k', value: '"v"' }],
      });
      expect(environment.stored(CONFIG_MAPS, 'a')!.data).toEqual({ mine: 'x' });
      expect(environment.stored(CONFIG_MAPS, 'b')!.data).toEqual({ k: 'v' });
    }),
  );
  row('not owned', 'an Error', () =>
    inEnvironment(async (environment) => {
      await created(environment, [SECRETS, { ...secret({ mine: 'x' }), metadata: { name: 'out', namespace: 'default' } }]);
      await exporting(environment, TO_OUT);
      expect(ready(environment, IDENTITIES, 'id')).toMatchObject({
        severity: 'Error',
        reason: 'FailedWritingAdditionalKubernetesObjects',
        message: 'cannot overwrite Secret default/out which is not owned by UserAssignedIdentity.managedidentity.azure.com default/id',
      });
    }),
  );
  row('other', 'a Warning, with what Azure said', () =>
    inEnvironment(async (environment) => {
      environment.azure.intercept = ({ method }) =>
        method === 'POST' ? { status: 403, body: { error: { code: 'AuthorizationFailed', message: 'no keys for you' } } } : undefined;
      await created(environment, [GROUPS, group()]);
      await created(environment, [
        ACCOUNTS,
        object(ACCOUNTS, 'sa', {
          location: 'x',
          kind: 'StorageV2',
          sku: { name: 'Standard_LRS' },
          owner: { name: 'rg' },
          operatorSpec: { secrets: { key1: { name: 'out', key: 'k' } } },
        }),
      ]);
      expect(ready(environment, ACCOUNTS, 'sa')).toMatchObject({
        severity: 'Warning',
        reason: 'Failed',
        message: 'extension failed to produce resources for export: AuthorizationFailed: no keys for you',
      });
      expect(environment.azure.count('PUT', '/storageAccounts/sa')).toBe(1);
    }),
  );
});

table('docs/spec/exports.md#export-lifetime', (row) => {
  row('renamed', 'the old object stays, owned, until the owner goes', () =>
    inEnvironment(async (environment) => {
      await exporting(environment, TO_OUT);
      await environment.cluster.edit(IDENTITIES, 'default', 'id', {
        operatorSpec: { configMaps: { clientId: { name: 'new', key: 'client' } } },
      });
      await settled();
      expect(environment.stored(CONFIG_MAPS, 'new')!.data).toEqual({ client: 'c1' });
      expect(environment.stored(CONFIG_MAPS, 'out')).toMatchObject({
        data: { client: 'c1' },
        metadata: { ownerReferences: [{ kind: 'UserAssignedIdentity' }] },
      });
    }),
  );
  for (const policy of ['manage', 'skip', 'detach-on-delete']) {
    row('owner deleted', `under ${policy}: exports carry the reference by which the cluster collects them`, () =>
      inEnvironment(async (environment) => {
        environment.azure.resources.set(IDENTITY_ID.toLowerCase(), { body: {}, polls: 0 });
        await exporting(environment, TO_OUT, { id: 'c1' }, { 'serviceoperator.azure.com/reconcile-policy': policy });
        const { uid } = environment.stored(IDENTITIES, 'id')!.metadata;
        for (const type of [SECRETS, CONFIG_MAPS]) {
          const { ownerReferences } = environment.stored(type, 'out')!.metadata;
          expect(ownerReferences).toEqual([
            { apiVersion: 'managedidentity.azure.com/v1api20230131', kind: 'UserAssignedIdentity', name: 'id', uid },
          ]);
        }
      }),
    );
  }
  row('deleted by hand', 'made again with the next sync', () => inEnvironment(async (environment) => {
    await exporting(environment, TO_OUT);
    await environment.cluster.delete(CONFIG_MAPS, 'out', 'default');
    await settled();
    expect(environment.stored(CONFIG_MAPS, 'out')).toBeUndefined();
    await environment.clock.advance(HOUR);
    expect(environment.stored(CONFIG_MAPS, 'out')!.data).toEqual({ client: 'c1' });
  }));
  row('rotated', 'the new value comes with the next sync', () => inEnvironment(async (environment) => {
    const client = { id: 'c1' };
    await exporting(environment, TO_OUT, client);
    expect(decoded(environment)).toEqual({ client: 'c1' });
    client.id = 'c2';
    await environment.clock.advance(HOUR);
    expect(decoded(environment)).toEqual({ client: 'c2' });
  }));
  row('skip', 'exports work the same', () => inEnvironment(async (environment) => {
    await exporting(environment, TO_OUT, { id: 'c9' }, { 'serviceoperator.azure.com/reconcile-policy': 'skip' });
    expect(environment.azure.count('PUT', '/id')).toBe(0);
    expect(decoded(environment)).toEqual({ client: 'c9' });
  }));
  row('unchanged', '(better) is not written again', () => inEnvironment(async (environment) => {
    await exporting(environment, TO_OUT);
    const written = () => environment.cluster.writes.filter((write) => /Secret|ConfigMap/.test(write)).length;
    const before = written();
    await environment.clock.advance(3 * HOUR);
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
    await inEnvironment(async (environment) => {
      const tags = Object.fromEntries(Array.from({ length: 50 }, (__, index) => [`tag${index}`, 'x']));
      await created(
        environment,
        [GROUPS, group()],
        [
          GROUPS,
          object(GROUPS, 'bad', { location: 'x', tags, operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value }] } }),
        ],
        [GROUPS, group('good')],
      );
      expect(ready(environment, GROUPS, 'bad')).toMatchObject({
        status: 'False',
        severity: 'Error',
        reason: 'FailedWritingAdditionalKubernetesObjects',
      });
      expect(ready(environment, GROUPS, 'bad')!.message!.length).toBeLessThan(2000);
      expect(ready(environment, GROUPS, 'good')).toMatchObject({ status: 'True' });
      expect(environment.stored(CONFIG_MAPS, 'out')).toBeUndefined();
    });
  });
});
