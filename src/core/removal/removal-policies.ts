import { IConstruct } from 'constructs';
import { guardDeletions } from './deletion-guards';
import { RemovalPolicy } from './removal-policy';
import type { KindFilter } from '../aspects/kind-filter';
import { addLayer } from '../aspects/layers';
import { notOneOf } from '../aspects/one-of';

/**
 * What becomes of the Azure resources at and below a construct when their objects are deleted. The `removalPolicy` that a
 * resource is given itself wins, then that of the nearest scope; in one scope named kinds win over data-bearing kinds, and
 * these over all.
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
   * For every kind.
   * @param policy the policy
   * @param filter for which kinds, where not for all
   */
  public apply(policy: RemovalPolicy, filter: KindFilter = {}): void {
    this.add('apply', policy, filter, false);
  }

  /**
   * For some kinds.
   * @param kinds `StorageAccount`, or with the API group in front where two services have a kind of one name:
   *   `dbforpostgresql.azure.com/FlexibleServer`
   * @param policy the policy
   */
  public applyTo(kinds: string[], policy: RemovalPolicy): void {
    this.add('applyTo', policy, { kinds }, false);
  }

  /**
   * For the kinds that take data along when they are deleted: databases, storage, vaults, queues, disks, clusters …, and
   * resource groups, with which goes all that is in them.
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
