import {
  account, AGENT_POOLS, annotate, answering, createdGroup, deleted, edit, failing, HOUR, inReadyGroup, operation, POLICY, readyGroup,
  refusedGroup, SERVERS, typed, waits,
} from './arrange';
import { inWorld, table } from './table';
import type { ArmRequest } from '../../engine/arm/types';
import type { ExternalKind } from '../../engine/kinds/external';
import { KindError } from '../../engine/kinds/types';
import { KubernetesError } from '../../engine/kubernetes/types';
import {
  annotation, FINALIZER, LATEST_GENERATION, OPERATOR_NAMESPACE, POLLER_ID, POLLER_TOKEN, RESOURCE_ID,
} from '../../engine/objects/annotations';
import { settled } from '../reconcile/fake-clock';
import { ACCOUNTS, CONFIG_MAPS, GROUP_ID, GROUPS, IDENTITIES, identity, NETWORKS, object, USERS, type World } from '../reconcile/harness';

const ready = (world: World) => world.ready(GROUPS, 'rg');
const stored = (world: World) => world.stored(GROUPS, 'rg');
const noted = (world: World, key: string) => annotation(stored(world)!, key);
const accepted = { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x' } };

const SECURITY_GROUPS = typed('entra.azure.com', 'v1', 'securitygroups', 'SecurityGroup');

/** The writes that something causes. */
async function writesOf(world: World, act: () => Promise<unknown>): Promise<string[]> {
  const before = world.cluster.writes.length;
  await act();
  await settled();
  return world.cluster.writes.slice(before).map((write) => write.split('/')[0]);
}

table('docs/spec/reconcile.md#writes', (row) => {
  row('first sight', 'operator-namespace (better: in the write of the claim)', inWorld(async (world) => {
    await world.cluster.create(IDENTITIES, identity());
    await world.start();
    expect(annotation(world.stored(IDENTITIES, 'id')!, OPERATOR_NAMESPACE)).toBe('aso');
  }));
  row('claim done', 'ownerReferences, resource-id, labels, finalizer', inWorld(async (world) => {
    await readyGroup(world);
    world.azure.before = ({ method }) => {
      if (method !== 'PUT') return;
      const { metadata, status } = world.stored(IDENTITIES, 'id')!;
      expect(metadata).toMatchObject({ ownerReferences: [{ name: 'rg' }], finalizers: [FINALIZER], annotations: { [RESOURCE_ID]: expect.any(String) } });
      expect(metadata.labels).toHaveProperty(['serviceoperator.azure.com/owner-uid']);
      expect(status).toBeUndefined();
    };
    await world.cluster.create(IDENTITIES, identity());
    await settled();
    expect(world.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True' });
  }));
  row('claim failed', 'what was set so far, and Ready', inWorld(async (world) => {
    await readyGroup(world);
    world.credential = undefined;
    expect(await writesOf(world, () => world.cluster.create(IDENTITIES, identity()))).toEqual([
      'create UserAssignedIdentity', 'patch UserAssignedIdentity', 'status UserAssignedIdentity',
    ]);
    expect(world.stored(IDENTITIES, 'id')!.metadata.ownerReferences).toHaveLength(1);
  }));
  row('PUT accepted', 'generation, poller, version; Ready Info', inWorld(async (world) => {
    answering(world, 'PUT', accepted);
    await createdGroup(world);
    expect([noted(world, LATEST_GENERATION), noted(world, POLLER_ID)]).toEqual(['1', 'GenericClient.CreateOrUpdateByID']);
    expect(stored(world)!.metadata.labels).toHaveProperty(['serviceoperator.azure.com/last-reconciled-version']);
    expect(ready(world)).toMatchObject({ severity: 'Info', reason: 'Reconciling' });
  }));
  row('poll running', 'nothing', inWorld(async (world) => {
    answering(world, 'PUT', accepted);
    await createdGroup(world);
    operation(world, { body: { status: 'InProgress' } });
    expect(await writesOf(world, () => world.clock.advance(30_000))).toEqual([]);
  }));
  row('success', 'the poller goes; status and Ready True', inWorld(async (world) => {
    world.azure.polls = 1;
    await createdGroup(world);
    expect(await writesOf(world, () => world.clock.advance(1_000))).toEqual(['patch ResourceGroup', 'status ResourceGroup']);
    expect(stored(world)!.status).toMatchObject({ location: 'westeurope', conditions: [{ status: 'True' }] });
  }));
  row('PUT or poll failed', 'the poller goes; Ready, the rest of the status as it was', inWorld(async (world) => {
    await readyGroup(world);
    world.azure.polls = 1;
    await edit(world, { location: 'uksouth' });
    operation(world, { body: { status: 'Failed', error: { code: 'Conflict', message: 'no' } } });
    await world.clock.advance(1_000);
    expect(noted(world, POLLER_TOKEN)).toBeUndefined();
    expect(stored(world)!.status).toMatchObject({ location: 'westeurope', conditions: [{ reason: 'Conflict' }] });
  }));
  row('export failed', 'the poller stays; status of the GET, Ready with the error', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'PUT', accepted, 'userAssignedIdentities');
    answering(world, 'GET', { body: { location: 'here' } }, 'userAssignedIdentities');
    operation(world, { body: { status: 'Succeeded' } });
    world.cluster.before = (what) => {
      if (what === 'create ConfigMap') throw new KubernetesError(500, 'InternalError', 'broken');
    };
    const spec = { operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value: 'self.spec.location' }] } };
    await world.cluster.create(IDENTITIES, identity('id', spec));
    await world.clock.advance(1_000);
    const { status, metadata } = world.stored(IDENTITIES, 'id')!;
    expect(status).toMatchObject({ location: 'here', conditions: [{ severity: 'Warning', reason: 'Failed', message: 'broken' }] });
    expect(metadata.annotations).toHaveProperty([POLLER_TOKEN]);
    expect(world.stored(CONFIG_MAPS, 'out')).toBeUndefined();
  }));
  row('delete sent', 'poller keys; Ready Info Deleting', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', accepted);
    await deleted(world);
    expect([noted(world, POLLER_ID), ready(world)!.reason]).toEqual(['GenericClient.DeleteByID', 'Deleting']);
  }));
  row('delete done', 'the finalizer goes, the status is not written', inWorld(async (world) => {
    await readyGroup(world);
    expect(await writesOf(world, () => deleted(world))).toEqual(['delete ResourceGroup', 'patch ResourceGroup']);
  }));
});

