import { NAMESPACES, object, QUEUES, IDENTITIES, FEDERATIONS, GROUPS, ROLES, SECRETS, TestEnvironment } from './harness';
import { sharedAccess } from './shared-access';
import { mayGiveAccess } from '../../../controller/reconcile/core/access';
import type { Condition, KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';
import { ACCEPTS_CREDENTIALS_FROM, FINALIZER, PROPAGATE_TO, RECONCILE_POLICY, RESOURCE_ID } from '../../../src/azure/annotations';

const SUBSCRIPTION = '/subscriptions/11111111-1111-1111-1111-111111111111';
const GROUP = `${SUBSCRIPTION}/resourceGroups/team`;
const BUS = `${SUBSCRIPTION}/resourceGroups/shared/providers/Microsoft.ServiceBus/namespaces/bus`;
const CLIENT = 'aaaaaaaa-0000-4000-8000-000000000001';
const PRINCIPAL = 'bbbbbbbb-0000-4000-8000-000000000002';
const ROLE_IDS = {
  contributor: 'b24988ac-6180-42a0-ab88-20f7382dd24c',
  reader: 'acdd72a7-3385-48ef-bd42-f606fba81ae7',
  custom: 'cccccccc-0000-4000-8000-000000000003',
};
const READY: Condition[] = [{ type: 'Ready', status: 'True', reason: 'Succeeded', lastTransitionTime: '2026-01-01T00:00:00Z' }];

interface More {
  readonly namespace?: string;
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
  readonly annotations?: Record<string, string>;
  readonly deleting?: boolean;
}

function claimed(
  type: ResourceType,
  name: string,
  armId: string,
  { namespace = 'platform', spec = {}, status = {}, annotations = {}, deleting = false }: More = {},
): KubernetesObject {
  const made = object(type, name, spec);
  return {
    ...made,
    metadata: {
      name,
      namespace,
      finalizers: [FINALIZER],
      generation: 1,
      annotations: { [RESOURCE_ID]: armId, ...annotations },
      ...(deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    status: { conditions: READY, ...status },
  };
}

const identity = (more: More = {}) =>
  claimed(IDENTITIES, 'team', `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/team`, {
    status: { clientId: CLIENT, principalId: PRINCIPAL },
    ...more,
  });
const roleOn = (scope: string, role: keyof typeof ROLE_IDS = 'contributor', name = 'role', more: More = {}) =>
  claimed(ROLES, name, `${scope}/providers/Microsoft.Authorization/roleAssignments/11111111-0000-4000-8000-00000000000${name.length}`, {
    status: {
      principalId: PRINCIPAL,
      roleDefinitionId: `${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/${ROLE_IDS[role]}`,
    },
    ...more,
  });
const federation = (subject: string, issuer = 'https://here/', name = 'trust', more: More = {}) => claimed(
  FEDERATIONS, name, `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/team/federatedIdentityCredentials/${name}`,
  { spec: { owner: { name: 'team' }, subject, issuer }, ...more },
);
const OPERATOR = 'system:serviceaccount:aso:operator';
const WORKLOAD = 'system:serviceaccount:team:aso-workload';
const queue = (more: More = {}, name = 'orders') => claimed(QUEUES, name, `${BUS}/queues/${name}`, { namespace: 'team', ...more });
const secret = (clientId = CLIENT): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'aso-credential', namespace: 'team' },
  data: { AZURE_CLIENT_ID: Buffer.from(clientId.toUpperCase()).toString('base64') },
});

