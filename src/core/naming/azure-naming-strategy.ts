import { IConstruct } from 'constructs';
import { AzureNameRules } from './azure-name-rules';

/** A resource that needs an Azure name. */
export interface AzureNameRequest {
  /** The resource. Do not read its own Azure name here: it is the result of the strategy. */
  readonly resource: IConstruct;
  /** API group, e.g. `storage.azure.com`. */
  readonly group: string;
  /** Kind, e.g. `StorageAccount`. */
  readonly kind: string;
  /**
   * The ids of the constructs from the scope to which the naming was applied (exclusive) down to the resource. `Default` and `Resource` are
   * omitted, as in Kubernetes names.
   */
  readonly path: string[];
  /** Azure's rules for the name. `rules.fit(words)` builds a valid name. */
  readonly rules: AzureNameRules;
}

/** Derives Azure names of resources. Has to return the same name each time. */
export interface IAzureNamingStrategy {
  /**
   * The Azure name of a resource without an explicit one.
   * @param request the resource and the rules for its name
   */
  nameOf(request: AzureNameRequest): string;
}
