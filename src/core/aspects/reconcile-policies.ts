import { IConstruct } from 'constructs';
import type { KindFilter } from './kind-filter';
import { addLayer } from './layers';
import { notOneOf } from './one-of';
import { ReconcilePolicy } from '../reconcile-policy';

/** What the controller may do in Azure for all resources at and below a construct. */
export class ReconcilePolicies {
  /**
   * @param scope an app, a chart, a resource or any other construct
   */
  public static of(scope: IConstruct): ReconcilePolicies {
    return new ReconcilePolicies(scope);
  }

  private constructor(private readonly scope: IConstruct) {}

  /**
   * Sets the policy. The `reconcilePolicy` that a resource is given itself wins, then that of the nearest scope.
   * @param policy the policy
   * @param filter for which kinds
   */
  public apply(policy: ReconcilePolicy, filter: KindFilter = {}): void {
    const problem = notOneOf(policy, ReconcilePolicy);
    if (problem) throw new Error(`[${this.scope.node.path}] ReconcilePolicies.apply: ${problem}`);
    addLayer(this.scope, { topic: 'reconcilePolicy', value: policy, filter, dataOnly: false });
  }
}
