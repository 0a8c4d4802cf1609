import {
  account, ADMINISTRATORS, AGENT_POOLS, ALIASES, annotate, answering, configMap, createdGroup, deleted, edit, ENDPOINTS, failing, inReadyGroup,
  operation, OTHER_SUBSCRIPTION, POLICY, PRODUCT_APIS, readyGroup, refusedGroup, waits,
} from './arrange';
import { inWorld, table } from './table';
import {
  annotation, FINALIZER, LAST_VERSION_LABEL, LATEST_GENERATION, POLLER_ID, POLLER_TOKEN, RESOURCE_ID,
} from '../../engine/objects/annotations';
import { SUBSCRIPTION } from '../reconcile/fake-azure';
import { settled } from '../reconcile/fake-clock';
import {
  ACCOUNTS, CONFIG_MAPS, group, GROUP_ID, GROUPS, IDENTITIES, identity, IDENTITY_ID, object, ROLES, type World,
} from '../reconcile/harness';

const ready = (world: World) => world.ready(GROUPS, 'rg');
const stored = (world: World) => world.stored(GROUPS, 'rg')!;
const noted = (world: World, key: string) => annotation(stored(world), key);
const running = (world: World) => answering(world, 'PUT', { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x' } });
const exporting = identity('id', { operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value: 'self.spec.location' }] } });

table('docs/spec/reconcile.md#create-or-update', (row) => {
  row('claim', 'and the finalizer, before anything else; its failure ends the pass', inWorld(async (world) => {
    await world.cluster.create(IDENTITIES, identity());
    await world.start();
    expect(world.stored(IDENTITIES, 'id')!.metadata.finalizers).toBeUndefined();
    expect(world.azure.requests).toEqual([]);
  }));
  row('version label', 'set', inWorld(async (world) => {
    await readyGroup(world);
    expect(stored(world).metadata.labels).toMatchObject({ [LAST_VERSION_LABEL]: 'test' });
  }));
  row('skip', 'the refresh-only path', inWorld(async (world) => {
    await createdGroup(world, { [POLICY]: 'skip' });
    expect(world.azure.requests).toEqual([`GET ${GROUP_ID}`]);
  }));
  row('Reconciling', 'by the normal rule: a Warning of the same generation stays', inWorld(async (world) => {
    const giveBack = answering(world, 'PUT', { status: 409, body: failing('Conflict') });
    await createdGroup(world);
    giveBack();
    running(world);
    await world.clock.advance(1_000);
    expect(ready(world)).toMatchObject({ reason: 'Conflict' });
  }));
  row('action', 'in the same pass', inWorld(async (world) => {
    await readyGroup(world);
    expect(world.passes.map(({ actions }) => actions)).toEqual([['resolve', 'persist', 'put', 'read', 'complete']]);
  }));
});

