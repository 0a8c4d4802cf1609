import {
  ADMINISTRATORS, ALIASES, annotate, answering, configMap, createdGroup, deleted, edit, failing, HOUR, inReadyGroup, namespaced, POLICY,
  readyGroup, refusedGroup, secret, server, SERVERS, waits,
} from './arrange';
import { inWorld, table } from './table';
import { controllerName } from '../../controller/reconcile/object-key';
import { KubernetesError } from '../../engine/kubernetes/types';
import {
  annotation, AZURE_NAME_FROM_CONFIG, CHILD_RESOURCE_ID_OVERRIDE, CREATE_POLLER, CREDENTIAL_FROM, DELETE_POLLER, FINALIZER, LATEST_GENERATION,
  OPERATOR_NAMESPACE, POLLER_ID, POLLER_TOKEN, RESOURCE_ID,
} from '../../engine/objects/annotations';
import { settled } from '../reconcile/fake-clock';
import {
  CONFIG_MAPS, group, GROUP_ID, GROUPS, IDENTITIES, identity, NAMESPACES, object, SECRETS, type World,
} from '../reconcile/harness';

const ready = (world: World) => world.ready(GROUPS, 'rg');
const stored = (world: World) => world.stored(GROUPS, 'rg')!;
const noted = (world: World, key: string) => annotation(stored(world), key);
const BI_TOKEN = 'serviceoperator.azure.com/bi-poller-resume-token';
/** Passes that something starts. */
const passesOf = async (world: World, act: () => Promise<unknown>) => {
  const before = world.passes.length;
  await act();
  await settled();
  return world.passes.length - before;
};

table('docs/spec/objects.md#finalizer', (row) => {
  row('finalizer', 'stored before the first PUT, gone with the object', inWorld(async (world) => {
    const finalizers: unknown[] = [];
    world.azure.before = ({ method }) => method === 'PUT' && finalizers.push(stored(world).metadata.finalizers);
    await readyGroup(world);
    expect(finalizers).toEqual([['serviceoperator.azure.com/finalizer']]);
    await deleted(world);
    expect(world.stored(GROUPS, 'rg')).toBeUndefined();
  }));
});

table('docs/spec/objects.md#annotations', (row) => {
  row('reconcile-policy', 'read from the object', inWorld(async (world) => {
    await createdGroup(world, { [POLICY]: 'skip' });
    expect(world.azure.count('PUT')).toBe(0);
  }));
  row('credential-from', 'a change starts a pass', inWorld(async (world) => {
    await readyGroup(world);
    expect(await passesOf(world, () => annotate(world, { [CREDENTIAL_FROM]: 'mine' }))).toBe(1);
    expect(await passesOf(world, () => annotate(world, { [CREDENTIAL_FROM]: null }))).toBe(1);
  }));
  row('operator-namespace', 'whose object it is', inWorld(async (world) => {
    await createdGroup(world, undefined, { operatorNamespace: 'mine' });
    expect(noted(world, OPERATOR_NAMESPACE)).toBe('mine');
  }));
  row('resource-id', 'the full ARM id, from the claim on', inWorld(async (world) => {
    await readyGroup(world);
    expect(noted(world, RESOURCE_ID)).toBe(GROUP_ID);
  }));
  row('resource-id', '(better: taken away by hand, it is found again)', inWorld(async (world) => {
    await readyGroup(world);
    await annotate(world, { [RESOURCE_ID]: null, [OPERATOR_NAMESPACE]: null });
    expect(noted(world, RESOURCE_ID)).toBe(GROUP_ID);
    expect(ready(world)).toMatchObject({ status: 'True' });
  }));
  row('child-resource-id-override', 'set by an alias: the subscription that it made', inWorld(async (world) => {
    world.types.push(ALIASES);
    const body = { properties: { subscriptionId: '33333333-3333-3333-3333-333333333333', provisioningState: 'Succeeded' } };
    answering(world, 'GET', { body }, '/providers/Microsoft.Subscription/aliases/sub');
    await world.cluster.create(ALIASES, object(ALIASES, 'sub', { properties: { displayName: 'x' } }));
    await world.start();
    expect(annotation(world.stored(ALIASES, 'sub')!, CHILD_RESOURCE_ID_OVERRIDE)).toBe('/subscriptions/33333333-3333-3333-3333-333333333333');
  }));
  row('poller-resume-token', 'while an operation runs, with its id; both go together', inWorld(async (world) => {
    world.azure.polls = 1;
    await createdGroup(world);
    expect([noted(world, POLLER_TOKEN), noted(world, POLLER_ID)]).toEqual([expect.stringContaining('/operations/'), CREATE_POLLER]);
    await world.clock.advance(1_000);
    expect([noted(world, POLLER_TOKEN), noted(world, POLLER_ID)]).toEqual([undefined, undefined]);
  }));
  row('poller-resume-id', 'of a PUT and of a DELETE', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', { status: 202, headers: { location: 'https://arm.test/operations/x' } });
    await deleted(world);
    expect(noted(world, POLLER_ID)).toBe(DELETE_POLLER);
    expect([CREATE_POLLER, DELETE_POLLER]).toEqual(['GenericClient.CreateOrUpdateByID', 'GenericClient.DeleteByID']);
  }));
  row('latest-reconciled-generation', 'of the spec that was last in a PUT', inWorld(async (world) => {
    await readyGroup(world);
    await edit(world, { tags: { a: 'b' } });
    expect(noted(world, LATEST_GENERATION)).toBe('2');
  }));
  row('azure-name-from-config', 'the name that the claim has read', inWorld(async (world) => {
    world.types.push(ADMINISTRATORS);
    const owner = { armId: `${GROUP_ID}/providers/Microsoft.DBforPostgreSQL/flexibleServers/db` };
    await world.cluster.create(CONFIG_MAPS, configMap('names', { name: 'the-name' }));
    await world.cluster.create(ADMINISTRATORS, object(ADMINISTRATORS, 'admin', { owner, azureNameFromConfig: { name: 'names', key: 'name' } }));
    await world.start();
    const { annotations } = world.stored(ADMINISTRATORS, 'admin')!.metadata;
    expect(annotations).toMatchObject({ [AZURE_NAME_FROM_CONFIG]: 'the-name', [RESOURCE_ID]: `${owner.armId}/administrators/the-name` });
  }));
  row('bi-poller-resume-token', 'of ASO: left as it is', inWorld(async (world) => {
    await createdGroup(world, { [BI_TOKEN]: 'token' });
    expect(noted(world, BI_TOKEN)).toBe('token');
  }));
});

