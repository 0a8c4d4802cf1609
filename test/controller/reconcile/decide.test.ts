import { GROUP_ID } from './harness';
import { DELETING, readyOf, SUCCEEDED, withReady, type ReadyState } from '../../../controller/reconcile/core/conditions';
import { decide } from '../../../controller/reconcile/core/decide';
import { warning } from '../../../controller/reconcile/core/failure';
import type { Decision, Existing, Observed, Outcome } from '../../../controller/reconcile/core/observed';
import { afterReading } from '../../../controller/reconcile/core/put-record';
import { ArmError } from '../../../engine/arm/types';
import type { OperationState } from '../../../engine/arm/types';
import { resourceState, type ResourceState } from '../../../engine/kinds/resource-state';
import type { Condition, KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation, hasFinalizer, withAnnotations } from '../../../engine/objects/annotations';
import { lastAppliedOf, withLastApplied, type LastApplied } from '../../../engine/objects/last-applied';
import { operationOf, withPoller } from '../../../engine/objects/poller';
import { effectivePolicy } from '../../../engine/objects/reconcile-policy';
import {
  FINALIZER,
  LATEST_GENERATION,
  OPERATOR_NAMESPACE,
  POLLER_TOKEN,
  RECONCILE_POLICY,
  RESOURCE_ID,
} from '../../../src/azure/annotations';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const HOUR = 3_600_000;
const DESIRED = { armId: GROUP_ID, digest: 'digest', hidden: '' };
const OPERATION: OperationState = {
  style: 'azure-asyncoperation',
  method: 'PUT',
  originalUrl: GROUP_ID,
  pollUrl: '/operations/1',
  state: 'InProgress',
};
const RECORD: LastApplied = { digest: 'digest', at: '2026-01-01T11:30:00Z', generation: 3, answered: true };

const fresh: KubernetesObject = {
  apiVersion: 'resources.azure.com/v1',
  kind: 'ResourceGroup',
  metadata: { name: 'rg', namespace: 'ns', uid: 'u', generation: 3 },
  spec: {},
};
const claimed = withLastApplied(
  withAnnotations(
    { ...fresh, metadata: { ...fresh.metadata, finalizers: [FINALIZER] } },
    { [RESOURCE_ID]: GROUP_ID, [OPERATOR_NAMESPACE]: 'aso' },
  ),
  RECORD,
);
const sent = withAnnotations(claimed, { [LATEST_GENERATION]: '3' });
const put = (at: string) => withLastApplied(sent, { ...RECORD, at });
const ENDPOINT = 'https://management.azure.com';
const running = withPoller(sent, 'create', OPERATION, ENDPOINT);
const deleted = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, deletionTimestamp: '2026-01-01T11:00:00Z' },
});
const inState = (provisioningState?: string): ResourceState => resourceState(undefined, { properties: { provisioningState } }, NOW);
const ready = (object: KubernetesObject, state: ReadyState) => withReady(object, state, NOW);

function observed(object: KubernetesObject, more: Partial<Observed> = {}): Observed {
  return {
    object,
    operatorNamespace: 'aso',
    controllerVersion: 'v',
    policy: 'manage',
    owner: { kind: 'none' },
    ownId: GROUP_ID,
    knowledge: 'known',
    failures: 0,
    now: NOW,
    syncPeriod: HOUR,
    credential: { source: 'a/b', subscriptionId: '11111111-1111-1111-1111-111111111111', endpoint: ENDPOINT },
    traits: {
      group: 'resources.azure.com',
      kind: 'ResourceGroup',
      armApiVersion: '2020-06-01',
      isArm: true,
      canDelete: true,
      canCompare: true,
      hasPreChecks: false,
    },
    ...more,
  };
}

const summaryOf = (decision: Decision) => ({ action: decision.action, ready: readyOf(decision.observed.object) as Condition | undefined });
const condition = (decision: Decision) => {
  const { status, severity, reason } = summaryOf(decision).ready!;
  return [status, severity, reason].filter(Boolean).join(' ');
};

