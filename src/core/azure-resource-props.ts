import { ApiObjectMetadata } from 'cdk8s';
import { CredentialReference } from './credentials/credential-reference';
import { ReconcilePolicy } from './reconcile-policy';

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
   * The credential for this one object (annotation `serviceoperator.azure.com/credential-from`).
   * @default - the namespace's `aso-credential`, else the controller's own
   */
  readonly credential?: CredentialReference;
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