table('docs/spec/objects.md#labels', (row) => {
  const labels = async (world: World, owner: string) => {
    await world.cluster.create(GROUPS, group(owner));
    await world.cluster.create(IDENTITIES, identity('id', { owner: { name: owner } }));
    await world.start();
    return world.stored(IDENTITIES, 'id')!.metadata.labels!;
  };
  const name = `${'a'.repeat(60)}-b-c-d`;
  row('owner-name', 'cut to 63 characters, ending in a letter or digit', inWorld(async (world) => {
    expect((await labels(world, name))['serviceoperator.azure.com/owner-name']).toBe(`${'a'.repeat(60)}-b`);
  }));
  row('owner-group-kind', '<Kind>.<group>', inWorld(async (world) => {
    expect((await labels(world, 'rg'))['serviceoperator.azure.com/owner-group-kind']).toBe('ResourceGroup.resources.azure.com');
  }));
  row('owner-uid', 'of the ownerReference', inWorld(async (world) => {
    expect((await labels(world, 'rg'))['serviceoperator.azure.com/owner-uid']).toBe(stored(world).metadata.uid);
  }));
  row('last-reconciled-version', 'the controller\'s build', inWorld(async (world) => {
    expect(await labels(world, 'rg')).toMatchObject({ 'serviceoperator.azure.com/last-reconciled-version': 'test' });
  }));
});