describe('the first action of a reconcile', () => {
  const rows: [string, Observed, string][] = [
    ['New: resolve, then claim', observed(fresh), 'resolve'],
    ['New, owner missing', observed(fresh, { owner: { kind: 'missing', text: 'x' } }), 'finish failure WaitingForOwner fast'],
    ['New, owner not ready', observed(fresh, { owner: { kind: 'notReady', text: 'x' } }), 'finish failure WaitingForOwner fast'],
    ['New, no credential', observed(fresh, { credential: { failure: warning('Failed', 'none') } }), 'finish failure Failed slow'],
    ['Due', observed(claimed), 'resolve'],
    ['Due, no credential', observed(claimed, { credential: { failure: warning('Failed', 'none') } }), 'finish failure Failed slow'],
    ['Due, everything resolved', observed(claimed, { desired: DESIRED }), 'read compare'],
    ['Due, Azure differs', observed(claimed, { desired: DESIRED, compared: true }), 'put'],
    [
      'Due, a kind that Azure does not show',
      observed(claimed, { desired: DESIRED, traits: { ...observed(claimed).traits, canCompare: false } }),
      'put',
    ],
    [
      'Due, a newer spec',
      observed(ready({ ...claimed, metadata: { ...claimed.metadata, generation: 4 } }, SUCCEEDED), { desired: { ...DESIRED, digest: 'other' } }),
      'put',
    ],
    [
      'Due, a newer spec with an equal body',
      observed(ready({ ...claimed, metadata: { ...claimed.metadata, generation: 4 } }, SUCCEEDED), { desired: DESIRED }),
      'read compare',
    ],
    ['Due, another version of a Secret', observed(claimed, { desired: { ...DESIRED, digest: 'other', hidden: 'other' } }), 'put'],
    [
      'Due, kind with checks',
      observed(claimed, { desired: DESIRED, compared: true, traits: { ...observed(claimed).traits, hasPreChecks: true } }),
      'preCheck',
    ],
    ['Due, after a restart', observed(claimed, { desired: DESIRED, knowledge: 'first' }), 'read recover'],
    ['Due, after a lost answer', observed(claimed, { desired: DESIRED, knowledge: 'uncertain' }), 'read recover'],
    ['Due, never recorded', observed(withAnnotations(claimed, { 'aso.cdk8s.io/last-put': undefined }), { desired: DESIRED }), 'read adopt'],
    [
      'Due, the annotations were replaced',
      observed(withAnnotations(claimed, { [RESOURCE_ID]: undefined }), { desired: DESIRED }),
      'read compare',
    ],
    ['Due, the id would change', observed(claimed, { desired: { ...DESIRED, armId: `${GROUP_ID}2` } }), 'finish failure Failed error'],
    ['Running', observed(running), 'poll'],
    ['Running, a foreign token', observed(withAnnotations(running, { [POLLER_TOKEN]: 'x' })), 'poll'],
    ['Running, a deletion', observed(withPoller(sent, 'delete', OPERATION, ENDPOINT)), 'finish failure Failed slow'],
    ['Running, under skip', observed(running, { policy: 'skip' }), 'read refresh'],
    ['Done, due again', observed(ready(sent, SUCCEEDED)), 'resolve'],
    ['Skip', observed(claimed, { policy: 'skip' }), 'read refresh'],
    ['Deleting without deletionTimestamp', observed(ready(claimed, DELETING)), 'finish failure Failed slow'],
    ['another operator', observed(withAnnotations(claimed, { [OPERATOR_NAMESPACE]: 'other' })), 'finish done'],
    ['another operator, deleted', observed(deleted(withAnnotations(claimed, { [OPERATOR_NAMESPACE]: 'other' }))), 'finish done'],
    ['Deleting', observed(deleted(claimed)), 'read delete'],
    ['Deleting, never sent', observed(deleted(withAnnotations(claimed, { [RESOURCE_ID]: undefined }))), 'finish done'],
    ['Deleting, never claimed', observed(deleted(fresh)), 'finish done'],
    ['Deleting under skip', observed(deleted(claimed), { policy: 'skip' }), 'finish done'],
    ['Deleting under detach-on-delete', observed(deleted(claimed), { policy: 'detach-on-delete' }), 'finish done'],
    ['Deleting while a PUT runs', observed(deleted(running)), 'read delete'],
    ['DeleteRunning', observed(deleted(withPoller(sent, 'delete', OPERATION, ENDPOINT))), 'poll'],
    [
      'Deleting, no credential',
      observed(deleted(claimed), { credential: { failure: warning('Failed', 'none') } }),
      'finish failure Failed slow',
    ],
  ];
  // A reconcile that has resolved already is asked for what comes next.
  const first = (input: Observed) =>
    decide(input, input.desired && !input.object.metadata.deletionTimestamp ? { of: 'resolve', desired: input.desired } : undefined);
  test.each(rows)('%s', (_, input, expected) => {
    const { action } = first(input);
    const words: string[] = [action.do];
    if (action.do === 'read') words.push(action.purpose);
    if (action.do === 'finish') {
      words.push(action.result.kind);
      if (action.result.kind === 'failure') {
        words.push(action.result.failure.reason, action.result.failure.severity === 'Error' ? 'error' : action.result.failure.retry);
      }
    }
    expect(words.join(' ')).toBe(expected);
  });

  test('a mismatched subscription is found before anything is resolved', () => {
    const decision = decide(observed(claimed, { credential: { source: 'x', subscriptionId: 'other', endpoint: ENDPOINT } }));
    expect(condition(decision)).toBe('False Error SubscriptionMismatch');
    expect(decision.events).toEqual([
      { type: 'Warning', reason: 'CreateOrUpdateActionError', message: expect.stringContaining('RetryClassification: RetryFast') },
    ]);
  });
});

