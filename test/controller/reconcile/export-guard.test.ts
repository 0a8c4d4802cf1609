import { settled } from './fake-clock';
import {
  CONFIG_MAPS,
  group,
  identity,
  IDENTITIES,
  inSeparateEnvironments,
  NAMESPACES,
  SECRETS,
  GROUPS,
  type TestEnvironment,
} from './harness';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

let environment: TestEnvironment;
inSeparateEnvironments((own) => (environment = own));

const IDS = ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID', 'AZURE_SUBSCRIPTION_ID'];
const inNamespace = <T extends KubernetesObject>(object: T, namespace: string): T => ({
  ...object,
  metadata: { ...object.metadata, namespace },
});
const namespace = (name: string, annotations: Record<string, string> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, annotations },
});
const annotated = (object: KubernetesObject, annotations: Record<string, string>): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, annotations },
});
/** An identity with a Secret of three ids, and a ConfigMap beside it that has nothing to do with it. */
const exporting = (secret: string, keys: readonly string[], marks: Record<string, unknown> = {}) =>
  identity('id', {
    operatorSpec: {
      secretExpressions: keys.map((key) => ({ name: secret, key, value: 'self.spec.location', ...marks })),
      configMapExpressions: [{ name: 'beside', key: 'k', value: 'self.spec.location' }],
    },
  });

async function made(object: KubernetesObject, where = 'default'): Promise<void> {
  await environment.cluster.create(GROUPS, inNamespace(group(), where));
  await environment.start();
  await environment.cluster.create(IDENTITIES, inNamespace(object, where));
  await settled();
}
const refused = (where = 'default') =>
  (environment.stored(IDENTITIES, 'id', where)!.status!.conditions as { message: string; reason: string; severity: string }[])[0];

describe('an export writes no credential', () => {
  test.each<[string, string, readonly string[], string]>([
    ['the namespace\'s', 'aso-credential', ['any'], 'that is the credential of the namespace'],
    ['the controller\'s settings', 'aso-controller-settings', ['any'], 'that is the name of the controller\'s settings'],
  ])('%s', async (_, name, keys, why) => {
    await made(exporting(name, keys));
    expect(environment.stored(SECRETS, name)).toBeUndefined();
    expect(refused()).toMatchObject({
      severity: 'Error',
      reason: 'FailedWritingAdditionalKubernetesObjects',
      message: expect.stringContaining(`refused to write Secret default/${name}: ${why}`),
    });
    // The rest of the object is as it should be.
    expect(environment.stored(CONFIG_MAPS, 'beside')).toBeDefined();
    expect(environment.azure.count('PUT')).toBe(2);
  });

  test('but the keys of one under another name: no object can take such a Secret for a credential', async () => {
    await made(exporting('harmless', IDS));
    expect(environment.stored(SECRETS, 'harmless')!.metadata.ownerReferences).toMatchObject([{ kind: 'UserAssignedIdentity', name: 'id' }]);
  });

  test('that another object of the namespace names', async () => {
    await environment.cluster.create(IDENTITIES, annotated(identity('other'), { 'serviceoperator.azure.com/credential-from': 'chosen' }));
    await made(exporting('chosen', ['any']));
    expect(environment.stored(SECRETS, 'chosen')).toBeUndefined();
    expect(refused()?.message).toContain('UserAssignedIdentity other uses it as its credential');
  });

  test('that its own object names', async () => {
    await made(annotated(exporting('chosen', ['any']), { 'serviceoperator.azure.com/credential-from': 'chosen' }));
    expect(environment.stored(SECRETS, 'chosen')).toBeUndefined();
  });

  test('but one that an object of another namespace names is none', async () => {
    await environment.cluster.create(
      IDENTITIES,
      annotated(inNamespace(identity('other'), 'elsewhere'), { 'serviceoperator.azure.com/credential-from': 'chosen' }),
    );
    await made(exporting('chosen', ['any']));
    expect(environment.stored(SECRETS, 'chosen')).toBeDefined();
  });

  test('and none into the controller\'s namespace', async () => {
    await made(exporting('webhook-certificate', ['tls.crt']), 'aso');
    expect(environment.stored(SECRETS, 'webhook-certificate', 'aso')).toBeUndefined();
    expect(refused('aso')?.message).toContain('the namespace is that of the controller');
  });

  test('with some keys of one it is none: applications read them', async () => {
    await made(exporting('app', ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID']));
    expect(environment.stored(SECRETS, 'app')).toBeDefined();
    expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True' });
  });
});

describe('unless the platform says so on the Namespace', () => {
  const ALLOWS = 'aso.cdk8s.io/allows-credential-exports';
  test.each([
    ['other, aso-credential', true],
    ['*', true],
    ['other', false],
    ['aso-cred', false],
    ['', false],
  ])('%s: %s', async (names, allowed) => {
    await environment.cluster.create(NAMESPACES, namespace('default', { [ALLOWS]: names }));
    await made(exporting('aso-credential', IDS));
    expect(environment.stored(SECRETS, 'aso-credential') !== undefined).toBe(allowed);
  });

  test('the object\'s own annotation says nothing', async () => {
    await environment.cluster.create(NAMESPACES, namespace('default'));
    await made(annotated(exporting('aso-credential', IDS), { [ALLOWS]: '*' }));
    expect(environment.stored(SECRETS, 'aso-credential')).toBeUndefined();
  });
});

describe('an export takes no target of an identity', () => {
  const TARGETS = { 'aso.cdk8s.io/propagate-credentials-to': 'ConfigMap/default/beside, Secret/default/target' };
  const platform = () => annotated(inNamespace(identity('team'), 'platform'), TARGETS);

  test('which the namespace accepts', async () => {
    await environment.cluster.create(NAMESPACES, namespace('default', { 'aso.cdk8s.io/accepts-credentials-from': 'platform' }));
    await environment.cluster.create(IDENTITIES, platform());
    await made(exporting('target', ['any']));
    expect(environment.stored(CONFIG_MAPS, 'beside')).toBeUndefined();
    expect(environment.stored(SECRETS, 'target')).toBeUndefined();
    expect(refused()?.message).toContain('UserAssignedIdentity platform/team propagates to it');
  });

  test('which it has not accepted: nobody closes names of other namespaces', async () => {
    await environment.cluster.create(NAMESPACES, namespace('default'));
    await environment.cluster.create(IDENTITIES, platform());
    await made(exporting('target', ['any']));
    expect(environment.stored(CONFIG_MAPS, 'beside')).toBeDefined();
    expect(environment.stored(SECRETS, 'target')).toBeDefined();
  });
});

test.each(['labels', 'annotations'])('%s by which controllers know whose a Secret is are no export\'s', async (member) => {
  await made(exporting('forged', ['any'], { [member]: { 'aso.cdk8s.io/managed-by-namespace': '"platform"' } }));
  expect(environment.stored(SECRETS, 'forged')).toBeUndefined();
  expect(refused()?.message).toContain('"aso.cdk8s.io/managed-by-namespace" is the operator\'s own');
});

