import {
  account, AGENT_POOLS, answering, configMap, createdGroup, deleted, edit, ENDPOINTS, failing, HOUR, inReadyGroup, OTHER_SUBSCRIPTION, POLICY,
  readyGroup, refusedGroup, server, SERVERS, waits,
} from './arrange';
import { inWorld, table } from './table';
import { afterPreCheck } from '../../controller/reconcile/core/apply';
import { readyOf, RECONCILING, SUCCEEDED, withReady, type ReadyState } from '../../controller/reconcile/core/conditions';
import type { Observed } from '../../controller/reconcile/core/observed';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { Catalog } from '../../src/catalog';
import { crdManifest } from '../../src/catalog/crd';
import { settled } from '../reconcile/fake-clock';
import { ACCOUNTS, BLOBS, CONFIG_MAPS, group, GROUP_ID, GROUPS, IDENTITIES, identity, object, ROLES, type World } from '../reconcile/harness';

const ready = (world: World) => world.ready(GROUPS, 'rg');
const child = (world: World) => world.ready(IDENTITIES, 'id');

/** A condition of an object of generation 1, and what becomes of it. */
function overwritten(old: ReadyState | undefined, next: ReadyState, more: { generation?: number; reasonAware?: boolean } = {}) {
  const elements = [{ type: 'Other', status: 'True' as const, reason: 'R', message: '' }, ...(old ? [{ type: 'Ready', ...old, observedGeneration: 1 }] : [])];
  const conditions = elements.map((element) => ({ ...element, lastTransitionTime: '2020-01-01T00:00:00Z' }));
  const before: KubernetesObject = { apiVersion: 'x/v1', kind: 'X', metadata: { name: 'x', generation: more.generation ?? 1 }, status: { conditions } };
  const after = withReady(before, next, Date.parse('2026-01-02T03:04:05.678Z'), more.reasonAware);
  return { written: after !== before, condition: readyOf(after)!, types: after.status!.conditions!.map(({ type }) => type) };
}
const state = (status: ReadyState['status'], severity: ReadyState['severity'], reason: string, message = ''): ReadyState => ({ status, severity, reason, message });
const WARNING = state('False', 'Warning', 'Failed', 'oh');
const ERROR = state('False', 'Error', 'Broken', 'no');
const UNKNOWN = state('Unknown', undefined, 'Unknown');

table('docs/spec/conditions.md#fields', (row) => {
  row('type', 'one element, Ready', inWorld(async (world) => {
    await readyGroup(world);
    await edit(world, { tags: { a: 'b' } });
    expect(world.stored(GROUPS, 'rg')!.status!.conditions!.map(({ type }) => type)).toEqual(['Ready']);
  }));
  row('status', 'True, False', inWorld(async (world) => {
    world.azure.polls = 1;
    await createdGroup(world);
    expect(ready(world)!.status).toBe('False');
    await world.clock.advance(1_000);
    expect(ready(world)!.status).toBe('True');
  }));
  row('severity', 'omitted when True, else Error, Warning or Info', inWorld(async (world) => {
    const giveBack = answering(world, 'PUT', { status: 409, body: failing('Conflict') });
    await createdGroup(world);
    expect(ready(world)!.severity).toBe('Warning');
    giveBack();
    await world.clock.advance(1_000);
    expect(ready(world)).not.toHaveProperty('severity');
  }));
  row('lastTransitionTime', 'whole seconds, UTC (better: it moves only when status, severity, reason or message change)', inWorld(async (world) => {
    await world.clock.advance(1_234);
    await readyGroup(world);
    expect(ready(world)!.lastTransitionTime).toBe('2026-01-01T00:00:01Z');
    world.azure.meddle(GROUP_ID, { location: 'elsewhere' });
    await world.clock.advance(HOUR);
    expect(world.azure.count('PUT')).toBe(2);
    await edit(world, { tags: { a: 'b' } });
    await world.clock.advance(10_000);
    expect(ready(world)).toMatchObject({ observedGeneration: 2, lastTransitionTime: expect.stringMatching(/^2026-01-01T0[01]:\d\d:\d\dZ$/) });
  }));
  row('observedGeneration', 'the generation at the time of writing', inWorld(async (world) => {
    await readyGroup(world);
    expect(ready(world)!.observedGeneration).toBe(1);
    await edit(world, { tags: { a: 'b' } });
    expect(ready(world)!.observedGeneration).toBe(2);
  }));
  row('reason', 'one of section 2', inWorld(async (world) => {
    await readyGroup(world);
    expect(ready(world)!.reason).toBe('Succeeded');
  }));
  row('message', 'the text of the cause alone; none when True', inWorld(async (world) => {
    const giveBack = answering(world, 'PUT', { status: 409, body: failing('Conflict', 'the cause') });
    await createdGroup(world);
    expect(ready(world)!.message).toBe('the cause');
    giveBack();
    await world.clock.advance(1_000);
    expect(ready(world)!.message ?? '').toBe('');
  }));
});

