import type { SharedRole } from './shared-role';

/** A kind of resource that services can ask for in a shared service. */
export interface SharedResourceKind {
  /** Kind, e.g. `NamespacesEventhub`. Without `group`, any word that requests name it by. */
  readonly kind: string;
  /**
   * API group, e.g. `eventhub.azure.com`.
   * @default - no object is created: the resource exists, and services only get roles on it
   */
  readonly group?: string;
  /**
   * Path of the resources below the shared service, if there is no `group`, e.g. `secrets`.
   * @default - the path of the kind in Azure
   */
  readonly path?: string;
  /**
   * The roles that services can ask for on a resource.
   * @default - none
   */
  readonly roles?: SharedRole[];
  /**
   * Properties of the `spec` that a request can replace with `settings`; objects are merged. In a text, `{name}` stands for the name
   * in Azure, `{location}` for the region of the environment.
   * @default - none
   */
  readonly defaults?: { [property: string]: any };
  /**
   * Properties of the `spec` that no request can change. The same texts have a meaning.
   * @default - none
   */
  readonly fixed?: { [property: string]: any };
  /**
   * Kinds of resources that services can ask for in such a resource, e.g. the consumer groups of an event hub. Their names are the team's
   * own.
   * @default - none
   */
  readonly children?: SharedResourceKind[];
}