table('docs/spec/reconcile.md#claim', (row) => {
  const ownerText = 'Owner "rg, Group/Kind: resources.azure.com/ResourceGroup"';
  row('owner check', 'a missing owner', inWorld(async (world) => {
    await world.cluster.create(IDENTITIES, identity());
    await world.start();
    const message = `${ownerText} cannot be found. Progress is blocked until the owner is created.`;
    expect(world.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Warning', reason: 'WaitingForOwner', message });
    expect(waits(world)).toEqual([1_000]);
  }));
  row('owner check', 'one that is not Ready (better: the text says so)', inWorld(async (world) => {
    running(world);
    await world.cluster.create(GROUPS, group());
    await world.cluster.create(IDENTITIES, identity());
    await world.start();
    const message = `${ownerText} is not ready. Progress is blocked until the owner is ready.`;
    expect(world.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Warning', reason: 'WaitingForOwner', message });
  }));
  row('owner check', 'none for an owner by ARM id', inWorld(async (world) => {
    await world.cluster.create(IDENTITIES, identity('id', { owner: { armId: GROUP_ID } }));
    await world.start();
    expect(world.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True' });
  }));
  row('ownerReference', 'stored, also where a later step of the claim fails', inWorld(async (world) => {
    await readyGroup(world);
    world.credential = undefined;
    await world.cluster.create(IDENTITIES, identity());
    await settled();
    const { ownerReferences, finalizers } = world.stored(IDENTITIES, 'id')!.metadata;
    expect([ownerReferences!.length, finalizers]).toEqual([1, undefined]);
  }));
  row('credential', 'Warning, Slow; with it an event', inWorld(async (world) => {
    world.credential = undefined;
    await createdGroup(world);
    expect(world.passes.at(-1)!.result).toMatchObject({ failure: { severity: 'Warning', retry: 'slow' } });
    world.credential = { subscriptionId: SUBSCRIPTION };
    await world.clock.advance(1_000);
    expect(world.events[0]).toEqual({ type: 'Normal', reason: 'CredentialFrom', message: 'Using credential from "aso/aso-controller-settings"' });
  }));
  row('name from ConfigMap', 'nothing is claimed without it', inWorld(async (world) => {
    const azureNameFromConfig = { name: 'names', key: 'name' };
    world.types.push(ADMINISTRATORS);
    const owner = { armId: `${GROUP_ID}/providers/Microsoft.DBforPostgreSQL/flexibleServers/db` };
    await world.cluster.create(ADMINISTRATORS, object(ADMINISTRATORS, 'admin', { owner, azureNameFromConfig }));
    await world.start();
    expect(world.ready(ADMINISTRATORS, 'admin')).toMatchObject({ severity: 'Error', reason: 'Failed' });
    expect(world.stored(ADMINISTRATORS, 'admin')!.metadata.finalizers).toBeUndefined();
    // A ConfigMap that comes is no trigger in ASO; here it is.
    await world.cluster.create(CONFIG_MAPS, configMap('names', { name: 'n' }));
    await settled();
    expect(world.ready(ADMINISTRATORS, 'admin')).toMatchObject({ status: 'True' });
  }));
  row('conversion', 'what cannot be resolved leaves neither finalizer nor id, and the object can be deleted without a call', inWorld(async (world) => {
    const rules = { defaultAction: 'Deny', virtualNetworkRules: [{ reference: { group: IDENTITIES.group, kind: IDENTITIES.kind, name: 'no' } }] };
    await inReadyGroup(world, ACCOUNTS, account({ networkAcls: rules }));
    const { finalizers, annotations } = world.stored(ACCOUNTS, 'sa')!.metadata;
    expect([finalizers, annotations![RESOURCE_ID]]).toEqual([undefined, undefined]);
    const before = world.azure.requests.length;
    await deleted(world, ACCOUNTS, 'sa');
    expect(world.stored(ACCOUNTS, 'sa')).toBeUndefined();
    expect(world.azure.requests).toHaveLength(before);
  }));
  row('resource-id', 'and the owner labels', inWorld(async (world) => {
    await inReadyGroup(world, IDENTITIES, identity());
    const { annotations, labels } = world.stored(IDENTITIES, 'id')!.metadata;
    expect(annotations).toMatchObject({ [RESOURCE_ID]: IDENTITY_ID });
    expect(Object.keys(labels!)).toEqual(expect.arrayContaining(['serviceoperator.azure.com/owner-name', 'serviceoperator.azure.com/owner-uid']));
  }));
  row('finalizer', 'in the same write', inWorld(async (world) => {
    const writes: unknown[] = [];
    world.cluster.after = (what, now) => what === 'patch ResourceGroup' && writes.push([now.metadata.finalizers, annotation(now, RESOURCE_ID)]);
    await readyGroup(world);
    expect(writes[0]).toEqual([[FINALIZER], GROUP_ID]);
  }));
});

table('docs/spec/reconcile.md#choice-of-action', (row) => {
  row('Deleting', 'without a deletionTimestamp: an error', inWorld(async (world) => {
    await readyGroup(world);
    await world.kill();
    await world.cluster.replaceStatus(GROUPS, { ...stored(world), status: { conditions: [{ ...ready(world)!, reason: 'Deleting' }] } });
    await world.start();
    expect(ready(world)).toMatchObject({ severity: 'Warning', reason: 'Failed', message: 'resource is currently deleting; it can not be applied' });
    expect(world.events.at(-1)!.reason).toBe('DetermineCreateOrUpdateActionError');
  }));
  row('token', 'monitor', inWorld(async (world) => {
    running(world);
    await createdGroup(world);
    await world.clock.advance(1_000);
    expect(world.passes.at(-1)!.actions).toEqual(['poll']);
  }));
  row('otherwise', 'begin', inWorld(async (world) => {
    await readyGroup(world);
    await edit(world, { tags: {} });
    expect(world.passes.at(-1)!.actions).toEqual(['resolve', 'put', 'read', 'complete']);
  }));
  row('event', 'CreateOrUpdateActionError', inWorld(async (world) => {
    await refusedGroup(world, 409, failing('Conflict'));
    expect(world.events.at(-1)).toMatchObject({ type: 'Warning', reason: 'CreateOrUpdateActionError' });
  }));
});

table('docs/spec/reconcile.md#begin', (row) => {
  row('name', 'Error Failed without one', inWorld(async (world) => {
    await inReadyGroup(world, ROLES, object(ROLES, 'role', { principalId: SUBSCRIPTION, roleDefinitionReference: { wellKnownName: 'Reader' } }));
    expect(world.ready(ROLES, 'role')).toMatchObject({ severity: 'Error', reason: 'Failed' });
    expect(world.azure.count('PUT')).toBe(1);
  }));
  row('generation', 'noted when Azure has the PUT', inWorld(async (world) => {
    running(world);
    await createdGroup(world);
    expect(noted(world, LATEST_GENERATION)).toBe('1');
  }));
  row('pre-checks', 'block: Warning ReconciliationBlocked, Slow; 404 is none', inWorld(async (world) => {
    world.types.push(AGENT_POOLS);
    const cluster = `${GROUP_ID}/providers/Microsoft.ContainerService/managedClusters/c`;
    await world.cluster.create(AGENT_POOLS, object(AGENT_POOLS, 'pool', { owner: { armId: cluster } }));
    await world.start();
    expect(world.ready(AGENT_POOLS, 'pool')).toMatchObject({ status: 'True' });
    answering(world, 'GET', { body: { properties: { provisioningState: 'Upgrading' } } }, cluster);
    await edit(world, { count: 3 }, AGENT_POOLS, 'pool');
    expect(world.ready(AGENT_POOLS, 'pool')).toMatchObject({ severity: 'Warning', reason: 'ReconciliationBlocked' });
    expect(world.azure.count('PUT')).toBe(1);
  }));
  row('pre-checks', 'an error: Warning Failed, Slow', inWorld(async (world) => {
    world.types.push(AGENT_POOLS);
    const cluster = `${GROUP_ID}/providers/Microsoft.ContainerService/managedClusters/c`;
    answering(world, 'GET', { status: 500, body: failing('Broken') }, cluster);
    await world.cluster.create(AGENT_POOLS, object(AGENT_POOLS, 'pool', { owner: { armId: cluster } }));
    await world.start();
    expect(world.ready(AGENT_POOLS, 'pool')).toMatchObject({ severity: 'Warning', reason: 'Failed', message: 'Broken: said by Azure' });
    expect(waits(world)).toEqual([1_000]);
  }));
  row('subscription', 'SubscriptionMismatch; an id that is none: Error Failed', inWorld(async (world) => {
    await readyGroup(world);
    await annotate(world, { [RESOURCE_ID]: 'nonsense' });
    await edit(world, { tags: {} });
    expect(ready(world)).toMatchObject({ severity: 'Error', reason: 'Failed', message: expect.stringContaining('"nonsense", which is no ARM id') });
    expect(world.azure.count('PUT')).toBe(1);
  }));
  row('conversion', 'again, with all that it refers to', inWorld(async (world) => {
    await inReadyGroup(world, IDENTITIES, identity());
    await world.cluster.patch(GROUPS, 'rg', 'default', { metadata: { finalizers: [] } }, 'application/merge-patch+json');
    world.cluster.objects.delete('resources.azure.com/ResourceGroup/default/rg');
    await edit(world, { tags: {} }, IDENTITIES, 'id');
    expect(world.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Warning', reason: 'ReferenceNotFound' });
  }));
  row('conversion', '(better: a spec that means another id is an error; no second resource)', inWorld(async (world) => {
    await readyGroup(world);
    await edit(world, { azureName: 'another' });
    expect(ready(world)).toMatchObject({ severity: 'Error', reason: 'Failed', message: expect.stringContaining(GROUP_ID) });
    expect(world.azure.count('PUT')).toBe(1);
  }));
  row('Reconciling', 'replaces an older "not found"', inWorld(async (world) => {
    await world.cluster.create(IDENTITIES, identity());
    await world.start();
    world.azure.polls = 1;
    await world.cluster.create(GROUPS, group());
    await world.clock.advance(0);
    // The event of the group may come while the identity has its pass, and start another one, which polls.
    world.azure.polls = 2;
    await world.clock.advance(1_000);
    expect(world.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Info', reason: 'Reconciling' });
  }));
  row('PUT', 'a refusal is classified, the token cleared', inWorld(async (world) => {
    await refusedGroup(world, 409, failing('Conflict'));
    expect(ready(world)).toMatchObject({ reason: 'Conflict' });
    expect(noted(world, POLLER_TOKEN)).toBeUndefined();
  }));
  row('event', 'BeginCreateOrUpdate', inWorld(async (world) => {
    await readyGroup(world);
    expect(world.events.at(-1)).toMatchObject({ reason: 'BeginCreateOrUpdate', message: `Successfully sent resource to Azure with ID "${GROUP_ID}"` });
  }));
  row('finished', 'success handling in the same pass', inWorld(async (world) => {
    await readyGroup(world);
    expect(world.passes).toHaveLength(1);
  }));
  row('finished', '(better: a provisioningState Failed is a failure)', inWorld(async (world) => {
    answering(world, 'PUT', { status: 201, body: { properties: { provisioningState: 'Failed' } } });
    await createdGroup(world);
    expect(ready(world)).toMatchObject({ status: 'False', severity: 'Warning' });
  }));
  row('token', 'stored with its id; requeue after 1 s', inWorld(async (world) => {
    running(world);
    await createdGroup(world);
    expect([noted(world, POLLER_ID), waits(world)]).toEqual(['GenericClient.CreateOrUpdateByID', [1_000]]);
  }));
});

table('docs/spec/reconcile.md#monitor', (row) => {
  row('wrong token', 'Warning Failed', inWorld(async (world) => {
    running(world);
    await createdGroup(world);
    await annotate(world, { [POLLER_ID]: 'GenericClient.DeleteByID' });
    await world.clock.advance(1_000);
    expect(ready(world)).toMatchObject({ severity: 'Warning', reason: 'Failed' });
  }));
  row('poll fails', '(better: the token stays, and no new PUT follows)', inWorld(async (world) => {
    world.azure.polls = 1;
    await createdGroup(world);
    operation(world, { status: 500, body: failing('Broken') }, { body: { status: 'Succeeded' } });
    await world.clock.advance(10_000);
    expect(ready(world)).toMatchObject({ status: 'True' });
    expect(world.azure.count('PUT')).toBe(1);
  }));
  row('operation failed', 'its code and message; the token is cleared and the next pass sends again', inWorld(async (world) => {
    world.azure.polls = 1;
    await createdGroup(world);
    operation(world, { body: { status: 'Failed', error: { code: 'AllocationFailed', message: 'full' } } });
    await world.clock.advance(1_000);
    expect(ready(world)).toMatchObject({ severity: 'Warning', reason: 'AllocationFailed', message: 'full' });
    expect(noted(world, POLLER_TOKEN)).toBeUndefined();
    await world.clock.advance(1_000);
    expect(world.azure.count('PUT')).toBe(2);
  }));
  row('running', 'requeue after Retry-After, else by the limiter', inWorld(async (world) => {
    running(world);
    await createdGroup(world);
    operation(world, { body: { status: 'Running' }, headers: { 'retry-after': '21' } }, { body: { status: 'Running' }, headers: { 'retry-after': '0' } });
    await world.clock.advance(22_000);
    expect(waits(world)).toEqual([1_000, 21_000, 1_000]);
  }));
  row('succeeded', 'GET of the resource, then success handling', inWorld(async (world) => {
    world.azure.polls = 1;
    await createdGroup(world);
    await world.clock.advance(1_000);
    expect(world.passes.at(-1)!.actions).toEqual(['poll', 'read', 'complete']);
  }));
  for (const [end, status] of [['a success', 'Succeeded'], ['(better: a failure)', 'Failed']]) {
    row('generation check', `a newer spec is sent next, after ${end}`, inWorld(async (world) => {
      world.azure.polls = 1;
      await createdGroup(world);
      await edit(world, { location: 'uksouth' });
      const before = world.azure.intercept;
      const fatal = { code: 'LocationRequired', message: 'fatal' };
      world.azure.intercept = (request) =>
        (request.url.includes('/operations/') && world.azure.count('PUT') === 1 ? { body: { status, error: fatal } } : before(request));
      world.azure.polls = 0;
      await world.clock.advance(10_000);
      expect(world.azure.bodies).toMatchObject([{ location: 'westeurope' }, { location: 'uksouth' }]);
      expect(ready(world)).toMatchObject({ status: 'True', observedGeneration: 2 });
    }));
  }
});

table('docs/spec/reconcile.md#refresh-only', (row) => {
  row('refresh only', 'claimed, read, Ready; no PUT, no generation, no poll', inWorld(async (world) => {
    world.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'here' }, polls: 0 });
    await createdGroup(world, { [POLICY]: 'skip' });
    expect(world.azure.requests).toEqual([`GET ${GROUP_ID}`]);
    expect(stored(world)).toMatchObject({ metadata: { finalizers: [FINALIZER] }, status: { location: 'here', conditions: [{ status: 'True' }] } });
    expect([noted(world, RESOURCE_ID), noted(world, LATEST_GENERATION)]).toEqual([GROUP_ID, undefined]);
  }));
  row('refresh only', 'a token is not polled, and cleared on success', inWorld(async (world) => {
    world.azure.polls = 5;
    await createdGroup(world);
    expect(noted(world, POLLER_TOKEN)).toBeDefined();
    await annotate(world, { [POLICY]: 'skip' });
    expect(world.azure.requests.at(-1)).toBe(`GET ${GROUP_ID}`);
    expect(noted(world, POLLER_TOKEN)).toBeUndefined();
  }));
});

table('docs/spec/reconcile.md#success', (row) => {
  row('subscription', 'checked under skip too', inWorld(async (world) => {
    await readyGroup(world);
    world.credential = { subscriptionId: OTHER_SUBSCRIPTION };
    await annotate(world, { [POLICY]: 'skip' });
    expect(ready(world)).toMatchObject({ severity: 'Error', reason: 'SubscriptionMismatch' });
  }));
  row('GET', 'skip and 404: AzureResourceNotFound', inWorld(async (world) => {
    await createdGroup(world, { [POLICY]: 'skip' });
    expect(ready(world)).toMatchObject({ severity: 'Warning', reason: 'AzureResourceNotFound', message: expect.stringContaining(GROUP_ID) });
  }));
  row('GET', 'manage and 404: Failed, token cleared', inWorld(async (world) => {
    world.azure.polls = 1;
    await createdGroup(world);
    operation(world, { body: { status: 'Succeeded' } });
    world.azure.resources.clear();
    await world.clock.advance(1_000);
    expect(ready(world)).toMatchObject({ severity: 'Warning', reason: 'Failed', message: expect.stringMatching(/^error updating status: /) });
    expect(noted(world, POLLER_TOKEN)).toBeUndefined();
  }));
  row('GET', 'manage and 404 (better: looked for again before anything is sent again)', inWorld(async (world) => {
    const giveBack = answering(world, 'GET', { status: 404, body: failing('ResourceNotFound') }, GROUP_ID);
    await createdGroup(world);
    expect(ready(world)).toMatchObject({ severity: 'Warning', reason: 'Failed' });
    giveBack();
    await world.clock.advance(1_000);
    expect(ready(world)).toMatchObject({ status: 'True' });
    expect(world.azure.count('PUT')).toBe(1);
  }));
  row('GET', 'manage and 404: what is really gone is sent again', inWorld(async (world) => {
    let lost = true;
    world.azure.after = ({ method }) => {
      if (method === 'PUT' && lost) world.azure.resources.clear();
      lost &&= method !== 'PUT';
    };
    await createdGroup(world);
    await world.clock.advance(1_000);
    expect([ready(world)!.status, world.azure.count('PUT')]).toEqual(['True', 2]);
  }));
  const endpoint = async (world: World) => {
    world.types.push(ENDPOINTS);
    await readyGroup(world);
    answering(world, 'GET', { body: { properties: { manualPrivateLinkServiceConnections: [{ id: 'c' }] } } }, 'privateEndpoints');
    answering(world, 'PUT', { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x' } }, 'privateEndpoints');
    operation(world, { body: { status: 'Succeeded' } });
    await world.cluster.create(ENDPOINTS, object(ENDPOINTS, 'pe', { location: 'x', owner: { name: 'rg' } }));
    await world.clock.advance(1_000);
    return world.stored(ENDPOINTS, 'pe')!;
  };
  row('post-check', 'PostReconciliationFailure; the token is kept, so no PUT is repeated', inWorld(async (world) => {
    const pe = await endpoint(world);
    expect(world.ready(ENDPOINTS, 'pe')).toMatchObject({ severity: 'Warning', reason: 'PostReconciliationFailure' });
    expect(annotation(pe, POLLER_TOKEN)).toBeDefined();
    await world.clock.advance(10_000);
    expect(world.azure.count('PUT', '/pe')).toBe(1);
  }));
  row('exports', 'a foreign target: Error FailedWritingAdditionalKubernetesObjects', inWorld(async (world) => {
    await world.cluster.create(CONFIG_MAPS, configMap('out', {}));
    await inReadyGroup(world, IDENTITIES, exporting);
    expect(world.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Error', reason: 'FailedWritingAdditionalKubernetesObjects' });
  }));
  row('exports', 'written', inWorld(async (world) => {
    await inReadyGroup(world, IDENTITIES, exporting);
    expect(world.stored(CONFIG_MAPS, 'out')).toMatchObject({ data: { k: 'westeurope' } });
  }));
  row('hook', 'an error is Warning Failed', inWorld(async (world) => {
    world.types.push(ALIASES);
    await world.cluster.create(ALIASES, object(ALIASES, 'sub', { properties: { displayName: 'x' } }));
    await world.start();
    expect(world.ready(ALIASES, 'sub')).toMatchObject({ severity: 'Warning', reason: 'Failed', message: expect.stringContaining('subscriptionId') });
  }));
  row('poller', 'annotations cleared', inWorld(async (world) => {
    world.azure.polls = 1;
    await createdGroup(world);
    await world.clock.advance(1_000);
    expect([noted(world, POLLER_TOKEN), noted(world, POLLER_ID)]).toEqual([undefined, undefined]);
  }));
  row('HEAD', 'kinds without GET; an empty status (better: 404 is absent)', inWorld(async (world) => {
    world.types.push(PRODUCT_APIS);
    const product = `${GROUP_ID}/providers/Microsoft.ApiManagement/service/apim/products/p`;
    let status = 404;
    world.azure.intercept = ({ method }) => (method === 'HEAD' ? { status } : undefined);
    const api = object(PRODUCT_APIS, 'api', { owner: { armId: product } }, { [POLICY]: 'skip' });
    await world.cluster.create(PRODUCT_APIS, api);
    await world.start();
    expect(world.ready(PRODUCT_APIS, 'api')).toMatchObject({ reason: 'AzureResourceNotFound' });
    status = 204;
    await world.clock.advance(1_000);
    expect(world.stored(PRODUCT_APIS, 'api')!.status).toEqual({ conditions: [expect.objectContaining({ status: 'True' })] });
  }));
});