table('docs/spec/conditions.md#meanings', (row) => {
  row('done', 'True', inWorld(async (world) => {
    await readyGroup(world);
    expect(ready(world)).toMatchObject({ status: 'True' });
  }));
  row('working', 'False, Info', inWorld(async (world) => {
    world.azure.polls = 9;
    await createdGroup(world);
    expect(ready(world)).toMatchObject({ status: 'False', severity: 'Info' });
  }));
  row('will be retried', 'False, Warning, and the time of the next pass', inWorld(async (world) => {
    await refusedGroup(world, 409, failing('Conflict'));
    expect(ready(world)).toMatchObject({ status: 'False', severity: 'Warning' });
    expect(waits(world).at(-1)).toBe(1_000);
  }));
  row('will not be retried', 'False, Error (better: only not before the next sync)', inWorld(async (world) => {
    await refusedGroup(world, 400, failing('LocationRequired'));
    expect(ready(world)).toMatchObject({ status: 'False', severity: 'Error' });
    expect(waits(world).at(-1)).toBe(HOUR);
  }));
});

table('docs/spec/conditions.md#display', (row) => {
  row('printer columns', 'Ready, Severity, Reason, Message; categories azure and the group', () => {
    for (const kind of Catalog.default().allKinds.filter((_, index) => index % 25 === 0)) {
      const { spec } = crdManifest(kind);
      expect(spec.names.categories).toEqual(['azure', kind.group.split('.')[0]]);
      expect(spec.versions[0].additionalPrinterColumns!.map(({ name }) => name)).toEqual(['Ready', 'Severity', 'Reason', 'Message']);
      expect(spec.versions[0].additionalPrinterColumns![1].jsonPath).toBe(".status.conditions[?(@.type=='Ready')].severity");
    }
  });
  row('error chains', 'from outermost to innermost, joined by colons', inWorld(async (world) => {
    await inReadyGroup(world, IDENTITIES, identity('id', { owner: { name: 'rg' } }));
    await world.cluster.create(ACCOUNTS, account({ networkAcls: { defaultAction: 'Deny', virtualNetworkRules: [{ reference: { group: IDENTITIES.group, kind: 'UserAssignedIdentity', name: 'no' } }] } }));
    await settled();
    expect(world.ready(ACCOUNTS, 'sa')!.message).toMatch(/^couldn't resolve reference default\/no: default\/no does not exist \(.*\)$/);
  }));
});

table('docs/spec/conditions.md#reasons', (row) => {
  const shows = (world: World, severity: string | undefined, reason: string, message?: unknown) =>
    expect(ready(world)).toMatchObject({ reason, ...(severity ? { severity } : { status: 'True' }), ...(message ? { message } : {}) });
  row('Succeeded', 'in sync', inWorld(async (world) => {
    await readyGroup(world);
    shows(world, undefined, 'Succeeded');
  }));
  row('Reconciling', 'Info, with its message', inWorld(async (world) => {
    world.azure.polls = 9;
    await createdGroup(world);
    shows(world, 'Info', 'Reconciling', 'The resource is in the process of being reconciled by the operator');
  }));
  row('Deleting', 'Info, with its message', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', { status: 202, headers: { location: 'https://arm.test/operations/x' } });
    await deleted(world);
    shows(world, 'Info', 'Deleting', 'The resource is being deleted');
  }));
  row('WaitingForOwner', 'Warning, Fast', inWorld(async (world) => {
    await world.cluster.create(IDENTITIES, identity());
    await world.start();
    expect(child(world)).toMatchObject({ severity: 'Warning', reason: 'WaitingForOwner' });
    await world.clock.advance(100_000);
    expect(waits(world).slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  }));
  const waiting = (name: 'ReferenceNotFound' | 'SecretNotFound' | 'ConfigMapNotFound', spec: Record<string, unknown>, type = ROLES) =>
    row(name, 'Warning, Fast', inWorld(async (world) => {
      await inReadyGroup(world, type, type === ROLES ? object(ROLES, 'x', { owner: { group: GROUPS.group, kind: 'ResourceGroup', name: 'rg' }, ...spec }) : object(type, 'x', spec));
      expect(world.ready(type, 'x')).toMatchObject({ status: 'False', severity: 'Warning', reason: name });
      const since = world.passes.length;
      await world.clock.advance(130_000);
      expect(waits(world).slice(since, since + 6)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    }));
  const role = { roleDefinitionReference: { wellKnownName: 'Reader' } };
  waiting('ReferenceNotFound', { ...role, principalId: '00000000-0000-0000-0000-000000000001', roleDefinitionReference: { group: 'authorization.azure.com', kind: 'RoleAssignment', name: 'no' } });
  row('SecretNotFound', 'Warning, Fast', inWorld(async (world) => {
    world.types.push(SERVERS);
    await inReadyGroup(world, SERVERS, server());
    expect(world.ready(SERVERS, 'db')).toMatchObject({ severity: 'Warning', reason: 'SecretNotFound' });
    expect(waits(world).at(-1)).toBe(1_000);
    await world.clock.advance(7_000);
    expect(waits(world).at(-1)).toBe(8_000);
  }));
  waiting('ConfigMapNotFound', { ...role, principalIdFromConfig: { name: 'no', key: 'id' } });
  row('AzureResourceNotFound', 'policy skip and 404; Warning, Slow', inWorld(async (world) => {
    await createdGroup(world, { [POLICY]: 'skip' });
    shows(world, 'Warning', 'AzureResourceNotFound');
    await world.clock.advance(600_000);
    expect(waits(world).slice(5, 10)).toEqual([32_000, 64_000, 128_000, 180_000, 180_000]);
  }));
  row('SubscriptionMismatch', 'Error', inWorld(async (world) => {
    await readyGroup(world);
    world.credential = { subscriptionId: OTHER_SUBSCRIPTION };
    await edit(world, { tags: {} });
    shows(world, 'Error', 'SubscriptionMismatch');
  }));
  row('FailedWritingAdditionalKubernetesObjects', 'Error: the ConfigMap is not ours', inWorld(async (world) => {
    await readyGroup(world);
    await world.cluster.create(CONFIG_MAPS, configMap('out', {}));
    await world.cluster.create(IDENTITIES, identity('id', { operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value: 'self.spec.location' }] } }));
    await settled();
    expect(child(world)).toMatchObject({ severity: 'Error', reason: 'FailedWritingAdditionalKubernetesObjects' });
  }));
  row('ReconciliationBlocked', 'the owner is in a state that takes no changes; Warning, Slow', inWorld(async (world) => {
    world.types.push(AGENT_POOLS);
    const cluster = `${GROUP_ID}/providers/Microsoft.ContainerService/managedClusters/c`;
    world.azure.resources.set(cluster.toLowerCase(), { body: { id: cluster }, polls: 9 });
    await world.cluster.create(AGENT_POOLS, object(AGENT_POOLS, 'pool', { owner: { armId: cluster } }));
    await world.start();
    const message = `owner "${cluster}" is in state "Creating" and takes no changes now`;
    expect(world.ready(AGENT_POOLS, 'pool')).toMatchObject({ severity: 'Warning', reason: 'ReconciliationBlocked', message });
    expect(world.passes.at(-1)!.result).toMatchObject({ failure: { retry: 'slow' } });
    expect(world.azure.count('PUT')).toBe(0);
  }));
  row('ReconciliationPostponed', 'reserved: a check that postpones ends the pass as a success, without a condition of its own', inWorld(async (world) => {
    await readyGroup(world);
    const before = world.stored(GROUPS, 'rg')!;
    const { observed, action } = afterPreCheck({ object: before } as Observed, { kind: 'postpone' });
    expect(action).toEqual({ do: 'finish', result: { kind: 'success' } });
    expect(observed.object).toBe(before);
  }));
  row('PostReconciliationFailure', 'a private endpoint whose connection waits for approval; Warning, Slow', inWorld(async (world) => {
    world.types.push(ENDPOINTS);
    await readyGroup(world);
    const connection = { id: 'c', properties: { privateLinkServiceConnectionState: { status: 'Pending' } } };
    answering(world, 'GET', { body: { properties: { manualPrivateLinkServiceConnections: [connection] } } }, 'privateEndpoints');
    await world.cluster.create(ENDPOINTS, object(ENDPOINTS, 'pe', { location: 'x', owner: { name: 'rg' } }));
    await settled();
    expect(world.ready(ENDPOINTS, 'pe')).toMatchObject({ severity: 'Warning', reason: 'PostReconciliationFailure', message: expect.stringContaining('approval') });
    expect(world.passes.at(-1)!.result).toMatchObject({ failure: { retry: 'slow' } });
  }));
  row('DeletionNotSupportedInAzure', 'Warning, VerySlow', inWorld(async (world) => {
    await world.cluster.create(BLOBS, object(BLOBS, 'blob', { owner: { armId: `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/sa` } }));
    await world.start();
    await deleted(world, BLOBS, 'blob');
    expect(world.ready(BLOBS, 'blob')).toMatchObject({ severity: 'Warning', reason: 'DeletionNotSupportedInAzure' });
    expect(waits(world).at(-1)).toBe(HOUR);
  }));
  row('ReconciliationFailedPermanently', 'reserved: no refusal shows it', inWorld(async (world) => {
    await refusedGroup(world, 400, failing('PropertyChangeNotAllowed'));
    shows(world, 'Error', 'PropertyChangeNotAllowed');
  }));
  row('Failed', 'Error where stated: a resource group without a name that ARM takes', inWorld(async (world) => {
    await world.cluster.create(GROUPS, { ...group(), spec: { location: 'x', azureName: 'a/b' } });
    await world.start();
    shows(world, 'Error', 'Failed');
  }));
  row('Failed', 'Warning, Slow for what nobody has classified', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'GET', { status: 404, body: failing('NotFound') }, GROUP_ID);
    await edit(world, { tags: { a: 'b' } });
    shows(world, 'Warning', 'Failed', expect.stringMatching(/^error updating status/));
    expect(world.passes.at(-1)!.result).toMatchObject({ failure: { retry: 'slow' } });
  }));
  row('UnknownError', 'an error without a code; Warning, Slow', inWorld(async (world) => {
    await refusedGroup(world, 409, { error: {} });
    shows(world, 'Warning', 'UnknownError', 'There was an unknown deployment error');
    expect(waits(world)).toEqual([1_000]);
  }));
  row('any Azure error code', 'verbatim', inWorld(async (world) => {
    await refusedGroup(world, 409, failing('SomethingThatNobodyKnows', 'text'));
    shows(world, 'Warning', 'SomethingThatNobodyKnows', 'text');
  }));
});