table('docs/spec/reconcile.md#spec-change', (row) => {
  row('spec change', 'while an operation runs: no second PUT, then the new spec', inWorld(async (world) => {
    world.azure.polls = 3;
    await createdGroup(world);
    await edit(world, { location: 'uksouth' });
    await edit(world, { location: 'ukwest' });
    expect(world.azure.count('PUT')).toBe(1);
    world.azure.polls = 0;
    await world.clock.advance(30_000);
    expect(world.azure.bodies).toMatchObject([{ location: 'westeurope' }, { location: 'ukwest' }]);
  }));
});

table('docs/spec/reconcile.md#restart', (row) => {
  row('restart', 'a token is polled on', inWorld(async (world) => {
    world.azure.polls = 3;
    await createdGroup(world);
    await world.kill();
    await world.start();
    expect(world.azure.requests.at(-1)).toMatch(/^GET \/operations/);
    await world.clock.advance(30_000);
    expect(world.azure.count('PUT')).toBe(1);
  }));
  row('restart', '(better: others are read, and sent only where something differs)', inWorld(async (world) => {
    await readyGroup(world);
    await world.kill();
    await world.start();
    expect([world.azure.count('PUT'), world.azure.requests.at(-1)]).toEqual([1, `GET ${GROUP_ID}`]);
    await world.kill();
    await world.cluster.edit(GROUPS, 'default', 'rg', { tags: { a: 'b' } });
    await world.start();
    expect(world.azure.count('PUT')).toBe(2);
    world.azure.meddle(GROUP_ID, { tags: {} });
    await world.clock.advance(HOUR);
    expect(world.azure.count('PUT')).toBe(3);
  }));
});

table('docs/spec/reconcile.md#payload', (row) => {
  const asked = async (world: World, apiVersion: string) => {
    const versions: (string | undefined)[] = [];
    world.azure.before = ({ apiVersion: used }: ArmRequest) => void versions.push(used);
    await world.cluster.create(IDENTITIES, { ...identity('id', { owner: { armId: GROUP_ID } }), apiVersion: `managedidentity.azure.com/${apiVersion}` });
    await world.start();
    return versions;
  };
  row('api-version', 'of the version that the object was applied in', inWorld(async (world) => expect((await asked(world, 'v20230131'))[0]).toBe('2023-01-31')));
  row('api-version', 'a legacy name means the same', inWorld(async (world) => expect((await asked(world, 'v1api20230131'))[0]).toBe('2023-01-31')));
  row('reading', 'with the same', inWorld(async (world) => expect(await asked(world, 'v1api20230131')).toEqual(['2023-01-31', '2023-01-31'])));
  row('absent members', 'are not sent', inWorld(async (world) => {
    await createdGroup(world);
    expect(world.azure.bodies).toEqual([{ location: 'westeurope', name: 'rg' }]);
  }));
  row('empty collections', 'are not sent', inWorld(async (world) => {
    await inReadyGroup(world, NETWORKS, object(NETWORKS, 'net', { owner: { name: 'rg' }, location: 'x', tags: {}, addressSpace: { addressPrefixes: [] } }));
    expect(world.azure.bodies.at(-1)).toEqual({ location: 'x', name: 'net', properties: { addressSpace: {} } });
  }));
  row('empty collections', 'but for kinds of storage and containerservice', inWorld(async (world) => {
    world.types.push(AGENT_POOLS);
    await inReadyGroup(world, ACCOUNTS, account());
    expect(world.azure.bodies.at(-1)).toMatchObject({ tags: null });
    const owner = { armId: `${GROUP_ID}/providers/Microsoft.ContainerService/managedClusters/c` };
    await world.cluster.create(AGENT_POOLS, object(AGENT_POOLS, 'pool', { owner, count: 1 }));
    await settled();
    expect(world.azure.bodies.at(-1)).toMatchObject({ properties: { count: 1, availabilityZones: null, nodeTaints: [] } });
  }));
});