/** The objects among these that keep the object being deleted. */
async function waitsFor(
  target: KubernetesObject,
  others: readonly KubernetesObject[],
  settings: Parameters<TestEnvironment['access']>[0] = {},
): Promise<string[]> {
  const environment = new TestEnvironment();
  const typeOf = (one: KubernetesObject) =>
    environment.types.find(({ kind, group }) => kind === one.kind && one.apiVersion.startsWith(group))!;
  for (const one of [...others, target]) await environment.cluster.create(typeOf(one), one);
  const stored = environment.cluster.objects.get(
    `${target.apiVersion.split('/')[0]}/${target.kind}/${target.metadata.namespace}/${target.metadata.name}`,
  )!;
  const deleting = { ...stored, metadata: { ...stored.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const alone = environment.access(settings).neededBy(deleting).map(({ key: { namespace, name } }) => `${namespace}/${name}`).sort();
  // A replica that has only the namespace of the deleted object in memory comes to the same result, by reading.
  const { access } = sharedAccess(environment.cluster, environment.types, environment.clock, target.metadata.namespace!, {
    operatorNamespace: 'aso', defaultPolicy: 'manage', tokens: () => ({ namespace: 'aso', isStrict: false, ...settings }),
  });
  await access.prepare(deleting, new AbortController().signal);
  const shared = access.neededBy(deleting).map(({ key: { namespace, name } }) => `${namespace}/${name}`).sort();
  expect(shared).toEqual(alone);
  return alone;
}

describe('an identity waits', () => {
  const rows: [string, readonly KubernetesObject[], string[]][] = [
    ['for what acts as it', [secret(), queue()], ['team/orders']],
    ['for what is being deleted', [secret(), queue({ deleting: true })], ['team/orders']],
    ['not where nobody has it as credential', [secret(PRINCIPAL), queue()], []],
    ['not for what has another Secret', [secret(), queue({ annotations: { 'serviceoperator.azure.com/credential-from': 'other' } })], []],
    [
      'not for objects of another controller',
      [secret(), queue({ annotations: { 'serviceoperator.azure.com/operator-namespace': 'other' } })],
      [],
    ],
    ['not for what only watches', [secret(), queue({ annotations: { [RECONCILE_POLICY]: 'skip' } })], []],
    [
      'for what is managed, although it will stay in Azure',
      [secret(), queue({ annotations: { [RECONCILE_POLICY]: 'detach-on-delete' } })],
      ['team/orders'],
    ],
    [
      'not for what leaves its resource behind',
      [secret(), queue({ annotations: { [RECONCILE_POLICY]: 'detach-on-delete' }, deleting: true })],
      [],
    ],
    [
      'not for what its namespace lets go of',
      [
        secret(),
        queue({ deleting: true }),
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team', annotations: { [RECONCILE_POLICY]: 'detach-on-delete' } } },
      ],
      [],
    ],
    ['for the role that the team has given it', [secret(), roleOn(BUS, 'contributor', 'role', { namespace: 'team' })], ['team/role']],
  ];
  test.each(rows)('%s', async (_, others, expected) => {
    expect(await waitsFor(identity(), others)).toEqual(expected);
  });

  test('not where somebody says that it may not wait', async () => {
    expect(await waitsFor(identity({ annotations: { 'aso.cdk8s.io/delete-in-use': 'true' } }), [secret(), queue()])).toEqual([]);
  });

  test('only when it is deleted', () => {
    expect(new TestEnvironment().access().neededBy(identity())).toEqual([]);
  });
});

describe('a role waits', () => {
  const rows: [string, KubernetesObject, readonly KubernetesObject[], string[]][] = [
    ['for what it lets be deleted', roleOn(BUS), [queue()], ['team/orders']],
    ['whatever the case of its scope', roleOn(BUS.toUpperCase()), [queue()], ['team/orders']],
    ['not for what lies elsewhere', roleOn(GROUP), [queue()], []],
    ['not for a scope with a longer name', roleOn(BUS.slice(0, -1)), [queue()], []],
    ['not where it lets nothing be deleted', roleOn(BUS, 'reader'), [queue()], []],
    ['where nobody knows what it lets', roleOn(BUS, 'custom'), [queue()], ['team/orders']],
    ['not where another role is as good', roleOn(BUS), [queue(), roleOn(SUBSCRIPTION, 'contributor', 'above')], []],
    [
      'where the other role is being deleted as well',
      roleOn(BUS),
      [queue(), roleOn(SUBSCRIPTION, 'contributor', 'above', { deleting: true })],
      ['team/orders'],
    ],
    ['where the other role is not known', roleOn(BUS), [queue(), roleOn(BUS, 'custom', 'other')], ['team/orders']],
    [
      'where the other role is not there yet',
      roleOn(BUS),
      [queue(), { ...roleOn(BUS, 'contributor', 'other'), status: { principalId: PRINCIPAL } }],
      ['team/orders'],
    ],
    [
      'where the other role has a condition',
      roleOn(BUS),
      [queue(), roleOn(BUS, 'contributor', 'other', { spec: { condition: 'x' } })],
      ['team/orders'],
    ],
    ['not for itself, where it is under the credential that it backs', roleOn(BUS, 'custom', 'role', { namespace: 'team' }), [], []],
  ];
  test.each(rows)('%s', async (_, role, others, expected) => {
    expect(await waitsFor(role, [identity(), secret(), ...others])).toEqual(expected);
  });

  test('by the ConfigMap that its principal comes from, while Azure has not shown it', async () => {
    const exported = { name: 'ids', key: 'principalId' };
    const from = (name: string) => ({
      ...roleOn(BUS, 'custom', 'role', { spec: { principalIdFromConfig: { ...exported, name } } }),
      status: {},
    });
    const exporting = identity({ spec: { operatorSpec: { configMaps: { principalId: exported } } } });
    expect(await waitsFor(from('ids'), [exporting, secret(), queue()])).toEqual(['team/orders']);
    expect(await waitsFor(from('others'), [exporting, secret(), queue()])).toEqual([]);
  });
});

describe('trust waits', () => {
  const rows: [string, KubernetesObject, readonly KubernetesObject[], Parameters<TestEnvironment['access']>[0], string[]][] = [
    ['of the controller', federation(OPERATOR), [], {}, ['team/orders']],
    ['not of a workload', federation('system:serviceaccount:team:app'), [], {}, []],
    ['of the namespace\'s account where the controller is strict', federation(WORKLOAD), [], { isStrict: true }, ['team/orders']],
    ['not of another namespace\'s', federation('system:serviceaccount:other:aso-workload'), [], { isStrict: true }, []],
    ['not of the controller where it is strict', federation(OPERATOR), [], { isStrict: true }, []],
    [
      'not of another cluster, where this one is trusted too',
      federation(OPERATOR, 'https://there/'),
      [federation(OPERATOR, 'https://here/', 'mine')],
      { issuer: 'https://here/' },
      [],
    ],
    ['of an issuer that may stand for this one', federation(OPERATOR, 'https://there/'), [], { issuer: 'https://here/' }, ['team/orders']],
    [
      'not of another identity',
      federation(OPERATOR, 'https://here/', 'trust', { spec: { owner: { name: 'other' }, subject: OPERATOR } }),
      [],
      {},
      [],
    ],
    [
      'by the ARM id of the owner',
      federation(OPERATOR, 'https://here/', 'trust', {
        namespace: 'elsewhere',
        spec: { owner: { armId: `${GROUP}/providers/microsoft.managedidentity/userAssignedIdentities/TEAM` }, subject: OPERATOR },
      }),
      [],
      {},
      ['team/orders'],
    ],
  ];
  test.each(rows)('%s', async (_, trust, others, settings, expected) => {
    expect(await waitsFor(trust, [identity(), secret(), queue(), ...others], settings)).toEqual(expected);
  });
});

describe('a resource group waits', () => {
  const group = claimed(GROUPS, 'team', GROUP);
  const inside = (more: More = {}) =>
    claimed(IDENTITIES, 'app', `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/app`, { namespace: 'team', ...more });
  const rows: [string, readonly KubernetesObject[], string[]][] = [
    ['for who acts as an identity in it', [identity(), secret(), queue()], ['team/orders']],
    ['for who is in it and acts as an identity of this cluster', [identity(), secret(), inside()], ['team/app']],
    ['for who is in it and being deleted, whatever its credential', [secret(PRINCIPAL), inside({ deleting: true })], ['team/app']],
    ['not for who is in it and stays, with a credential of its own', [secret(PRINCIPAL), inside()], []],
    ['not without a credential of the namespace', [inside({ deleting: true })], []],
    ['not for its own namespace: what it owns goes after it', [identity(), secret(), inside({ namespace: 'platform' })], []],
  ];
  test.each(rows)('%s', async (_, others, expected) => {
    expect(await waitsFor(group, others)).toEqual(expected);
  });
});

describe('naming a client id keeps nobody waiting', () => {
  const namespace = (annotations: Record<string, string> = {}): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'team', annotations },
  });
  const users = [secret(), queue(), queue({ deleting: true }, 'bills')];
  const group = claimed(GROUPS, 'team', GROUP);
  const below = claimed(IDENTITIES, 'app', `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/app`, {
    namespace: 'team',
    deleting: true,
  });
  const own = (more: More) => identity({ ...more, namespace: 'team' });
  const withoutTarget = (target: KubernetesObject) =>
    namespace({ [ACCEPTS_CREDENTIALS_FROM]: target.kind === 'ResourceGroup' ? 'elsewhere' : 'elsewhere, platform/other' });

  const deleted: [string, KubernetesObject, readonly KubernetesObject[], Parameters<TestEnvironment['access']>[0]][] = [
    ['an identity', identity(), [], {}],
    ['a role', roleOn(BUS), [identity()], {}],
    ['trust in the controller', federation(OPERATOR), [identity()], {}],
    [
      "trust in its own namespace, of another's federation",
      federation(WORKLOAD, 'https://here/', 'trust', {
        namespace: 'elsewhere',
        spec: { owner: { armId: `${GROUP}/providers/microsoft.managedidentity/userAssignedIdentities/TEAM` }, subject: WORKLOAD },
      }),
      [identity()],
      { isStrict: true },
    ],
    ['the group of the identity', group, [identity()], {}],
    ['a group in which it says to be', group, [below], {}],
  ];
  test.each(deleted)('%s', async (_, target, others, settings) => {
    for (const known of [namespace(), withoutTarget(target)]) {
      expect(await waitsFor(target, [known, ...users, ...others], settings)).toEqual([]);
    }
  });

  test.each(deleted.slice(1, 3))('%s, nor does its own object of the same identity in Azure', async (_, target, others, settings) => {
    const same = own({ annotations: { [PROPAGATE_TO]: 'Secret/team/aso-credential', [RECONCILE_POLICY]: 'skip' } });
    expect(await waitsFor(target, [namespace(), same, ...users, ...others], settings)).toEqual([]);
    expect(await waitsFor(target, [namespace(), same, ...users], settings)).toEqual([]);
  });

  test.each(deleted.filter(([name]) => !name.includes('another')))(
    '%s: what the platform says on the Namespace counts',
    async (_, target, others, settings) => {
      const sources = target.kind === 'ResourceGroup' ? 'platform' : 'platform/team';
      expect(
        (await waitsFor(target, [namespace({ [ACCEPTS_CREDENTIALS_FROM]: sources }), ...users, ...others], settings)).length,
      ).toBeGreaterThan(0);
    },
  );

  test('what the identity says of it counts', async () => {
    expect(await waitsFor(identity({ annotations: { [PROPAGATE_TO]: 'Secret/team/aso-credential' } }), [namespace(), ...users])).toEqual([
      'team/bills',
      'team/orders',
    ]);
    expect(await waitsFor(identity(), [namespace(), federation(WORKLOAD), ...users])).toEqual(['team/bills', 'team/orders']);
  });

  test('but not what it propagates to others, nor trust that the user has written itself', async () => {
    expect(
      await waitsFor(
        identity({ annotations: { [PROPAGATE_TO]: 'Secret/team/other, Secret/other/aso-credential, ConfigMap/team/aso-credential' } }),
        [namespace(), ...users],
      ),
    ).toEqual([]);
    const owner = { armId: `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/team` };
    const claim = federation(WORKLOAD, 'https://here/', 'trust', { namespace: 'team', spec: { owner, subject: WORKLOAD } });
    expect(await waitsFor(identity(), [namespace(), claim, ...users])).toEqual([]);
  });

  test('what others write makes no role and no trust superfluous', async () => {
    const propagating = identity({ annotations: { [PROPAGATE_TO]: 'Secret/team/aso-credential' } });
    const as = (foreign: KubernetesObject): KubernetesObject => ({ ...foreign, metadata: { ...foreign.metadata, namespace: 'evil' } });
    expect(await waitsFor(roleOn(BUS), [namespace(), propagating, secret(), queue(), as(roleOn(SUBSCRIPTION, 'contributor', 'above'))])).toEqual([
      'team/orders',
    ]);
    const owner = { armId: `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/team` };
    const mine = as(federation(OPERATOR, 'https://here/', 'mine', { spec: { owner, subject: OPERATOR } }));
    expect(
      await waitsFor(federation(OPERATOR, 'https://there/'), [namespace(), propagating, secret(), queue(), mine], { issuer: 'https://here/' }),
    ).toEqual(['team/orders']);
  });

  test('a Namespace that is not known is a doubt, in which the deletion waits', async () => {
    expect(await waitsFor(identity(), users)).toEqual(['team/bills', 'team/orders']);
  });
});

