import { ApiObjectMetadata } from 'cdk8s';
import { AdoptionPolicy } from './adoption-policy';
import { CredentialReference } from './credentials/credential-reference';
import { ReconcilePolicy } from './reconcile-policy';
import { RemovalPolicy } from './removal/removal-policy';

/** What every Azure resource takes besides the properties of its spec. */
export interface AzureResourceProps {
  /**
   * Kubernetes metadata.
   * @default - a name made from the construct's path, namespace and labels of the chart
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * What the controller may do in Azure (annotation `serviceoperator.azure.com/reconcile-policy`).
   * @default - the policy of the namespace, else that of the controller, else `manage`
   */
  readonly reconcilePolicy?: ReconcilePolicy;

  /**
   * What becomes of a resource that is in Azure already (annotation `aso.cdk8s.io/adopt`; Azure Service Operator does not know it). Together
   * with the reconcile policy `skip`, which manages nothing, it is an error.
   * @default - `OrCreate`: it is taken over, or created
   */
  readonly adopt?: AdoptionPolicy;

  /**
   * What becomes of the Azure resource when the object is deleted. A `reconcilePolicy` that contradicts it is an error.
   * @default - the `RemovalPolicies` of the nearest scope, else what the reconcile policy says
   */
  readonly removalPolicy?: RemovalPolicy;

  /**
   * Properties that others may change in Azure, as paths like in the props: `sku.capacity`, `agentPoolProfiles[*].count`,
   * `tags.team`, `tags["a.b"]`. They are checked against the schema and travel in the annotation `aso.cdk8s.io/ignore-changes`,
   * which the controller of this package honours and Azure Service Operator ignores.
   * @default - none
   */
  readonly ignoreChanges?: string[];

  /**
   * The credential for this one object (annotation `serviceoperator.azure.com/credential-from`).
   * @default - the namespace's `aso-credential`, else the controller's own
   */
  readonly credential?: CredentialReference;

  /**
   * The API version in which the object is written, where it is not to be the class's own: `v1api20230101`, or with the group in
   * front. The spec is checked against that version's schema.
   * @default - the newest stable version that the applied `AsoRelease` serves; without one, the newest, for which the class was made
   */
  readonly apiVersion?: string;

  /**
   * Properties of the spec that the class does not have: those of another API version, or of a newer operator. They stand under
   * the spec's own names and at their place in the spec (what is in objects is merged), and are not checked. A property that is
   * given here and in the props is an error.
   * @default - none
   */
  readonly additionalSpec?: { [key: string]: any };
}

/** Which kind of the catalog a class stands for. */
export interface AzureKindFacts {
  /** API group, e.g. `storage.azure.com`. */
  readonly group: string;
  /** Kind, e.g. `StorageAccount`. */
  readonly kind: string;
  /** Version, e.g. `v20250601`. */
  readonly version: string;
}
