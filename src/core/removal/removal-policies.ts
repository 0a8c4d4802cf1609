import { IConstruct } from 'constructs';
import { guardDeletions } from './deletion-guards';
import { RemovalPolicy } from './removal-policy';
import type { KindFilter } from '../aspects/kind-filter';
import { addLayer } from '../aspects/layers';
import { notOneOf } from '../aspects/one-of';

/**
 * Sets the removal policy, i.e. whether the Azure resources are kept when their objects are deleted, at and below a construct. The
 * resource's own `removalPolicy` wins, then the policy of the nearest scope; within a scope, policies for named kinds win over those for
 * data-bearing kinds, and these over those for all kinds.
 */
export class RemovalPolicies {
  /**
   * @param scope an app, a chart, a resource or any other construct
   */
  public static of(scope: IConstruct): RemovalPolicies {
    return new RemovalPolicies(scope);
  }

  private constructor(private readonly scope: IConstruct) {}

  /**
   * Sets the policy for all kinds.
   * @param policy the policy
   * @param filter the kinds to which it applies; default: all
   */
  public apply(policy: RemovalPolicy, filter: KindFilter = {}): void {
    this.add('apply', policy, filter, false);
  }

  /**
   * Sets the policy for some kinds.
   * @param kinds `StorageAccount`, or prefixed with the API group where two services have a kind of the same name:
   *   `dbforpostgresql.azure.com/FlexibleServer`
   * @param policy the policy
   */
  public applyTo(kinds: string[], policy: RemovalPolicy): void {
    this.add('applyTo', policy, { kinds }, false);
  }

  /**
   * Sets the policy for the kinds whose deletion deletes data: databases, storage, vaults, queues, disks, clusters …, resource groups,
   * which are deleted with all their resources, and the blob, file, queue and table services of storage accounts.
   * @param policy the policy
   */
  public applyToDataBearing(policy: RemovalPolicy): void {
    this.add('applyToDataBearing', policy, {}, true);
  }

  private add(method: string, policy: RemovalPolicy, filter: KindFilter, dataOnly: boolean): void {
    const problem = notOneOf(policy, RemovalPolicy);
    if (problem) throw new Error(`[${this.scope.node.path}] RemovalPolicies.${method}: ${problem}`);
    addLayer(this.scope, { topic: 'removalPolicy', value: policy, filter, dataOnly });
    if (policy === RemovalPolicy.PROTECT) guardDeletions(this.scope);
  }
}