test('the end of the last user starts the reconcile that deletes, without a timer', async () => {
  const environment = new TestEnvironment();
  await environment.cluster.create(NAMESPACES, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'team', annotations: { [ACCEPTS_CREDENTIALS_FROM]: 'platform/team' } },
  });
  await environment.cluster.create(SECRETS, secret());
  for (const name of ['bills', 'orders']) await environment.cluster.create(QUEUES, queue({}, name));
  await environment.cluster.create(IDENTITIES, identity());
  await environment.start({ syncPeriod: 'never' });
  await environment.cluster.delete(IDENTITIES, 'team', 'platform');
  await environment.clock.advance(0);
  const stored = () => environment.cluster.objects.get('managedidentity.azure.com/UserAssignedIdentity/platform/team');
  const requests = () => environment.azure.requests.filter((one) => one.includes('/userAssignedIdentities/')).length;
  expect(stored()?.status?.conditions).toMatchObject([
    { status: 'False', severity: 'Info', reason: 'Deleting', message: expect.stringContaining('2 objects of namespace team') },
  ]);
  expect(environment.events.filter(({ reason }) => reason === 'DeletionWaits')).toHaveLength(1);
  const before = requests();
  for (const name of ['bills', 'orders']) {
    expect(requests()).toBe(before);
    expect(stored()).toBeDefined();
    await environment.cluster.patch(QUEUES, name, 'team', { metadata: { finalizers: [] } }, 'application/merge-patch+json');
    await environment.cluster.delete(QUEUES, name, 'team');
    await environment.clock.advance(0);
  }
  expect(stored()).toBeUndefined();
  expect(requests()).toBeGreaterThan(before);
  expect(environment.events.map(({ reason }) => reason)).toContain('BeginDelete');
});

test('kinds that give access', () => {
  expect(mayGiveAccess('managedidentity.azure.com', 'UserAssignedIdentity')).toBe(true);
  expect(mayGiveAccess('example.com', 'UserAssignedIdentity')).toBe(false);
  expect(mayGiveAccess('storage.azure.com', 'StorageAccount')).toBe(false);
});
