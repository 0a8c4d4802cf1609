import { IConstruct } from 'constructs';
import type { KindFilter } from './kind-filter';
import { addLayer } from './layers';
import { notOneOf } from './one-of';
import { ReconcilePolicy } from '../reconcile-policy';

/** Sets the reconcile policy, i.e. what the controller may do in Azure, for all resources at and below a construct. */
export class ReconcilePolicies {
  /**
   * @param scope an app, a chart, a resource or any other construct
   */
  public static of(scope: IConstruct): ReconcilePolicies {
    return new ReconcilePolicies(scope);
  }

  private constructor(private readonly scope: IConstruct) {}

  /**
   * Sets the policy. The resource's own `reconcilePolicy` wins, then the policy of the nearest scope.
   * @param policy the policy
   * @param filter the kinds to which it applies; default: all
   */
  public apply(policy: ReconcilePolicy, filter: KindFilter = {}): void {
    const problem = notOneOf(policy, ReconcilePolicy);
    if (problem) throw new Error(`[${this.scope.node.path}] ReconcilePolicies.apply: ${problem}`);
    addLayer(this.scope, { topic: 'reconcilePolicy', value: policy, filter, dataOnly: false });
  }
}
