import { IConstruct } from 'constructs';
import { Credentials } from './credentials';
import type { KindFilter } from './kind-filter';
import { addLayer } from './layers';
import { notOneOf } from './one-of';
import { ReconcilePolicies } from './reconcile-policies';
import { Tags } from './tags';
import { omitUndefined } from '../../util/records';
import { AdoptionPolicy } from '../adoption-policy';
import { CredentialReference } from '../credentials/credential-reference';
import { assertUuid } from '../credentials/ids';
import { ReconcilePolicy } from '../reconcile-policy';

/** Values for all resources of a scope, or for those of some kinds. */
export interface DefaultValues extends KindFilter {
  /**
   * The region, e.g. `uksouth`. Kinds that Azure keeps in no region, such as DNS zones, get `global`.
   * @default - that of the resource group, or of the nearest owner that has one
   */
  readonly location?: string;

  /**
   * The Entra tenant of vaults and of administrators of database servers, a UUID.
   * @default - none
   */
  readonly tenantId?: string;

  /**
   * The subscription in which the resources are, a UUID, for `armId`.
   * @default - that of the `AsoCredential`, if it is in the app
   */
  readonly subscriptionId?: string;

  /**
   * Tags, as of `Tags.of(scope).add`.
   * @default - none
   */
  readonly tags?: { [key: string]: string };

  /**
   * The credential, as of `Credentials.of(scope).use`.
   * @default - the namespace's `aso-credential`, else the controller's own
   */
  readonly credential?: CredentialReference;

  /**
   * The reconcile policy, as of `ReconcilePolicies.of(scope).apply`.
   * @default - the policy of the namespace, else that of the controller, else `manage`
   */
  readonly reconcilePolicy?: ReconcilePolicy;

  /**
   * How the controller treats resources that already exist in Azure. Does not apply to resources with the reconcile policy `skip`, which
   * are not managed at all.
   * @default - `OrCreate`: takes over an existing resource and creates a missing one
   */
  readonly adopt?: AdoptionPolicy;

  /**
   * The tier of the SKU, e.g. `Standard`, for kinds of which a tier is the whole SKU: container registries, clusters (AKS), vaults, and
   * namespaces of Service Bus, Event Hubs and Notification Hubs. A kind that has no such tier gets none.
   * @default - none
   */
  readonly skuTier?: string;
}

/**
 * Values that all resources at and below a construct have in common. A value of the resource itself wins, then that of the nearest scope.
 * The objects contain the values, as if each resource had been given them.
 */
export class Defaults {
  /**
   * @param scope an app, a chart, a resource or any other construct
   */
  public static of(scope: IConstruct): Defaults {
    return new Defaults(scope);
  }

  private constructor(private readonly scope: IConstruct) {}

  /**
   * Sets values. Those of an earlier call stay unless this one has others.
   * @param values the values, and the kinds to which they apply
   * @throws when a value cannot be right for any resource
   */
  public use(values: DefaultValues): Defaults {
    const { location, tenantId, subscriptionId, tags, credential, reconcilePolicy, adopt, skuTier } = values;
    const filter = omitUndefined({ kinds: values.kinds, exceptKinds: values.exceptKinds });
    const where = `[${this.scope.node.path}] Defaults.use:`;
    for (const [name, text] of Object.entries({ location, skuTier })) {
      if (text !== undefined && (typeof text !== 'string' || text.trim() === '')) throw new Error(`${where} ${name}: has to be a text that is not empty.`);
    }
    if (tenantId !== undefined) assertUuid(`tenant id of ${where}`, tenantId);
    if (subscriptionId !== undefined) assertUuid(`subscription id of ${where}`, subscriptionId);
    const refused = adopt === undefined ? undefined : notOneOf(adopt, AdoptionPolicy);
    if (refused !== undefined) throw new Error(`${where} adopt: ${refused}`);
    for (const [topic, value] of Object.entries({ location, tenantId, subscriptionId, adopt, skuTier })) {
      if (value !== undefined) addLayer(this.scope, { topic: topic as 'location', value, filter, dataOnly: false });
    }
    for (const [key, value] of Object.entries(tags ?? {})) Tags.of(this.scope).add(key, value, filter);
    if (credential !== undefined) Credentials.of(this.scope).use(credential, filter);
    if (reconcilePolicy !== undefined) ReconcilePolicies.of(this.scope).apply(reconcilePolicy, filter);
    return this;
  }
}
