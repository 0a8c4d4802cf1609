import {
  account,
  AGENT_POOLS,
  answering,
  configMap,
  createdGroup,
  deleted,
  edit,
  ENDPOINTS,
  failing,
  HOUR,
  inReadyGroup,
  OTHER_SUBSCRIPTION,
  POLICY,
  readyGroup,
  refusedGroup,
  server,
  SERVERS,
  waits,
} from './arrange';
import { inEnvironment, table } from './table';
import { afterPreCheck } from '../../controller/reconcile/core/apply';
import { readyOf, RECONCILING, SUCCEEDED, withReady, type ReadyState } from '../../controller/reconcile/core/conditions';
import type { Observed } from '../../controller/reconcile/core/observed';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { Catalog } from '../../src/catalog';
import { crdManifest } from '../../src/catalog/crd';
import { settled } from '../controller/reconcile/fake-clock';
import {
  ACCOUNTS,
  BLOBS,
  CONFIG_MAPS,
  group,
  GROUP_ID,
  GROUPS,
  IDENTITIES,
  identity,
  object,
  ROLES,
  type TestEnvironment,
} from '../controller/reconcile/harness';

const ready = (environment: TestEnvironment) => environment.ready(GROUPS, 'rg');
const child = (environment: TestEnvironment) => environment.ready(IDENTITIES, 'id');

/** A condition of an object of generation 1, and what becomes of it. */
function overwritten(old: ReadyState | undefined, next: ReadyState, more: { generation?: number; reasonAware?: boolean } = {}) {
  const elements = [
    { type: 'Other', status: 'True' as const, reason: 'R', message: '' },
    ...(old ? [{ type: 'Ready', ...old, observedGeneration: 1 }] : []),
  ];
  const conditions = elements.map((element) => ({ ...element, lastTransitionTime: '2020-01-01T00:00:00Z' }));
  const before: KubernetesObject = {
    apiVersion: 'x/v1',
    kind: 'X',
    metadata: { name: 'x', generation: more.generation ?? 1 },
    status: { conditions },
  };
  const after = withReady(before, next, Date.parse('2026-01-02T03:04:05.678Z'), more.reasonAware);
  return { written: after !== before, condition: readyOf(after)!, types: after.status!.conditions!.map(({ type }) => type) };
}
const state = (status: ReadyState['status'], severity: ReadyState['severity'], reason: string, message = ''): ReadyState => ({
  status,
  ...(severity === undefined ? {} : { severity }),
  reason,
  message,
});
const WARNING = state('False', 'Warning', 'Failed', 'oh');
const ERROR = state('False', 'Error', 'Broken', 'no');
const UNKNOWN = state('Unknown', undefined, 'Unknown');

table('docs/spec/conditions.md#fields', (row) => {
  row(
    'type',
    'one element, Ready',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await edit(environment, { tags: { a: 'b' } });
      expect(environment.stored(GROUPS, 'rg')!.status!.conditions!.map(({ type }) => type)).toEqual(['Ready']);
    }),
  );
  row(
    'status',
    'True, False',
    inEnvironment(async (environment) => {
      environment.azure.polls = 1;
      await createdGroup(environment);
      expect(ready(environment)!.status).toBe('False');
      await environment.clock.advance(1_000);
      expect(ready(environment)!.status).toBe('True');
    }),
  );
  row(
    'severity',
    'omitted when True, else Error, Warning or Info',
    inEnvironment(async (environment) => {
      const giveBack = answering(environment, 'PUT', { status: 409, body: failing('Conflict') });
      await createdGroup(environment);
      expect(ready(environment)!.severity).toBe('Warning');
      giveBack();
      await environment.clock.advance(1_000);
      expect(ready(environment)).not.toHaveProperty('severity');
    }),
  );
  row(
    'lastTransitionTime',
    'whole seconds, UTC (better: it moves only when status, severity, reason or message change)',
    inEnvironment(async (environment) => {
      await environment.clock.advance(1_234);
      await readyGroup(environment);
      expect(ready(environment)!.lastTransitionTime).toBe('2026-01-01T00:00:01Z');
      environment.azure.meddle(GROUP_ID, { location: 'elsewhere' });
      await environment.clock.advance(HOUR);
      expect(environment.azure.count('PUT')).toBe(2);
      await edit(environment, { tags: { a: 'b' } });
      await environment.clock.advance(10_000);
      expect(ready(environment)).toMatchObject({
        observedGeneration: 2,
        lastTransitionTime: expect.stringMatching(/^2026-01-01T0[01]:\d\d:\d\dZ$/),
      });
    }),
  );
  row(
    'observedGeneration',
    'the generation at the time of writing',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(ready(environment)!.observedGeneration).toBe(1);
      await edit(environment, { tags: { a: 'b' } });
      expect(ready(environment)!.observedGeneration).toBe(2);
    }),
  );
  row(
    'reason',
    'one of section 2',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(ready(environment)!.reason).toBe('Succeeded');
    }),
  );
  row(
    'message',
    'the text of the cause alone; none when True',
    inEnvironment(async (environment) => {
      const giveBack = answering(environment, 'PUT', { status: 409, body: failing('Conflict', 'the cause') });
      await createdGroup(environment);
      expect(ready(environment)!.message).toBe('the cause');
      giveBack();
      await environment.clock.advance(1_000);
      expect(ready(environment)!.message ?? '').toBe('');
    }),
  );
});