table('docs/spec/reconcile.md#sync', (row) => {
  row('sync', '(better: a look after the period with jitter, and the full PUT only where something differs)', inWorld(async (world) => {
    world.clock.chance = 0;
    await readyGroup(world);
    const before = world.azure.requests.length;
    await world.clock.advance(0.75 * HOUR - 1);
    expect(world.azure.requests).toHaveLength(before);
    await world.clock.advance(1);
    expect(world.azure.requests.slice(before)).toEqual([`GET ${GROUP_ID}`]);
    world.azure.meddle(GROUP_ID, { location: 'elsewhere' });
    await world.clock.advance(0.75 * HOUR);
    expect(world.azure.bodies[1]).toEqual(world.azure.bodies[0]);
  }));
  row('never', 'no timer; errors keep retrying', inWorld(async (world) => {
    const giveBack = answering(world, 'PUT', { status: 409, body: failing('Conflict') });
    await createdGroup(world, undefined, { syncPeriod: 'never' });
    giveBack();
    await world.clock.advance(1_000);
    expect(waits(world)).toEqual([1_000, undefined]);
  }));
  row('fatal', '(better: synced too)', inWorld(async (world) => {
    await refusedGroup(world, 400, failing('LocationRequired'));
    await world.clock.advance(HOUR);
    expect(world.azure.count('PUT')).toBe(2);
  }));
});

table('docs/spec/reconcile.md#existing-resources', (row) => {
  row('first PUT', 'creates or updates what is there (better: adopt: IfPresent and Never say otherwise: test/reconcile/adoption.test.ts)', inWorld(async (world) => {
    world.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'before' }, polls: 0 });
    await readyGroup(world);
    expect([world.azure.updated.size, world.azure.created.size]).toEqual([1, 0]);
  }));
  row('skip', 'only reads', inWorld(async (world) => {
    world.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID }, polls: 0 });
    await createdGroup(world, { [POLICY]: 'skip' });
    expect(world.azure.requests).toEqual([`GET ${GROUP_ID}`]);
  }));
});

