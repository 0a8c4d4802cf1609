import type { decide } from '../../controller/reconcile/core/decide';
import type { Decision, Observed, Outcome } from '../../controller/reconcile/core/observed';
import type { KubernetesObject } from '../../engine/kubernetes/types';

type Decide = typeof decide;

/** A plausible mistake in the core. */
export type Mutation = (real: Decide) => Decide;

const FINALIZER = 'serviceoperator.azure.com/finalizer';
const RECORD = 'aso.cdk8s.io/last-put';
const TOKEN = 'serviceoperator.azure.com/poller-resume-token';

/** Changes the input of the core. */
const observing = (change: (observed: Observed, outcome: Outcome | undefined) => readonly [Observed, (Outcome | undefined)?]): Mutation =>
  (real) => (observed, outcome) => real(...change(observed, outcome));

/** Changes what the core answers. */
const answered = (change: (decision: Decision, observed: Observed, outcome?: Outcome) => Decision): Mutation =>
  (real) => (observed, outcome) => change(real(observed, outcome), observed, outcome);

const withObject = (decision: Decision, object: KubernetesObject): Decision => ({
  ...decision,
  observed: { ...decision.observed, object },
});

function withStatusOf(decision: Decision, { status }: KubernetesObject): Decision {
  const { status: _, ...object } = decision.observed.object;
  return withObject(decision, status === undefined ? object : { ...object, status });
}

function withAnnotation(object: KubernetesObject, key: string, value: string | undefined): KubernetesObject {
  const { [key]: _, ...others } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations: value === undefined ? others : { ...others, [key]: value } } };
}

const isDeleting = ({ object }: Observed) => object.metadata.deletionTimestamp !== undefined;

function withoutFinalizer(object: KubernetesObject): KubernetesObject {
  return {
    ...object,
    metadata: { ...object.metadata, finalizers: (object.metadata.finalizers ?? []).filter((name) => name !== FINALIZER) },
  };
}

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'the finalizer is forgotten': answered((decision) => (
    decision.action.do === 'persist' ? withObject(decision, withoutFinalizer(decision.observed.object)) : decision)),

  'PUT before the claim is stored': (real) => (observed, outcome) => {
    const decision = real(observed, outcome);
    return decision.action.do === 'persist' ? real(decision.observed, { of: 'persist' }) : decision;
  },

  'PUT without an intent': answered((decision) => (
    decision.action.do === 'persist' || decision.action.do === 'put'
      ? withObject(decision, withAnnotation(decision.observed.object, RECORD, undefined))
      : decision)),

  'the resume token is lost': answered((decision) => (
    decision.action.do === 'finish' ? withObject(decision, withAnnotation(decision.observed.object, TOKEN, undefined)) : decision)),

  'DELETE despite skip': observing((observed, outcome) => [
    isDeleting(observed) && observed.policy === 'skip' ? { ...observed, policy: 'manage' } : observed,
    outcome,
  ]),

  'DELETE despite detach-on-delete': observing((observed, outcome) => (
    [isDeleting(observed) && observed.policy === 'detach-on-delete' ? { ...observed, policy: 'manage' } : observed, outcome])),

  'PUT despite skip': observing((observed, outcome) => [
    isDeleting(observed) || observed.policy !== 'skip' ? observed : { ...observed, policy: 'manage' },
    outcome,
  ]),

  'exports before the operation is over': answered((decision, _, outcome) =>
    outcome?.of === 'put' && 'step' in outcome && outcome.step.kind === 'running' ? { ...decision, action: { do: 'complete' } } : decision,
  ),

  'what Azure has accepted is not recorded': answered((decision, observed, outcome) =>
    outcome?.of === 'put'
      ? withObject(decision, withAnnotation(decision.observed.object, RECORD, observed.object.metadata.annotations?.[RECORD]))
      : decision,
  ),

  'a lost answer is taken for none sent': observing((observed, outcome) => [
    observed.knowledge === 'uncertain' ? { ...observed, knowledge: 'known' } : observed,
    outcome,
  ]),

  'a restart does not look': observing((observed, outcome) => [
    observed.knowledge === 'first' ? { ...observed, knowledge: 'known', compared: true } : observed,
    outcome,
  ]),

  'nobody waits for the owner': observing((observed, outcome) => [
    observed.owner.kind === 'notReady' || observed.owner.kind === 'missing' ? { ...observed, owner: { kind: 'none' } } : observed,
    outcome,
  ]),

  'the status stays as it was': answered((decision, observed) => (
    decision.action.do === 'complete' ? withStatusOf(decision, observed.object) : decision)),

  'nothing is compared, all is sent': observing((observed, outcome) => {
    if (outcome?.of !== 'read' || !outcome.existing) return [observed, outcome];
    const { comparison: _, ...existing } = outcome.existing;
    return [observed, { ...outcome, existing }];
  }),

  'nothing ever differs': observing((observed, outcome) => {
    if (outcome?.of !== 'read' || !outcome.existing?.comparison) return [observed, outcome];
    return [observed, { ...outcome, existing: { ...outcome.existing, comparison: { ...outcome.existing.comparison, drift: [] } } }];
  }),

  'drift is given up after three corrections': observing((observed, outcome) => {
    if (outcome?.of !== 'read' || !outcome.existing?.comparison) return [observed, outcome];
    const text = observed.object.metadata.annotations?.[RECORD] ?? '{}';
    const { corrected = {} } = JSON.parse(text) as { readonly corrected?: Record<string, { readonly times: number }> };
    const drift = outcome.existing.comparison.drift.filter(({ path }) => (corrected[path]?.times ?? 0) < 3);
    return [observed, { ...outcome, existing: { ...outcome.existing, comparison: { ...outcome.existing.comparison, drift } } }];
  }),

  'the object goes before its resource': answered((decision, observed) =>
    decision.action.do === 'delete'
      ? {
        observed: { ...observed, object: withoutFinalizer(observed.object) },
        action: { do: 'finish', result: { kind: 'done' } },
        events: [],
      }
      : decision,
  ),

  'a failure is not tried again': answered((decision) =>
    decision.action.do === 'finish' && decision.action.result.kind === 'failure'
      ? { ...decision, action: { do: 'finish', result: { kind: 'done' } } }
      : decision,
  ),
};