table('docs/spec/conditions.md#meanings', (row) => {
  row('done', 'True', inEnvironment(async (environment) => {
    await readyGroup(environment);
    expect(ready(environment)).toMatchObject({ status: 'True' });
  }));
  row('working', 'False, Info', inEnvironment(async (environment) => {
    environment.azure.polls = 9;
    await createdGroup(environment);
    expect(ready(environment)).toMatchObject({ status: 'False', severity: 'Info' });
  }));
  row('will be retried', 'False, Warning, and the time of the next reconcile', inEnvironment(async (environment) => {
    await refusedGroup(environment, 409, failing('Conflict'));
    expect(ready(environment)).toMatchObject({ status: 'False', severity: 'Warning' });
    expect(waits(environment).at(-1)).toBe(1_000);
  }));
  row('will not be retried', 'False, Error (better: only not before the next sync)', inEnvironment(async (environment) => {
    await refusedGroup(environment, 400, failing('LocationRequired'));
    expect(ready(environment)).toMatchObject({ status: 'False', severity: 'Error' });
    expect(waits(environment).at(-1)).toBe(HOUR);
  }));
});

table('docs/spec/conditions.md#display', (row) => {
  row('printer columns', 'Ready, Severity, Reason, Message; categories azure and the group', () => {
    for (const kind of Catalog.default().allKinds.filter((_, index) => index % 25 === 0)) {
      const { spec } = crdManifest(kind);
      expect(spec.names.categories).toEqual(['azure', kind.group.split('.')[0]]);
      expect(spec.versions[0]!.additionalPrinterColumns!.map(({ name }) => name)).toEqual(['Ready', 'Severity', 'Reason', 'Message']);
      expect(spec.versions[0]!.additionalPrinterColumns![1]?.jsonPath).toBe(".status.conditions[?(@.type=='Ready')].severity");
    }
  });
  row(
    'error chains',
    'from outermost to innermost, joined by colons',
    inEnvironment(async (environment) => {
      await inReadyGroup(environment, IDENTITIES, identity('id', { owner: { name: 'rg' } }));
      await environment.cluster.create(
        ACCOUNTS,
        account({
          networkAcls: {
            defaultAction: 'Deny',
            virtualNetworkRules: [{ reference: { group: IDENTITIES.group, kind: 'UserAssignedIdentity', name: 'no' } }],
          },
        }),
      );
      await settled();
      expect(environment.ready(ACCOUNTS, 'sa')!.message).toMatch(
        /^failed resolving ARM IDs for references: couldn't resolve reference default\/no: default\/no does not exist \(.*\)$/,
      );
    }),
  );
});