describe('the claim', () => {
  test('stores finalizer, id and intent in one write, then sends', () => {
    const claiming = decide(observed(fresh), { of: 'resolve', desired: DESIRED });
    expect(claiming.action.do).toBe('persist');
    expect(hasFinalizer(claiming.observed.object)).toBe(true);
    expect(annotation(claiming.observed.object, RESOURCE_ID)).toBe(GROUP_ID);
    expect(lastAppliedOf(claiming.observed.object)).toEqual({
      digest: 'digest',
      at: '2026-01-01T12:00:00.000Z',
      generation: 3,
      answered: false,
      hidden: '',
    });
    expect(decide(claiming.observed, { of: 'persist' }).action.do).toBe('put');
  });

  test('that fails makes no event and no finalizer', () => {
    const decision = decide(observed(fresh), { of: 'failure', during: 'resolve', failure: warning('ReferenceNotFound', 'x', 'fast') });
    expect(decision.events).toEqual([]);
    expect(hasFinalizer(decision.observed.object)).toBe(false);
    expect(condition(decision)).toBe('False Warning ReferenceNotFound');
  });

  test('under skip has no intent', () => {
    expect(lastAppliedOf(decide(observed(fresh, { policy: 'skip' }), { of: 'resolve', desired: DESIRED }).observed.object)).toBeUndefined();
  });
});

