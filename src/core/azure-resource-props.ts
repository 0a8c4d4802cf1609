import { ApiObjectMetadata } from 'cdk8s';
import { AdoptionPolicy } from './adoption-policy';
import { CredentialReference } from './credentials/credential-reference';
import { ReconcilePolicy } from './reconcile-policy';
import { RemovalPolicy } from './removal/removal-policy';

/** Props of every Azure resource besides the properties of its spec. */
export interface AzureResourceProps {
  /**
   * Kubernetes metadata.
   * @default - a name made from the construct's path, namespace and labels of the chart
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * The operations that the controller may perform in Azure (annotation `serviceoperator.azure.com/reconcile-policy`).
   * @default - the policy of the namespace, else that of the controller, else `manage`
   */
  readonly reconcilePolicy?: ReconcilePolicy;

  /**
   * How the controller treats a resource that already exists in Azure (annotation `aso.cdk8s.io/adopt`; Azure Service Operator does not
   * know it). An error together with the reconcile policy `skip`, which manages nothing.
   * @default - `OrCreate`: an existing resource is taken over, a missing one created
   */
  readonly adopt?: AdoptionPolicy;

  /**
   * Whether the Azure resource is kept when the object is deleted. A contradicting `reconcilePolicy` is an error.
   * @default - the `RemovalPolicies` of the nearest scope, else the behaviour of the reconcile policy
   */
  readonly removalPolicy?: RemovalPolicy;

  /**
   * Properties that others may change in Azure, as paths like in the props: `sku.capacity`, `agentPoolProfiles[*].count`, `tags.team`,
   * `tags["a.b"]`. They are checked against the schema and written as the annotation `aso.cdk8s.io/ignore-changes`, which the controller of
   * this package honours and Azure Service Operator ignores.
   * @default - none
   */
  readonly ignoreChanges?: string[];

  /**
   * The credential for this one object (annotation `serviceoperator.azure.com/credential-from`).
   * @default - the namespace's `aso-credential`, else the controller's own
   */
  readonly credential?: CredentialReference;

  /**
   * The API version in which the object is written, if not the class's own: `v1api20230101`, optionally prefixed with the group. The spec
   * is checked against that version's schema.
   * @default - the newest stable version that the applied `AsoRelease` serves; without one, the newest, for which the class was generated
   */
  readonly apiVersion?: string;

  /**
   * Properties of the spec that the class does not have: those of another API version, or of a newer operator. They have the names and the
   * nesting of the spec, are merged into it (objects deeply), and are not checked. A property that is set both here and in the props is an
   * error.
   * @default - none
   */
  readonly additionalSpec?: { [key: string]: any };
}

/** The kind of the catalog that a class represents. */
export interface AzureKindFacts {
  /** API group, e.g. `storage.azure.com`. */
  readonly group: string;
  /** Kind, e.g. `StorageAccount`. */
  readonly kind: string;
  /** Version, e.g. `v20250601`. */
  readonly version: string;
}