table('docs/spec/reconcile.md#other-backends', (row) => {
  const done = { ensure: async () => ({ status: {} }), look: async () => ({ found: false, message: 'not there' }) as const, remove: async () => undefined };
  const user = (annotations?: Record<string, string>) => object(USERS, 'u', { owner: { name: 'db' }, localUser: {} }, annotations);
  const withServer = async (world: World, kind: ExternalKind, created = user()) => {
    world.types.push(SERVERS);
    world.externals = (_, name) => (name === 'User' ? kind : undefined);
    await world.cluster.create(USERS, created);
    await world.start();
    expect(world.ready(USERS, 'u')).toMatchObject({ severity: 'Warning', reason: 'WaitingForOwner' });
    await world.cluster.create(SERVERS, object(SERVERS, 'db', { location: 'x', owner: { armId: GROUP_ID } }));
    await settled();
    return world.stored(USERS, 'u')!.metadata;
  };
  row('database users', 'wait for a Ready owner, get an ownerReference; no resource-id, no poller', inWorld(async (world) => {
    const { ownerReferences, finalizers, annotations } = await withServer(world, done);
    expect(world.ready(USERS, 'u')).toMatchObject({ status: 'True' });
    expect([ownerReferences!.map(({ kind }) => kind), finalizers]).toEqual([['FlexibleServer'], [FINALIZER]]);
    for (const key of [RESOURCE_ID, POLLER_TOKEN]) expect(annotations).not.toHaveProperty([key]);
  }));
  row('database users', 'an address that is missing: WaitingForOwner', inWorld(async (world) => {
    const reason = new KindError('the server has no address yet', 'Warning', 'WaitingForOwner', 'fast');
    await withServer(world, { ...done, ensure: () => Promise.reject(reason) });
    expect(world.ready(USERS, 'u')).toMatchObject({ severity: 'Warning', reason: 'WaitingForOwner', message: 'the server has no address yet' });
  }));
  row('database users', 'skip and absent: AzureResourceNotFound', inWorld(async (world) => {
    await withServer(world, done, user({ [POLICY]: 'skip' }));
    expect(world.ready(USERS, 'u')).toMatchObject({ severity: 'Warning', reason: 'AzureResourceNotFound' });
  }));
  row('database users', 'removed before the finalizer goes', inWorld(async (world) => {
    let removed = 0;
    await withServer(world, { ...done, remove: async () => void (removed += 1) });
    await deleted(world, USERS, 'u');
    expect([removed, world.stored(USERS, 'u')]).toEqual([1, undefined]);
  }));
  row('SecurityGroup', 'no owner; resource-id is the group\'s object id', inWorld(async (world) => {
    world.types.push(SECURITY_GROUPS);
    world.externals = () => ({ ...done, ensure: async () => ({ status: {}, annotations: { [RESOURCE_ID]: 'object-id' } }) });
    await world.cluster.create(SECURITY_GROUPS, object(SECURITY_GROUPS, 'g', { displayName: 'g', mailNickname: 'g' }));
    await world.start();
    expect(annotation(world.stored(SECURITY_GROUPS, 'g')!, RESOURCE_ID)).toBe('object-id');
    expect([world.ready(SECURITY_GROUPS, 'g')!.status, world.azure.requests]).toEqual(['True', []]);
  }));
});

table('docs/spec/reconcile.md#states', (row) => {
  const state = (world: World) => [stored(world)!.metadata.finalizers?.length ?? 0, noted(world, POLLER_ID) ?? '', ready(world)?.reason ?? ''];
  row('New', 'no operator-namespace: annotated', inWorld(async (world) => {
    await createdGroup(world);
    expect(noted(world, OPERATOR_NAMESPACE)).toBe('aso');
  }));
  row('Unclaimed', 'stays without credential; claimed with it', inWorld(async (world) => {
    world.credential = undefined;
    await createdGroup(world);
    expect(state(world)).toEqual([0, '', 'CredentialNotFound']);
    world.credential = { subscriptionId: '11111111-1111-1111-1111-111111111111' };
    await world.clock.advance(1_000);
    expect(state(world)).toEqual([1, '', 'Succeeded']);
  }));
  row('Claimed', 'begin: failed, running or done', inWorld(async (world) => {
    await refusedGroup(world, 409, failing('Conflict'));
    expect(state(world)).toEqual([1, '', 'Conflict']);
    answering(world, 'PUT', accepted);
    await world.clock.advance(1_000);
    expect(state(world)).toEqual([1, 'GenericClient.CreateOrUpdateByID', 'Conflict']);
  }));
  row('Running', 'poll: running, done, failed', inWorld(async (world) => {
    world.azure.polls = 2;
    await createdGroup(world);
    await world.clock.advance(1_000);
    expect(state(world)[1]).not.toBe('');
    await world.clock.advance(2_000);
    expect(state(world)).toEqual([1, '', 'Succeeded']);
  }));
  row('Done', 'due by timer, spec, restart', inWorld(async (world) => {
    await readyGroup(world);
    await edit(world, { tags: {} });
    world.azure.meddle(GROUP_ID, { location: 'elsewhere' });
    await world.clock.advance(HOUR);
    expect(world.azure.count('PUT')).toBe(3);
  }));
  row('Fatal', 'due by spec, watched annotation, restart', inWorld(async (world) => {
    await refusedGroup(world, 400, failing('LocationRequired'));
    await edit(world, { tags: {} });
    await annotate(world, { 'serviceoperator.azure.com/credential-from': 'x' });
    await world.kill();
    await world.start();
    expect(world.azure.count('PUT')).toBeGreaterThanOrEqual(3);
  }));
  row('Deleting', 'begin delete', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', accepted);
    await deleted(world);
    expect(state(world)).toEqual([1, 'GenericClient.DeleteByID', 'Deleting']);
  }));
  row('DeleteRunning', 'gone, or back to Deleting', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', accepted);
    await deleted(world);
    operation(world, { body: { status: 'Failed', error: { code: 'Conflict', message: 'no' } } });
    await world.clock.advance(1_000);
    expect(state(world)).toEqual([1, '', 'Conflict']);
  }));
  row('Gone', 'the finalizer is removed', inWorld(async (world) => {
    await readyGroup(world);
    await deleted(world);
    expect(stored(world)).toBeUndefined();
  }));
});