describe('after an action', () => {
  const ran = (step: Extract<Outcome, { of: 'put' | 'poll' }>) => step;
  const rows: [string, Observed, Outcome, string, string][] = [
    [
      'a PUT that runs',
      observed(sent, { desired: DESIRED }),
      ran({ of: 'put', step: { kind: 'running', state: OPERATION } }),
      'finish requeue',
      'token',
    ],
    ['a PUT that is done', observed(sent, { desired: DESIRED }), ran({ of: 'put', step: { kind: 'succeeded' } }), 'read', ''],
    ['a PUT that is refused', observed(sent), ran({ of: 'put', failed: warning('Conflict', 'x') }), 'finish failure', ''],
    ['a poll that runs', observed(running), ran({ of: 'poll', step: { kind: 'running', state: OPERATION } }), 'finish requeue', 'token'],
    ['a poll that is done', observed(running), ran({ of: 'poll', step: { kind: 'succeeded' } }), 'read', 'token'],
    ['an operation that failed', observed(running), ran({ of: 'poll', failed: warning('Conflict', 'x') }), 'finish failure', ''],
    [
      'an operation of an older spec that failed',
      observed(withAnnotations(running, { [LATEST_GENERATION]: '2' })),
      ran({ of: 'poll', failed: warning('Conflict', 'x') }),
      'finish requeue',
      '',
    ],
    [
      'a poll without a known answer',
      observed(running),
      ran({ of: 'poll', step: { kind: 'running', state: OPERATION, transient: new ArmError('X', 'x', 503) } }),
      'finish failure',
      'token',
    ],
    ['completion', observed(running), { of: 'complete' }, 'finish success', ''],
    [
      'completion of an older spec',
      observed(withAnnotations(running, { [LATEST_GENERATION]: '2' })),
      { of: 'complete' },
      'finish requeue',
      '',
    ],
    [
      'a check or export that failed',
      observed(running),
      { of: 'failure', during: 'complete', failure: warning('PostReconciliationFailure', 'x') },
      'finish failure',
      'token',
    ],
    ['absent after success', observed(running), { of: 'read', purpose: 'refresh', existing: undefined }, 'finish failure', ''],
    [
      'a pre-check that proceeds',
      observed(sent, { desired: DESIRED, compared: true }),
      { of: 'preCheck', verdict: { kind: 'proceed' } },
      'put',
      '',
    ],
    ['a pre-check that postpones', observed(sent), { of: 'preCheck', verdict: { kind: 'postpone' } }, 'finish success', ''],
    ['a pre-check that blocks', observed(sent), { of: 'preCheck', verdict: { kind: 'block', message: 'x' } }, 'finish failure', ''],
    [
      'a delete that runs',
      observed(deleted(running)),
      { of: 'delete', step: { kind: 'running', state: OPERATION, retryAfterSeconds: 7 } },
      'finish requeue',
      'token',
    ],
    ['a delete that is done', observed(deleted(sent)), { of: 'delete', step: { kind: 'succeeded' } }, 'finish done', ''],
    ['absent before the delete', observed(deleted(sent)), { of: 'read', purpose: 'delete', existing: undefined }, 'finish done', ''],
    [
      'absent soon after a PUT',
      observed(deleted(put('2026-01-01T11:59:00Z'))),
      { of: 'read', purpose: 'delete', existing: undefined },
      'delete',
      '',
    ],
    [
      'absent soon after a PUT, and it was there',
      observed(deleted(withLastApplied(sent, { ...RECORD, at: '2026-01-01T11:59:00Z', known: {} }))),
      { of: 'read', purpose: 'delete', existing: undefined },
      'finish done',
      '',
    ],
    [
      'absent after a PUT in the future',
      observed(deleted(put('2026-01-01T12:10:00Z'))),
      { of: 'read', purpose: 'delete', existing: undefined },
      'delete',
      '',
    ],
    [
      'absent, and an answer was lost',
      observed(deleted(sent), { knowledge: 'uncertain' }),
      { of: 'read', purpose: 'delete', existing: undefined },
      'delete',
      '',
    ],
    [
      'absent after a restart',
      observed(deleted(sent), { knowledge: 'first' }),
      { of: 'read', purpose: 'delete', existing: undefined },
      'delete',
      '',
    ],
    ['absent while a PUT runs', observed(deleted(running)), { of: 'read', purpose: 'delete', existing: undefined }, 'delete', 'token'],
    [
      'absent, cannot be deleted',
      observed(deleted(running), { traits: { ...observed(sent).traits, canDelete: false } }),
      { of: 'read', purpose: 'delete', existing: undefined },
      'finish done',
      '',
    ],
    [
      'running before the delete',
      observed(deleted(running)),
      { of: 'read', purpose: 'delete', existing: { status: {}, state: inState('Creating') } },
      'delete',
      'token',
    ],
    [
      'at rest before the delete',
      observed(deleted(running)),
      { of: 'read', purpose: 'delete', existing: { status: {}, state: inState('Succeeded') } },
      'delete',
      '',
    ],
    [
      'refused while a PUT runs',
      observed(deleted(withPoller(put('2026-01-01T11:59:00Z'), 'create', OPERATION, ENDPOINT))),
      { of: 'failure', during: 'delete', failure: warning('X', 'x') },
      'finish failure',
      'token',
    ],
    [
      'refused an hour after a PUT',
      observed(deleted(withPoller(put('2026-01-01T11:00:00Z'), 'create', OPERATION, ENDPOINT))),
      { of: 'failure', during: 'delete', failure: warning('X', 'x') },
      'finish failure',
      '',
    ],
    ['present before the delete', observed(deleted(sent)), { of: 'read', purpose: 'delete', existing: { status: {}, state: inState() } }, 'delete', ''],
    [
      'unreadable before the delete',
      observed(deleted(sent)),
      { of: 'failure', during: 'read', purpose: 'delete', failure: warning('X', 'x') },
      'delete',
      '',
    ],
    [
      'deleting before the delete, and a PUT was followed',
      observed(deleted(running)),
      { of: 'read', purpose: 'delete', existing: { status: {}, state: inState('Deleting') } },
      'finish requeue',
      '',
    ],
    [
      'deleting before the delete',
      observed(deleted(sent)),
      { of: 'read', purpose: 'delete', existing: { status: {}, state: inState('Deleting') } },
      'finish requeue',
      '',
    ],
  ];
  test.each(rows)('%s', (_, input, outcome, action, token) => {
    const decision = decide(input, outcome);
    expect(decision.action.do === 'finish' ? `finish ${decision.action.result.kind}` : decision.action.do).toBe(action);
    expect(operationOf(decision.observed.object, '2020-06-01') ? 'token' : '').toBe(token);
  });

  test('fatal refusals of a DELETE are retried', () => {
    const decision = decide(observed(deleted(sent)), {
      of: 'failure',
      during: 'delete',
      failure: { severity: 'Error', reason: 'X', message: 'x', retry: 'slow' },
    });
    expect(condition(decision)).toBe('False Warning X');
    expect(decision.events[0]?.reason).toBe('DeleteActionError');
  });

  test('polls that tell nothing show from the third on', () => {
    const outcome: Outcome = { of: 'poll', step: { kind: 'running', state: OPERATION, transient: new ArmError('ServerBusy', 'x', 503) } };
    const reasons = [0, 1, 2]
      .map((failures) => summaryOf(decide(observed(ready(running, SUCCEEDED), { failures }), outcome)).ready!.reason);
    expect(reasons).toEqual(['Succeeded', 'Succeeded', 'ServerBusy']);
  });

  test('a refresh replaces the status and keeps the conditions', () => {
    const before = ready({ ...running, status: { old: true } }, SUCCEEDED);
    const decision = decide(observed(before), { of: 'read', purpose: 'refresh', existing: { status: { id: 'new' }, state: inState() } });
    expect(decision.observed.object.status).toEqual({ id: 'new', conditions: before.status!.conditions });
  });
});

