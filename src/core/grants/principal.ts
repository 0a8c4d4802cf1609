import { PrincipalType } from './principal-type';
import type { ConfigMapValue } from '../config-map-value';
import { assertUuid } from '../credentials/ids';

/** Something that a role can be granted to: an identity of the app, the output of a resource, or a `Principal`. */
export interface IPrincipal {
  /** The principal. */
  readonly principal: Principal;
}

/** A user, group or service principal of Entra that roles are granted to. */
export class Principal implements IPrincipal {
  /**
   * A principal of which the object id is known.
   * @param id object id in Entra, a UUID; for a managed identity that of its service principal, not the client id
   * @param type its type; default: Azure looks it up, and does not find one that was created seconds ago
   * @throws when the id is no UUID
   */
  public static fromObjectId(id: string, type?: PrincipalType): Principal {
    assertUuid('object id', id);
    return new Principal(id, undefined, type);
  }

  /**
   * A principal of which the object id is in a ConfigMap.
   * @param value the value, e.g. `cluster.output('principalId')`
   * @param type its type; default: that of a managed identity
   */
  public static fromConfig(value: ConfigMapValue, type: PrincipalType = PrincipalType.SERVICE_PRINCIPAL): Principal {
    return new Principal(undefined, value, type);
  }

  /** Object id in Entra, if it is known. */
  public readonly objectId: string | undefined;

  /** The ConfigMap with the object id, if the id is known only later. */
  public readonly objectIdFromConfig: ConfigMapValue | undefined;

  /** The type of the principal, if it is known. */
  public readonly type: PrincipalType | undefined;

  private constructor(objectId: string | undefined, fromConfig: ConfigMapValue | undefined, type: PrincipalType | undefined) {
    this.objectId = objectId;
    this.objectIdFromConfig = fromConfig;
    this.type = type;
  }

  /** The principal itself. */
  public get principal(): Principal {
    return this;
  }
}
