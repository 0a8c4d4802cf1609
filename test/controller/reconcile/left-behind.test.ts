// Exports of an object that is gone, until Kubernetes has deleted them: a team that comes again at once finds those of the former one.
import { settled } from './fake-clock';
import {
  CONFIG_MAPS, group, GROUP_ID, GROUPS, identity, IDENTITIES, IDENTITY_ID, inSeparateEnvironments, object, ROLES, type TestEnvironment,
} from './harness';

let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

const exporting = () => identity('id', { operatorSpec: { configMaps: { principalId: { name: 'ids', key: 'principalId' } } } });
const role = () => object(ROLES, 'role', {
  owner: { armId: GROUP_ID },
  principalIdFromConfig: { name: 'ids', key: 'principalId' },
  principalType: 'ServicePrincipal',
  roleDefinitionReference: { wellKnownName: 'Reader' },
});
const CONFIG_MAP = '/ConfigMap/default/ids';
const [FORMER, NEW] = ['11111111-2222-4333-8444-555555555555', '99999999-8888-4777-8666-555555555555'];
const principals = () => (environment.azure.bodies as { properties?: { principalId?: string } }[])
  .flatMap(({ properties }) => properties?.principalId ?? []);

async function again(): Promise<void> {
  environment.azure.states.set(IDENTITY_ID.toLowerCase(), { principalId: FORMER });
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(IDENTITIES, exporting());
  await environment.cluster.create(ROLES, role());
  await environment.start();
  await environment.clock.advance(60_000);
  expect(environment.ready(ROLES, 'role')).toMatchObject({ status: 'True' });
  for (const [type, name] of [[ROLES, 'role'], [IDENTITIES, 'id']] as const) await environment.cluster.delete(type, name, 'default');
  await environment.clock.advance(60_000);
  expect(environment.stored(IDENTITIES, 'id')).toBeUndefined();
  expect(environment.cluster.objects.has(CONFIG_MAP)).toBe(true);
}

test('nobody reads them, and the new ones are written when they are gone', async () => {
  await again();
  environment.azure.states.set(IDENTITY_ID.toLowerCase(), { principalId: NEW });
  await environment.cluster.create(ROLES, role());
  await settled();
  expect(environment.ready(ROLES, 'role')).toMatchObject({ reason: 'ConfigMapNotFound', severity: 'Warning' });
  await environment.cluster.create(IDENTITIES, exporting());
  await environment.clock.advance(10_000);
  expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ reason: 'FailedWritingAdditionalKubernetesObjects', severity: 'Warning' });
  expect(environment.ready(ROLES, 'role')).toMatchObject({ reason: 'ConfigMapNotFound' });
  expect(principals()).toEqual([FORMER]);
  await environment.cluster.delete(CONFIG_MAPS, 'ids', 'default');
  await environment.clock.advance(240_000);
  expect([environment.ready(IDENTITIES, 'id')?.reason, environment.ready(ROLES, 'role')?.reason]).toEqual(['Succeeded', 'Succeeded']);
  expect(principals()).toEqual([FORMER, NEW]);
});

test('a ConfigMap that was left without an owner is read', async () => {
  await again();
  await environment.cluster.patch(CONFIG_MAPS, 'ids', 'default', { metadata: { ownerReferences: null } }, 'application/merge-patch+json');
  await environment.cluster.create(ROLES, role());
  await environment.clock.advance(10_000);
  expect(environment.ready(ROLES, 'role')).toMatchObject({ status: 'True' });
});