describe('after a restart', () => {
  const found = (provisioningState?: string, createdAt?: string): Existing => ({
    status: {},
    state: inState(provisioningState),
    ...(createdAt === undefined ? {} : { createdAt }),
  });
  const intent: Partial<LastApplied> = { answered: false };
  test.each<[string, Partial<LastApplied> | undefined, Existing | undefined, string]>([
    ['absent', {}, undefined, 'put'],
    ['absent, after an intent', intent, undefined, 'put'],
    ['running', {}, found('Updating'), 'resume'],
    ['running, without a record', undefined, found('Creating'), 'resume'],
    ['failed', {}, found('Failed'), 'put'],
    ['canceled, after an intent', intent, found('Canceled'), 'put'],
    ['in sync', {}, found('Succeeded'), 'settled'],
    ['in sync, no state', {}, found(), 'settled'],
    ['the spec is another', { digest: 'older' }, found('Succeeded'), 'put'],
    ['refused before', { digest: '' }, found('Succeeded'), 'put'],
    ['the sync is due', { at: '2026-01-01T10:00:00Z' }, found('Succeeded'), 'put'],
    ['without a record', undefined, found('Succeeded'), 'put'],
    ['an intent, and nothing tells since when it is there', intent, found('Succeeded'), 'put'],
    ['an intent where nothing was', { ...intent, found: 'nothing' }, found('Succeeded'), 'settled'],
    ['an intent where something was', { ...intent, found: 'resource' }, found('Succeeded', '2026-01-01T11:30:01Z'), 'put'],
    ['an intent that arrived, the spec is another', { ...intent, digest: 'older' }, found('Succeeded', '2026-01-01T11:30:01Z'), 'settled'],
    ['an intent that arrived, by its time', intent, found('Succeeded', '2026-01-01T11:30:01Z'), 'settled'],
    ['an intent over something older', intent, found('Succeeded', '2025-01-01T00:00:00Z'), 'put'],
    ['an intent that was refused', { ...intent, digest: '' }, found('Succeeded'), 'put'],
  ])('%s', (_, record, existing, expected) => {
    const object = record ? withLastApplied(sent, { ...RECORD, ...record }) : withAnnotations(sent, { 'aso.cdk8s.io/last-put': undefined });
    expect(afterReading(observed(object, { desired: DESIRED }), existing)).toBe(expected);
  });

  test('the operation of somebody else is followed, and then ours is sent', () => {
    const object = withLastApplied(sent, { ...RECORD, answered: false });
    const resumed = decide(observed(object, { desired: DESIRED, knowledge: 'first' }), {
      of: 'read',
      purpose: 'recover',
      existing: found('Updating', '2020-01-01T00:00:00Z'),
    });
    expect(operationOf(resumed.observed.object, '2020-06-01')?.style).toBe('body');
    expect(decide(resumed.observed, { of: 'complete' }).action).toEqual({ do: 'finish', result: { kind: 'requeue' } });
  });

  test('what Azure has refused is sent after it too, although nothing differs: members that no read shows may be missing', () => {
    const object = withLastApplied(ready(sent, SUCCEEDED), { ...RECORD, digest: '' });
    const read: Outcome = { of: 'read', purpose: 'recover', existing: found('Updating') };
    const resumed = decide(observed(object, { desired: DESIRED, knowledge: 'first' }), read);
    const equal: Existing = { ...found('Succeeded'), comparison: { digest: DESIRED.digest, drift: [] } };
    const polled = decide(resumed.observed, { of: 'poll', step: { kind: 'succeeded' }, existing: equal });
    const ended = decide(polled.observed, { of: 'complete' });
    expect(ended.action).toEqual({ do: 'finish', result: { kind: 'requeue' } });
    expect(decide(observed(ended.observed.object, { desired: DESIRED })).action).toEqual({ do: 'put' });
  });

  test('the next full PUT comes when it was due', () => {
    const settled = decide(observed(sent, { desired: DESIRED, knowledge: 'first' }), {
      of: 'read',
      purpose: 'recover',
      existing: found('Succeeded'),
    });
    expect(decide(settled.observed, { of: 'complete' }).action).toEqual({ do: 'finish', result: { kind: 'success', period: HOUR / 2 } });
  });
});

describe('policy', () => {
  const object = (policy?: string): KubernetesObject => withAnnotations(fresh, { [RECONCILE_POLICY]: policy });
  test.each([
    [undefined, undefined, { policy: 'detach-on-delete' }],
    [undefined, 'skip', { policy: 'skip' }],
    ['manage', 'skip', { policy: 'manage' }],
    ['Skip', 'manage', { policy: 'detach-on-delete', unknown: 'Skip' }],
  ])('object %s, namespace %s', (own, namespace, expected) => {
    expect(effectivePolicy(object(own), object(namespace), 'detach-on-delete')).toEqual(expected);
  });
  test('an unreadable namespace is the default', () => expect(effectivePolicy(object(), undefined, 'skip')).toEqual({ policy: 'skip' }));
});