table('docs/spec/conditions.md#overwrite-rules', (row) => {
  row('no old element', 'appended, the others keep their place', () => {
    expect(overwritten(undefined, RECONCILING)).toMatchObject({ written: true, types: ['Other', 'Ready'], condition: { lastTransitionTime: '2026-01-02T03:04:05Z' } });
  });
  row('newer generation', 'written, whatever the priority', () => {
    expect(overwritten(SUCCEEDED, RECONCILING, { generation: 2 }).written).toBe(true);
    expect(overwritten(ERROR, UNKNOWN, { generation: 2 }).written).toBe(true);
  });
  row('equal but for the time', 'kept, the time too', () => expect(overwritten(WARNING, WARNING)).toMatchObject({ written: false, condition: { lastTransitionTime: '2020-01-01T00:00:00Z' } }));
  row('priority', 'equal or higher is written', () => {
    expect(overwritten(WARNING, ERROR).written).toBe(true);
    expect(overwritten(ERROR, SUCCEEDED).written).toBe(true);
    expect(overwritten(SUCCEEDED, WARNING).written).toBe(true);
  });
  row('reason priority', 'counts in reason-aware mode alone', () => {
    const waiting = state('False', 'Warning', 'WaitingForOwner');
    expect(overwritten(waiting, RECONCILING).written).toBe(false);
    expect(overwritten(waiting, RECONCILING, { reasonAware: true }).written).toBe(true);
  });
  row('otherwise', 'kept', () => expect(overwritten(WARNING, RECONCILING, { reasonAware: true })).toMatchObject({ written: false, condition: { reason: 'Failed' } }));
});