table('docs/spec/conditions.md#reasons', (row) => {
  const shows = (environment: TestEnvironment, severity: string | undefined, reason: string, message?: unknown) =>
    expect(ready(environment)).toMatchObject({
      reason,
      ...(severity ? { severity } : { status: 'True' }),
      ...(message ? { message } : {}),
    });
  row(
    'Succeeded',
    'in sync',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      shows(environment, undefined, 'Succeeded');
    }),
  );
  row(
    'Reconciling',
    'Info, with its message',
    inEnvironment(async (environment) => {
      environment.azure.polls = 9;
      await createdGroup(environment);
      shows(environment, 'Info', 'Reconciling', 'The resource is in the process of being reconciled by the operator');
    }),
  );
  row(
    'Deleting',
    'Info, with its message',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      answering(environment, 'DELETE', { status: 202, headers: { location: 'https://arm.test/operations/x' } });
      await deleted(environment);
      shows(environment, 'Info', 'Deleting', 'The resource is being deleted');
    }),
  );
  row(
    'WaitingForOwner',
    'Warning, Fast',
    inEnvironment(async (environment) => {
      await environment.cluster.create(IDENTITIES, identity());
      await environment.start();
      expect(child(environment)).toMatchObject({ severity: 'Warning', reason: 'WaitingForOwner' });
      await environment.clock.advance(70_000);
      expect(waits(environment)).toEqual([30_000, 30_000, 30_000]);
    }),
  );
  const waiting = (name: 'ReferenceNotFound' | 'SecretNotFound' | 'ConfigMapNotFound', spec: Record<string, unknown>, type = ROLES) =>
    row(
      name,
      'Warning, Fast',
      inEnvironment(async (environment) => {
        await inReadyGroup(
          environment,
          type,
          type === ROLES
            ? object(ROLES, 'x', { owner: { group: GROUPS.group, kind: 'ResourceGroup', name: 'rg' }, ...spec })
            : object(type, 'x', spec),
        );
        expect(environment.ready(type, 'x')).toMatchObject({ status: 'False', severity: 'Warning', reason: name });
        const since = environment.reconciles.length;
        await environment.clock.advance(130_000);
        expect(waits(environment).slice(since, since + 6)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
      }),
    );
  const role = { roleDefinitionReference: { wellKnownName: 'Reader' } };
  waiting('ReferenceNotFound', {
    ...role,
    principalId: '00000000-0000-0000-0000-000000000001',
    roleDefinitionReference: { group: 'authorization.azure.com', kind: 'RoleAssignment', name: 'no' },
  });
  row(
    'SecretNotFound',
    'Warning, Fast',
    inEnvironment(async (environment) => {
      environment.types.push(SERVERS);
      await inReadyGroup(environment, SERVERS, server());
      expect(environment.ready(SERVERS, 'db')).toMatchObject({ severity: 'Warning', reason: 'SecretNotFound' });
      expect(waits(environment).at(-1)).toBe(1_000);
      await environment.clock.advance(7_000);
      expect(waits(environment).at(-1)).toBe(8_000);
    }),
  );
  waiting('ConfigMapNotFound', { ...role, principalIdFromConfig: { name: 'no', key: 'id' } });
  row(
    'AzureResourceNotFound',
    'policy skip and 404; Warning, Slow, then as rarely as a sync',
    inEnvironment(async (environment) => {
      await createdGroup(environment, { [POLICY]: 'skip' });
      shows(environment, 'Warning', 'AzureResourceNotFound');
      await environment.clock.advance(1_100_000);
      expect(waits(environment).slice(5, 10)).toEqual([32_000, 64_000, 128_000, 256_000, 512_000]);
    }),
  );
  row(
    'SubscriptionMismatch',
    'Error',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.credential = { subscriptionId: OTHER_SUBSCRIPTION };
      await edit(environment, { tags: { edited: 'x' } });
      shows(environment, 'Error', 'SubscriptionMismatch');
    }),
  );
  row(
    'FailedWritingAdditionalKubernetesObjects',
    'Error: the ConfigMap is not ours',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await environment.cluster.create(CONFIG_MAPS, configMap('out', {}));
      await environment.cluster.create(
        IDENTITIES,
        identity('id', { operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value: 'self.spec.location' }] } }),
      );
      await settled();
      expect(child(environment)).toMatchObject({ severity: 'Error', reason: 'FailedWritingAdditionalKubernetesObjects' });
    }),
  );
  row(
    'ReconciliationBlocked',
    'the owner is in a state that takes no changes; Warning, Slow',
    inEnvironment(async (environment) => {
      environment.types.push(AGENT_POOLS);
      const cluster = `${GROUP_ID}/providers/Microsoft.ContainerService/managedClusters/c`;
      environment.azure.resources.set(cluster.toLowerCase(), { body: { id: cluster }, polls: 9 });
      await environment.cluster.create(AGENT_POOLS, object(AGENT_POOLS, 'pool', { owner: { armId: cluster } }));
      await environment.start();
      const message = `owner "${cluster}" is in state "Creating" and takes no changes now`;
      expect(environment.ready(AGENT_POOLS, 'pool')).toMatchObject({ severity: 'Warning', reason: 'ReconciliationBlocked', message });
      expect(environment.reconciles.at(-1)!.result).toMatchObject({ failure: { retry: 'slow' } });
      expect(environment.azure.count('PUT')).toBe(0);
    }),
  );
  row(
    'ReconciliationPostponed',
    'reserved: a check that postpones ends the reconcile as a success, without a condition of its own',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      const before = environment.stored(GROUPS, 'rg')!;
      const { observed, action } = afterPreCheck({ object: before } as Observed, { kind: 'postpone' });
      expect(action).toEqual({ do: 'finish', result: { kind: 'success' } });
      expect(observed.object).toBe(before);
    }),
  );
  row(
    'PostReconciliationFailure',
    'a private endpoint whose connection waits for approval; Warning, Slow',
    inEnvironment(async (environment) => {
      environment.types.push(ENDPOINTS);
      await readyGroup(environment);
      const connection = { id: 'c', properties: { privateLinkServiceConnectionState: { status: 'Pending' } } };
      answering(environment, 'GET', { body: { properties: { manualPrivateLinkServiceConnections: [connection] } } }, 'privateEndpoints');
      await environment.cluster.create(ENDPOINTS, object(ENDPOINTS, 'pe', { location: 'x', owner: { name: 'rg' } }));
      await settled();
      expect(environment.ready(ENDPOINTS, 'pe')).toMatchObject({
        severity: 'Warning',
        reason: 'PostReconciliationFailure',
        message: expect.stringContaining('approval'),
      });
      expect(environment.reconciles.at(-1)!.result).toMatchObject({ failure: { retry: 'slow' } });
    }),
  );
  row(
    'DeletionNotSupportedInAzure',
    'Warning, VerySlow',
    inEnvironment(async (environment) => {
      await environment.cluster.create(
        BLOBS,
        object(BLOBS, 'blob', { owner: { armId: `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/sa` } }),
      );
      await environment.start();
      await deleted(environment, BLOBS, 'blob');
      expect(environment.ready(BLOBS, 'blob')).toMatchObject({ severity: 'Warning', reason: 'DeletionNotSupportedInAzure' });
      expect(waits(environment).at(-1)).toBe(HOUR);
    }),
  );
  row(
    'ReconciliationFailedPermanently',
    'reserved: no refusal shows it',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 400, failing('PropertyChangeNotAllowed'));
      shows(environment, 'Error', 'PropertyChangeNotAllowed');
    }),
  );
  row(
    'Failed',
    'Error where stated: a resource group without a name that ARM takes',
    inEnvironment(async (environment) => {
      await environment.cluster.create(GROUPS, { ...group(), spec: { location: 'x', azureName: 'a/b' } });
      await environment.start();
      shows(environment, 'Error', 'Failed');
    }),
  );
  row(
    'Failed',
    'Warning, Slow for what nobody has classified',
    inEnvironment(async (environment) => {
      environment.azure.answersWithoutId = true;
      await readyGroup(environment);
      answering(environment, 'GET', { status: 404, body: failing('NotFound') }, GROUP_ID);
      await edit(environment, { tags: { a: 'b' } });
      shows(environment, 'Warning', 'Failed', expect.stringMatching(/^error updating status/));
      expect(environment.reconciles.at(-1)!.result).toMatchObject({ failure: { retry: 'slow' } });
    }),
  );
  row(
    'UnknownError',
    'an error without a code; Warning, Slow',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 409, { error: {} });
      shows(environment, 'Warning', 'UnknownError', 'There was an unknown deployment error');
      expect(waits(environment)).toEqual([1_000]);
    }),
  );
  row(
    'any Azure error code',
    'verbatim',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 409, failing('SomethingThatNobodyKnows', 'text'));
      shows(environment, 'Warning', 'SomethingThatNobodyKnows', 'text');
    }),
  );
});


