import type { KubernetesObject } from '../../../engine/kubernetes/types';
import type { ObjectId } from '../../../src/object-id';

/** An object whose work in Azure is not done yet, and the credential that it needs for that. */
export interface AccessUser {
  readonly key: ObjectId;
  readonly object: KubernetesObject;
  /** Name of the Secret in its namespace. */
  readonly secret: string;
  /** Absent: the object has no resource of Azure Resource Manager. */
  readonly armId?: string | undefined;
  readonly isDeleting: boolean;
}