table('docs/spec/conditions.md#priorities', (row) => {
  row('True', '5: not replaced by Info or Unknown', () => expect([RECONCILING, UNKNOWN].map((next) => overwritten(SUCCEEDED, next).written)).toEqual([false, false]));
  row('False but Info', '5: Error, Warning and no severity alike', () => {
    const bare = state('False', undefined, 'Bare');
    const equal = [ERROR, WARNING, bare];
    for (const old of equal) {
      const next = [...equal.filter((other) => other !== old), RECONCILING];
      expect(next.map((condition) => overwritten(old, condition).written)).toEqual([true, true, false]);
    }
  });
  row('False and Info', '4: over Unknown, under the rest', () => expect([WARNING, UNKNOWN].map((next) => overwritten(RECONCILING, next).written)).toEqual([true, false]));
  row('Unknown', '3: under everything', () => expect([RECONCILING, WARNING, SUCCEEDED].map((next) => overwritten(UNKNOWN, next).written)).toEqual([true, true, true]));
});

table('docs/spec/conditions.md#reason-priorities', (row) => {
  const replaced = (reason: string) => overwritten(state('False', 'Warning', reason), RECONCILING, { reasonAware: true }).written;
  row('waiting', '-2: Reconciling replaces each of them', () => {
    expect(['ReferenceNotFound', 'SecretNotFound', 'ConfigMapNotFound', 'AzureResourceNotFound', 'WaitingForOwner'].map(replaced)).toEqual(Array(5).fill(true));
  });
  row('Reconciling', '-1: does not replace itself with another severity', () => expect(replaced('Reconciling')).toBe(false));
  row('all others', '0: stay', () => expect(['Failed', 'AuthorizationFailed', 'ReconciliationBlocked', 'CredentialNotFound'].map(replaced)).toEqual(Array(4).fill(false)));
});

