import type { CredentialReference, IAzureResourceRef } from '../../core';

/**
 * An object that grants access where Azure has no role assignments for it: the data of Cosmos DB, of Redis, of databases. Its owner is the
 * shared service, or the resource that the role is for. Texts in `properties` may contain `{service}` (ARM id of the shared service),
 * `{resource}` (ARM id of the resource that the role is for), `{name}` (its name in Azure), `{namespace}` (the team's namespace),
 * `{login}` (the name with which the service logs in to databases, 32 characters at most), `{access}` (a name of at most 60 lower-case
 * letters, digits and hyphens that is unique to identity, role and resource) and `{accessId}` (the same as 32 hexadecimal digits).
 */
export interface AccessObject {
  /** API group, e.g. `documentdb.azure.com`. */
  readonly group: string;
  /** Kind, e.g. `SqlRoleAssignment`. */
  readonly kind: string;
  /**
   * Path of the property below `spec` that takes the identity's object id from a ConfigMap, e.g. `principalIdFromConfig`.
   * @default - none: the object names no identity
   */
  readonly principal?: string;
  /**
   * Path of the property below `spec` that takes the identity's client id from a ConfigMap, e.g. `clientIdFromConfig`.
   * @default - none
   */
  readonly client?: string;
  /**
   * The credential for the object, a Secret in the platform's namespace.
   * @default - the platform's own credential
   */
  readonly credential?: CredentialReference;
  /**
   * Whether Azure takes only one object of the kind for an identity on a resource, so that a service can have only one such role on it.
   * @default false
   */
  readonly exclusive?: boolean;
  /** The other properties of the `spec`, without the owner. */
  readonly properties: { [name: string]: any };
}

/** A role that services can ask for on a shared service, or on a resource in it, by its name. */
export class SharedRole {
  /**
   * A role of Azure: a role assignment on the resource.
   * @param name name of the role in requests, e.g. `EventHubSender`
   * @param definition a `BuiltInRole`, `BuiltInRole.custom(id)`, or a role definition of the app
   */
  public static assignment(name: string, definition: IAzureResourceRef): SharedRole {
    return new SharedRole(name, [], definition);
  }

  /**
   * A role that other objects grant.
   * @param name name of the role in requests, e.g. `CacheReader`
   * @param objects the objects, in the order in which they are needed
   */
  public static access(name: string, objects: AccessObject[]): SharedRole {
    return new SharedRole(name, objects);
  }

  /** Name of the role in requests. */
  public readonly name: string;
  /** The role definition; undefined if other objects grant the role. */
  public readonly definition: IAzureResourceRef | undefined;
  /** The objects that grant the role; empty if it is a role of Azure. */
  public readonly objects: AccessObject[];

  private constructor(name: string, objects: AccessObject[], definition?: IAzureResourceRef) {
    this.name = name;
    this.definition = definition;
    this.objects = [...objects];
  }
}
