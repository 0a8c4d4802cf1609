import { RemovalPolicy } from './removal-policy';
import { DeclaredSetting } from '../aspects/layers';
import { ReconcilePolicy } from '../reconcile-policy';

/** The combination of a removal policy and a reconcile policy. */
export interface Settled {
  /** Value of the annotation `reconcile-policy`. */
  readonly policy: string | undefined;
  readonly protect: boolean;
  /** Whether the two contradict each other, and both are equally near to the resource. */
  readonly contradiction: boolean;
}

/** The reconcile policies that fit a removal policy; the first one is the default. */
const FITTING: Record<RemovalPolicy, readonly string[]> = {
  [RemovalPolicy.DESTROY]: [ReconcilePolicy.MANAGE],
  [RemovalPolicy.RETAIN]: [ReconcilePolicy.DETACH_ON_DELETE, ReconcilePolicy.SKIP],
  // A user can always delete the admission policy itself; the data is kept even then.
  [RemovalPolicy.PROTECT]: [ReconcilePolicy.DETACH_ON_DELETE, ReconcilePolicy.MANAGE, ReconcilePolicy.SKIP],
};

/** Depth of the resource's own props. */
export const OWN = Infinity;

/** Combines the two policies; if they contradict each other, the one nearer to the resource counts. */
export function settle(removal: DeclaredSetting<RemovalPolicy> | undefined, reconcile: DeclaredSetting<string> | undefined): Settled {
  const protect = removal?.value === RemovalPolicy.PROTECT;
  const fitting = removal && FITTING[removal.value];
  if (!fitting) return { policy: reconcile?.value, protect, contradiction: false };
  if (!reconcile) return { policy: fitting[0], protect, contradiction: false };
  if (fitting.includes(reconcile.value)) return { policy: reconcile.value, protect, contradiction: false };
  // `skip` for a whole scope is a pause, which deletes nothing either.
  if (reconcile.value === ReconcilePolicy.SKIP && reconcile.depth !== OWN) {
    return { policy: reconcile.value, protect, contradiction: false };
  }
  return {
    policy: removal.depth > reconcile.depth ? fitting[0] : reconcile.value,
    protect,
    contradiction: removal.depth === reconcile.depth,
  };
}