table('docs/spec/conditions.md#overwrite-examples', (row) => {
  row('periodic sync', 'True stays True during the sync', inWorld(async (world) => {
    await readyGroup(world);
    world.azure.polls = 3;
    world.azure.meddle(GROUP_ID, { location: 'elsewhere' });
    await world.clock.advance(HOUR + 1);
    expect(world.azure.count('PUT')).toBe(2);
    expect(ready(world)).toMatchObject({ status: 'True' });
  }));
  row('spec changed', 'Reconciling replaces anything', inWorld(async (world) => {
    await readyGroup(world);
    world.azure.polls = 9;
    await edit(world, { tags: {} });
    expect(ready(world)).toMatchObject({ severity: 'Info', reason: 'Reconciling', observedGeneration: 2 });
  }));
  row('retry after a Warning', 'the Warning stays until the outcome is known', inWorld(async (world) => {
    const giveBack = answering(world, 'PUT', { status: 409, body: failing('Conflict') });
    await createdGroup(world);
    giveBack();
    world.azure.polls = 3;
    await world.clock.advance(1_000);
    expect(world.azure.count('PUT')).toBe(2);
    expect(ready(world)).toMatchObject({ severity: 'Warning', reason: 'Conflict' });
  }));
  row('checks now pass', 'WaitingForOwner becomes Reconciling before the PUT', inWorld(async (world) => {
    await world.cluster.create(IDENTITIES, identity());
    await world.start();
    world.azure.intercept = ({ method, url }) =>
      (method === 'PUT' && url.includes('userAssignedIdentities') ? { status: 202, headers: { location: 'https://arm.test/operations/x' } } : undefined);
    await world.cluster.create(GROUPS, group());
    await settled();
    expect(child(world)).toMatchObject({ severity: 'Info', reason: 'Reconciling' });
  }));
  row('delete of a Ready object', 'Deleting replaces True', inWorld(async (world) => {
    await readyGroup(world);
    answering(world, 'DELETE', { status: 202, headers: { location: 'https://arm.test/operations/x' } });
    await deleted(world);
    expect(ready(world)).toMatchObject({ severity: 'Info', reason: 'Deleting' });
  }));
  row('status refreshed', 'the rest of the status is replaced (better: the conditions stay, and so do their times)', inWorld(async (world) => {
    await readyGroup(world);
    const before = ready(world);
    answering(world, 'GET', { body: { location: 'elsewhere', properties: {} } }, GROUP_ID);
    await world.clock.advance(HOUR);
    expect(world.stored(GROUPS, 'rg')!.status).toEqual({ id: GROUP_ID, location: 'elsewhere', properties: {}, conditions: [before] });
  }));
});