table('docs/spec/conditions.md#overwrite-rules', (row) => {
  row('no old element', 'appended, the others keep their place', () => {
    expect(overwritten(undefined, RECONCILING)).toMatchObject({
      written: true,
      types: ['Other', 'Ready'],
      condition: { lastTransitionTime: '2026-01-02T03:04:05Z' },
    });
  });
  row('newer generation', 'written, whatever the priority', () => {
    expect(overwritten(SUCCEEDED, RECONCILING, { generation: 2 }).written).toBe(true);
    expect(overwritten(ERROR, UNKNOWN, { generation: 2 }).written).toBe(true);
  });
  row('equal but for the time', 'kept, the time too', () =>
    expect(overwritten(WARNING, WARNING)).toMatchObject({ written: false, condition: { lastTransitionTime: '2020-01-01T00:00:00Z' } }),
  );
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
  row('otherwise', 'kept', () =>
    expect(overwritten(WARNING, RECONCILING, { reasonAware: true })).toMatchObject({ written: false, condition: { reason: 'Failed' } }),
  );
});

table('docs/spec/conditions.md#priorities', (row) => {
  row('True', '5: not replaced by Info or Unknown', () =>
    expect([RECONCILING, UNKNOWN].map((next) => overwritten(SUCCEEDED, next).written)).toEqual([false, false]),
  );
  row('False but Info', '5: Error, Warning and no severity alike', () => {
    const bare = state('False', undefined, 'Bare');
    const equal = [ERROR, WARNING, bare];
    for (const old of equal) {
      const next = [...equal.filter((other) => other !== old), RECONCILING];
      expect(next.map((condition) => overwritten(old, condition).written)).toEqual([true, true, false]);
    }
  });
  row('False and Info', '4: over Unknown, under the rest', () =>
    expect([WARNING, UNKNOWN].map((next) => overwritten(RECONCILING, next).written)).toEqual([true, false]),
  );
  row('Unknown', '3: under everything', () =>
    expect([RECONCILING, WARNING, SUCCEEDED].map((next) => overwritten(UNKNOWN, next).written)).toEqual([true, true, true]),
  );
});

