import { RemovalPolicy } from './removal-policy';
import { Said } from '../aspects/layers';
import { ReconcilePolicy } from '../reconcile-policy';

/** What a removal policy and a reconcile policy come to together. */
export interface Settled {
  /** Value of the annotation `reconcile-policy`. */
  readonly policy?: string;
  readonly protect: boolean;
  /** The two contradict each other, and neither is nearer to the resource. */
  readonly contradiction: boolean;
}

/** The reconcile policies under which the removal policy does what it says; the first one is written where there is none. */
const FITTING: Record<RemovalPolicy, readonly string[]> = {
  [RemovalPolicy.DESTROY]: [ReconcilePolicy.MANAGE],
  [RemovalPolicy.RETAIN]: [ReconcilePolicy.DETACH_ON_DELETE, ReconcilePolicy.SKIP],
  // Nothing can keep the admission policy itself from being deleted: then the data is to stay.
  [RemovalPolicy.PROTECT]: [ReconcilePolicy.DETACH_ON_DELETE, ReconcilePolicy.MANAGE, ReconcilePolicy.SKIP],
};

/** Depth of what a resource is given itself. */
export const OWN = Infinity;

/** Which of the two counts, where they contradict each other: what is nearer to the resource. */
export function settle(removal: Said<RemovalPolicy> | undefined, reconcile: Said<string> | undefined): Settled {
  const protect = removal?.value === RemovalPolicy.PROTECT;
  const fitting = removal && FITTING[removal.value];
  if (!fitting) return { policy: reconcile?.value, protect, contradiction: false };
  if (!reconcile) return { policy: fitting[0], protect, contradiction: false };
  if (fitting.includes(reconcile.value)) return { policy: reconcile.value, protect, contradiction: false };
  // `skip` for a whole scope is a pause, in which nothing is deleted, either.
  if (reconcile.value === ReconcilePolicy.SKIP && reconcile.depth !== OWN) return { policy: reconcile.value, protect, contradiction: false };
  return {
    policy: removal.depth > reconcile.depth ? fitting[0] : reconcile.value,
    protect,
    contradiction: removal.depth === reconcile.depth,
  };
}
