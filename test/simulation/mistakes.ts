import { ANSWER_MISTAKES } from './mistakes-of-answers';
import { RULE_MISTAKES } from './mistakes-of-rules';
import { MUTATIONS, type Mutation } from './mutations';
import { replaced, type Undo } from './replaced';
import { Block } from '../../controller/budget/block';
import { Bucket } from '../../controller/budget/bucket';
import { BatchDriftDetection } from '../../controller/drift-detection';
import { BaselineStore } from '../../controller/drift-detection/baseline-store';
import type { Cluster } from '../../controller/reconcile/cluster';
import { sharedKeyOf } from '../../controller/reconcile/object-key';
import { ParentWriteLocks } from '../../controller/reconcile/parent-locks/parent-write-locks';
import { Reconciler } from '../../controller/reconcile/reconciler';
import { isUnsettled } from '../../controller/reconcile/triggers';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { withAnnotations } from '../../engine/objects/annotations';
import { lastAppliedOf, withLastApplied } from '../../engine/objects/last-applied';
import { LATEST_GENERATION } from '../../src/azure/annotations';
import { objectIdOf } from '../../src/object-id';

/** A plausible mistake in the core or around it. */
export interface Mistake {
  readonly core?: Mutation;
  /** Of one run. */
  readonly around?: () => Undo;
  /** Message by which the mistake is found. Default: any. */
  readonly says?: RegExp;
}

/** An object confirmed once gets no reconcile for such a change any more. */
function confirmsForGood(isMissed: (object: KubernetesObject) => boolean): () => Undo {
  return () => {
    const confirmed = new Set<string>();
    const undoDetection = replaced(
      BatchDriftDetection.prototype,
      'confirms',
      (real) =>
        async function confirms(this: BatchDriftDetection, key) {
          const answer = await real.call(this, key);
          if (answer) confirmed.add(sharedKeyOf(key));
          return answer;
        },
    );
    const undoReconcile = replaced(
      Reconciler.prototype,
      'reconcile',
      (real) =>
        function reconcile(this: Reconciler, key, signal, priority) {
          const {
            options: { cluster },
          } = this as unknown as { readonly options: { readonly cluster: Cluster } };
          const object = cluster.lastSeen(key);
          const isAlive = object !== undefined && object.metadata.deletionTimestamp === undefined;
          const misses = isAlive && priority === 'fresh' && confirmed.has(sharedKeyOf(key)) && isMissed(object);
          return misses ? Promise.resolve(this.nextSync()) : real.call(this, key, signal, priority);
        },
    );
    return () => {
      undoDetection();
      undoReconcile();
    };
  };
}

/** Objects whose rows have changed. */
const changed = new Set<string>();

const AROUND: Readonly<Record<string, Mistake>> = {
  'a bucket gives out more than it has': {
    around: () => replaced(Bucket.prototype, 'timeUntil', () => () => 0),
    says: /more (reads|writes|deletes) than Azure takes/,
  },

  'a Retry-After is forgotten': {
    around: () => replaced(Block.prototype, 'refuse', () => () => false),
    says: /before Azure takes requests/,
  },

  'siblings do not take turns': {
    around: () => replaced(ParentWriteLocks.prototype, 'acquire', () => () => ({ kind: 'held' })),
    says: /beside it (runs|is under way)/,
  },

  'siblings do not wait for the operation of an earlier process': {
    says: /beside it runs/,
    around: () => {
      const undoRestore = replaced(ParentWriteLocks.prototype, 'restore', () => () => undefined);
      const undoReconciled = replaced(ParentWriteLocks.prototype, 'reconciled', (real) => (
        function reconciled(this: ParentWriteLocks, key, left, armId) {
          const { places } = this as unknown as { readonly places: ReadonlyMap<string, unknown> };
          if (places.has(sharedKeyOf(key))) real.call(this, key, left, armId);
        }
      ));
      return () => {
        undoReconciled();
        undoRestore();
      };
    },
  },

  'a row decides a PUT': {
    says: /no read of this reconcile says why/,
    around: () => {
      changed.clear();
      return replaced(BaselineStore.prototype, 'judge', (real) => function judge(this: BaselineStore, key, state, now) {
        const verdict = real.call(this, key, state, now);
        if (verdict === 'changed') changed.add(key);
        return verdict;
      });
    },
    core: (real) => (observed, outcome) => {
      const decision = real(observed, outcome);
      const isBlind = decision.action.do === 'read' && changed.delete(sharedKeyOf(objectIdOf(observed.object)));
      return isBlind ? { ...decision, action: { do: 'put' } } : decision;
    },
  },

  'an operation that has succeeded is recorded as failed': {
    says: /no read of this reconcile says why/,
    core: (real) => (observed, outcome) => {
      const decision = real(observed, outcome);
      const record = lastAppliedOf(decision.observed.object);
      const hasSucceeded = outcome?.of === 'poll' && 'step' in outcome && outcome.step.kind === 'succeeded';
      if (!hasSucceeded || !record || observed.object.metadata.deletionTimestamp !== undefined) return decision;
      const object = withAnnotations(withLastApplied(decision.observed.object, { ...record, digest: '' }), { [LATEST_GENERATION]: '0' });
      return { ...decision, observed: { ...decision.observed, object } };
    },
  },

  'batch drift detection confirms what has changed': {
    says: /nobody has found it|Azure has the tags/,
    around: () => replaced(BaselineStore.prototype, 'judge', (real) => function judge(this: BaselineStore, key, state, now) {
      const verdict = real.call(this, key, state, now);
      return verdict === 'changed' ? 'confirmed' : verdict;
    }),
  },

  'batch drift detection confirms what was edited': { around: confirmsForGood(isUnsettled), says: /older generation/ },
};

export const MISTAKES: Readonly<Record<string, Mistake>> = {
  ...Object.fromEntries(Object.entries(MUTATIONS).map(([name, core]) => [name, { core }])),
  ...AROUND,
  ...RULE_MISTAKES,
  ...ANSWER_MISTAKES,
};