table('docs/spec/conditions.md#reason-priorities', (row) => {
  const replaced = (reason: string) => overwritten(state('False', 'Warning', reason), RECONCILING, { reasonAware: true }).written;
  row('waiting', '-2: Reconciling replaces each of them', () => {
    expect(['ReferenceNotFound', 'SecretNotFound', 'ConfigMapNotFound', 'AzureResourceNotFound', 'WaitingForOwner'].map(replaced)).toEqual(
      Array(5).fill(true),
    );
  });
  row('Reconciling', '-1: does not replace itself with another severity', () => expect(replaced('Reconciling')).toBe(false));
  row('all others', '0: stay', () =>
    expect(['Failed', 'AuthorizationFailed', 'ReconciliationBlocked', 'CredentialNotFound'].map(replaced)).toEqual(Array(4).fill(false)),
  );
});

table('docs/spec/conditions.md#overwrite-examples', (row) => {
  row(
    'periodic sync',
    'True stays True during the sync',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.azure.polls = 3;
      environment.azure.meddle(GROUP_ID, { location: 'elsewhere' });
      await environment.clock.advance(HOUR + 1);
      expect(environment.azure.count('PUT')).toBe(2);
      expect(ready(environment)).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'spec changed',
    'Reconciling replaces anything',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.azure.polls = 9;
      await edit(environment, { tags: { edited: 'x' } });
      expect(ready(environment)).toMatchObject({ severity: 'Info', reason: 'Reconciling', observedGeneration: 2 });
    }),
  );
  row(
    'retry after a Warning',
    'the Warning stays until the outcome is known',
    inEnvironment(async (environment) => {
      const giveBack = answering(environment, 'PUT', { status: 409, body: failing('Conflict') });
      await createdGroup(environment);
      giveBack();
      environment.azure.polls = 3;
      await environment.clock.advance(1_000);
      expect(environment.azure.count('PUT')).toBe(2);
      expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'Conflict' });
    }),
  );
  row(
    'checks now pass',
    'WaitingForOwner becomes Reconciling before the PUT',
    inEnvironment(async (environment) => {
      await environment.cluster.create(IDENTITIES, identity());
      await environment.start();
      environment.azure.intercept = ({ method, url }) =>
        method === 'PUT' && url.includes('userAssignedIdentities')
          ? { status: 202, headers: { location: 'https://arm.test/operations/x' } }
          : undefined;
      await environment.cluster.create(GROUPS, group());
      await settled();
      expect(child(environment)).toMatchObject({ severity: 'Info', reason: 'Reconciling' });
    }),
  );
  const cluster = `${GROUP_ID}/providers/Microsoft.ContainerService/managedClusters/c`;
  const pool = (environment: TestEnvironment) => environment.ready(AGENT_POOLS, 'pool');
  const inState = (environment: TestEnvironment, provisioningState: string) => {
    const found = environment.azure.intercept;
    environment.azure.intercept = (request) =>
      request.method === 'GET' && request.url.split('?')[0] === cluster ? { body: { id: cluster, properties: { provisioningState } } } : found(request);
  };
  /** An agent pool whose cluster takes no changes. */
  const blockedPool = async (environment: TestEnvironment) => {
    environment.types.push(AGENT_POOLS);
    inState(environment, 'Upgrading');
    await environment.cluster.create(AGENT_POOLS, object(AGENT_POOLS, 'pool', { owner: { armId: cluster } }));
    await environment.start();
    expect(pool(environment)).toMatchObject({ severity: 'Warning', reason: 'ReconciliationBlocked' });
  };
  row(
    'pre-check passes',
    'ReconciliationBlocked becomes Reconciling before the PUT',
    inEnvironment(async (environment) => {
      await blockedPool(environment);
      answering(environment, 'PUT', { status: 202, headers: { location: 'https://arm.test/operations/x' } });
      inState(environment, 'Succeeded');
      await environment.clock.advance(1_000);
      expect(environment.azure.count('PUT')).toBe(1);
      expect(pool(environment)).toMatchObject({ severity: 'Info', reason: 'Reconciling' });
    }),
  );
  row(
    'pre-check passes',
    'a refusal of Azure that comes again keeps its time',
    inEnvironment(async (environment) => {
      await blockedPool(environment);
      answering(environment, 'PUT', { status: 409, body: failing('Conflict') });
      inState(environment, 'Succeeded');
      await environment.clock.advance(1_000);
      const first = pool(environment);
      expect(first).toMatchObject({ severity: 'Warning', reason: 'Conflict' });
      await environment.clock.advance(60_000);
      expect(environment.azure.count('PUT')).toBeGreaterThan(2);
      expect(pool(environment)).toEqual(first);
    }),
  );
  row(
    'pre-check passes',
    '(better: True stays True until the outcome is known)',
    inEnvironment(async (environment) => {
      environment.types.push(AGENT_POOLS);
      inState(environment, 'Succeeded');
      await environment.cluster.create(AGENT_POOLS, object(AGENT_POOLS, 'pool', { count: 1, owner: { armId: cluster } }));
      await environment.start();
      expect(pool(environment)).toMatchObject({ status: 'True' });
      environment.azure.polls = 9;
      environment.azure.meddle(`${cluster}/agentPools/pool`, { properties: { count: 7 } });
      await environment.clock.advance(HOUR + HOUR);
      expect(environment.azure.count('PUT')).toBe(2);
      expect(pool(environment)).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'delete of a Ready object',
    'Deleting replaces True',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      answering(environment, 'DELETE', { status: 202, headers: { location: 'https://arm.test/operations/x' } });
      await deleted(environment);
      expect(ready(environment)).toMatchObject({ severity: 'Info', reason: 'Deleting' });
    }),
  );
  row(
    'status refreshed',
    'the rest of the status is replaced (better: the conditions stay, and so do their times)',
    inEnvironment(async (environment) => {
      environment.azure.answersWithoutId = true;
      await readyGroup(environment);
      const before = ready(environment);
      answering(environment, 'GET', { body: { location: 'elsewhere', properties: {} } }, GROUP_ID);
      await environment.clock.advance(HOUR);
      expect(environment.stored(GROUPS, 'rg')!.status).toEqual({
        id: GROUP_ID,
        location: 'elsewhere',
        properties: {},
        conditions: [before],
      });
    }),
  );
});