table('docs/spec/objects.md#triggers', (row) => {
  row('created', 'a new object, and every object at the start', inWorld(async (world) => {
    await readyGroup(world);
    expect(await passesOf(world, () => world.cluster.create(GROUPS, group('rg2')))).toBe(1);
    await world.kill();
    expect(await passesOf(world, () => world.start())).toBe(2);
  }));
  row('updated', 'a new generation', inWorld(async (world) => {
    await readyGroup(world);
    expect(await passesOf(world, () => edit(world, { tags: {} }))).toBe(1);
  }));
  row('updated', 'the policy, to or from skip', inWorld(async (world) => {
    await readyGroup(world);
    for (const [value, passes] of [['detach-on-delete', 0], ['skip', 1], ['manage', 1], [null, 0]] as const) {
      expect([value, await passesOf(world, () => annotate(world, { [POLICY]: value }))]).toEqual([value, passes]);
    }
  }));
  row('deleted', 'a deletionTimestamp', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', { status: 409, body: failing('Conflict') });
    expect(await passesOf(world, () => deleted(world))).toBe(1);
  }));
  row('Secret or ConfigMap', 'of the namespace, which the spec names', inWorld(async (world) => {
    world.types.push(SERVERS);
    await world.cluster.create(SECRETS, secret('passwords', { db: 'one' }));
    await inReadyGroup(world, SERVERS, server());
    const { metadata } = world.stored(SECRETS, 'passwords')!;
    const data = { db: Buffer.from('two').toString('base64') };
    expect(await passesOf(world, () => world.cluster.replace(SECRETS, { ...secret('passwords', {}), data, metadata }))).toBe(1);
    expect(world.azure.bodies.at(-1)).toMatchObject({ properties: { administratorLoginPassword: 'two' } });
    expect(await passesOf(world, () => world.cluster.create(SECRETS, secret('others', { db: 'x' })))).toBe(0);
    const elsewhere = { ...secret('passwords', { db: 'x' }), metadata: { name: 'passwords', namespace: 'elsewhere' } };
    expect(await passesOf(world, () => world.cluster.create(SECRETS, elsewhere))).toBe(0);
  }));
  row('Namespace', 'its policy to or from skip, for objects without one of their own', inWorld(async (world) => {
    await readyGroup(world);
    const own = group('rg2');
    await world.cluster.create(GROUPS, { ...own, metadata: { ...own.metadata, annotations: { [POLICY]: 'manage' } } });
    await settled();
    expect(await passesOf(world, () => world.cluster.create(NAMESPACES, namespaced({})))).toBe(0);
    for (const [value, passes] of [['detach-on-delete', 0], ['skip', 1], [null, 1]] as const) {
      expect([value, await passesOf(world, () => annotate(world, { [POLICY]: value }, NAMESPACES, 'default'))]).toEqual([value, passes]);
    }
  }));
  row('timer', 'what the pass before it has decided', inWorld(async (world) => {
    await readyGroup(world);
    expect(await passesOf(world, () => world.clock.advance(HOUR))).toBe(1);
  }));
  row('not triggers', 'labels, other annotations, the status, a Ready owner that changes', inWorld(async (world) => {
    await inReadyGroup(world, IDENTITIES, identity());
    expect(await passesOf(world, () => annotate(world, { whatever: 'x' }))).toBe(0);
    const labels = { metadata: { labels: { a: 'b' } } };
    expect(await passesOf(world, () => world.cluster.patch(GROUPS, 'rg', 'default', labels, 'application/merge-patch+json'))).toBe(0);
    const status = { ...stored(world).status, tags: {} };
    expect(await passesOf(world, () => world.cluster.replaceStatus(GROUPS, { ...stored(world), status }))).toBe(0);
  }));
  row('not triggers', '(better: an owner that becomes Ready, a reference that gets its id and a credential that comes start those that wait)', inWorld(async (world) => {
    await world.cluster.create(IDENTITIES, identity());
    await world.start();
    await world.cluster.create(GROUPS, group());
    await settled();
    expect(world.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True' });
    expect(world.clock.now()).toBe(Date.parse('2026-01-01T00:00:00Z'));
  }));
  row('one queue', '(better: one queue for all; so many workers a kind, and one pass of an object at a time)', inWorld(async (world) => {
    let open = 0;
    let most = 0;
    const send = world.azure.send.bind(world.azure);
    world.azure.send = async (request) => {
      most = Math.max(most, ++open);
      await settled();
      open -= 1;
      return send(request);
    };
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await world.cluster.create(GROUPS, group(name));
    await world.start();
    while (world.passes.length < 6) await settled();
    expect(most).toBe(4);
  }));
  row('one queue', 'names of controllers', () => {
    expect(controllerName('storage.azure.com', 'StorageAccount')).toBe('storageazurecom_storageaccount');
  });
});

