import { armIdFor } from './arm-id-for';
import { isKubernetesName } from './kubernetes-name';
import type { AzureResourceReference, IAzureResourceRef } from './resource-reference';
import { armTypeOf, isArmId } from '../azure/arm-id';

/** A reference to a resource that is not a construct of this app. */
export class AzureReference implements IAzureResourceRef {
  /**
   * A resource by its ARM id, whatever its type.
   * @param armId e.g. `/subscriptions/<id>/resourceGroups/<name>`
   * @throws when the text is no ARM id
   */
  public static fromArmId(armId: string): AzureReference {
    assertArmId(armId);
    return new AzureReference({ armId });
  }

  /**
   * A resource of one ARM type by its ARM id. The `fromArmId` of every generated class uses it.
   * @param armId the id
   * @param armType e.g. `Microsoft.Storage/storageAccounts`; compared without regard to case
   * @param group API group of the kind
   * @param kind name of the kind
   * @throws when the text is no ARM id or the id of another type
   */
  public static fromTypedArmId(armId: string, armType: string, group: string, kind: string): AzureReference {
    assertArmId(armId);
    const got = armTypeOf(armId)!;
    if (got.toLowerCase() !== armType.toLowerCase()) {
      throw new Error(`'${armId}' is the id of a ${got}, not of a ${armType} (${kind}). Give the id of a ${armType}, or use AzureReference.fromArmId where any type will do.`);
    }
    return new AzureReference({ armId, group, kind });
  }

  /**
   * An object of the same namespace that is not a construct of this app.
   * @param group API group, e.g. `storage.azure.com`
   * @param kind e.g. `StorageAccount`
   * @param name the Kubernetes name
   * @throws when the name is no Kubernetes name, or the group has a version
   */
  public static fromName(group: string, kind: string, name: string): AzureReference {
    if (!isKubernetesName(name)) {
      const hint =
        typeof name === 'string' && isArmId(name)
          ? 'It looks like an ARM id: use fromArmId.'
          : "Give the metadata.name of the object: lower-case letters, digits, '-' and '.'.";
      throw new Error(`${kind}.fromName: '${name}' is not the name of a Kubernetes object. ${hint}`);
    }
    if (typeof group === 'string' && group.includes('/')) {
      throw new Error(
        `AzureReference.fromName: the group '${group}' has a version. Give the group alone: '${group.slice(0, group.indexOf('/'))}'.`,
      );
    }
    return new AzureReference({ group, kind, name });
  }

  /**
   * A resource that Azure knows by name, for properties that take one (built-in roles, private link aliases).
   * @param name the name
   */
  public static wellKnown(name: string): AzureReference {
    if (typeof name !== 'string' || name === '') {
      throw new Error('AzureReference.wellKnown: the name is empty. Give the name that Azure documents.');
    }
    return new AzureReference({ wellKnownName: name });
  }

  /**
   * The ARM id that a resource has or will have. The `armIdFor` of every generated class uses it.
   * @param resource the construct, or a reference by ARM id
   * @param subscriptionId the subscription in which the resource's credential works, a UUID
   * @throws when the id is not known before the objects are applied
   */
  public static armIdFor(resource: IAzureResourceRef, subscriptionId: string): string {
    return armIdFor(resource, subscriptionId);
  }

  /** The reference to the resource. */
  public readonly azureResourceRef: AzureResourceReference;

  private constructor(reference: AzureResourceReference) {
    this.azureResourceRef = reference;
  }
}

function assertArmId(armId: string): void {
  if (typeof armId === 'string' && isArmId(armId)) return;
  throw new Error(`'${armId}' is not an ARM id. Write /subscriptions/<id>/resourceGroups/<name>/providers/<namespace>/<type>/<name>, the id that Azure shows as "Resource ID".`);
}