table('docs/spec/reconcile.md#steps', (row) => {
  row('read', 'an object that is gone is done', inWorld(async (world) => {
    await world.cluster.create(IDENTITIES, identity());
    await world.start();
    await deleted(world, IDENTITIES, 'id');
    expect(await passesOf(world, () => world.clock.advance(HOUR))).toBe(0);
  }));
  row('ownership', 'goes before everything, deletion too', inWorld(async (world) => {
    await readyGroup(world);
    await world.kill();
    await world.start({ operatorNamespace: 'other' });
    await deleted(world);
    expect(world.azure.count('DELETE')).toBe(0);
    expect(stored(world).metadata.finalizers).toEqual([FINALIZER]);
  }));
  row('branch', 'deletionTimestamp: section 8, else section 4', inWorld(async (world) => {
    await readyGroup(world);
    await deleted(world);
    expect(world.azure.requests.map((request) => request.split(' ')[0])).toEqual(['PUT', 'GET', 'GET', 'DELETE']);
  }));
  row('error', 'a Kubernetes Conflict is not shown', inWorld(async (world) => {
    let conflicts = 1;
    world.cluster.before = (what) => {
      if (what === 'status ResourceGroup' && conflicts-- > 0) throw new KubernetesError(409, 'Conflict', 'modified');
    };
    await createdGroup(world);
    expect(world.errors.splice(0)).toHaveLength(1);
    expect(ready(world)).toBeUndefined();
    await world.clock.advance(1_000);
    expect(ready(world)).toMatchObject({ status: 'True' });
  }));
  row('error', 'any other becomes the condition, its message the text of the cause alone', inWorld(async (world) => {
    await refusedGroup(world, 409, failing('Conflict', 'the cause'));
    expect(ready(world)!.message).toBe('the cause');
  }));
  row('success', 'Ready at the current generation', inWorld(async (world) => {
    await readyGroup(world);
    expect(ready(world)).toMatchObject({ status: 'True', reason: 'Succeeded', observedGeneration: 1 });
  }));
  row('next interval', 'the sync period from the PUT on after a success, what was asked for after a requeue', inWorld(async (world) => {
    world.azure.polls = 1;
    await createdGroup(world);
    await world.clock.advance(1_000);
    expect(waits(world)).toEqual([1_000, HOUR - 1_000]);
  }));
  row('write', 'main object first, then the status; nothing where nothing differs', inWorld(async (world) => {
    await readyGroup(world);
    expect(world.cluster.writes.slice(-2)).toEqual(['patch ResourceGroup/rg', 'status ResourceGroup/rg']);
    world.azure.polls = 5;
    await edit(world, { tags: {} });
    const before = world.cluster.writes.length;
    await world.clock.advance(3_000);
    expect(world.azure.count('GET', GROUP_ID)).toBeGreaterThan(2);
    expect(world.cluster.writes).toHaveLength(before);
  }));
  row('write', 'NotFound is ignored', inWorld(async (world) => {
    world.cluster.before = (what) => {
      if (what === 'status ResourceGroup') throw new KubernetesError(404, 'NotFound', 'gone');
    };
    await createdGroup(world);
    expect(world.azure.count('PUT')).toBe(1);
  }));
});

table('docs/spec/reconcile.md#operator-ownership', (row) => {
  row('absent', 'written (better: in the same write as the claim, not in a pass of its own)', inWorld(async (world) => {
    await readyGroup(world);
    expect(world.cluster.writes).toEqual(['create ResourceGroup/rg', 'patch ResourceGroup/rg', 'patch ResourceGroup/rg', 'status ResourceGroup/rg']);
    expect(noted(world, OPERATOR_NAMESPACE)).toBe('aso');
  }));
  row('equal', 'goes on', inWorld(async (world) => {
    await createdGroup(world, { [OPERATOR_NAMESPACE]: 'aso' });
    expect(ready(world)).toMatchObject({ status: 'True' });
  }));
  row('different', 'an event; no requeue, no condition, no write', inWorld(async (world) => {
    await createdGroup(world, { [OPERATOR_NAMESPACE]: 'other' });
    expect(world.events).toMatchObject([{ type: 'Warning', reason: 'Overlap' }]);
    expect(waits(world)).toEqual([undefined]);
    expect(ready(world)).toBeUndefined();
    expect(world.cluster.writes).toEqual(['create ResourceGroup/rg']);
  }));
  row('handing over', 'the annotation is removed by hand (better: that starts a pass)', inWorld(async (world) => {
    await createdGroup(world, { [OPERATOR_NAMESPACE]: 'other' });
    await annotate(world, { [OPERATOR_NAMESPACE]: null });
    expect(noted(world, OPERATOR_NAMESPACE)).toBe('aso');
    expect(ready(world)).toMatchObject({ status: 'True' });
  }));
});
