import { IConstruct } from 'constructs';
import { AzureNameRules } from './azure-name-rules';

/** A resource that needs an Azure name. */
export interface AzureNameRequest {
  /** The resource. Its own Azure name must not be asked for: it is what is being made. */
  readonly resource: IConstruct;
  /** API group, e.g. `storage.azure.com`. */
  readonly group: string;
  /** Kind, e.g. `StorageAccount`. */
  readonly kind: string;
  /**
   * The ids of the constructs from the scope to which the naming was applied (without it) down to the resource. `Default` and
   * `Resource` are left out, as in Kubernetes names.
   */
  readonly path: string[];
  /** What Azure allows. `rules.fit(words)` makes a valid name. */
  readonly rules: AzureNameRules;
}

/** Gives resources their Azure names. Has to give the same name each time. */
export interface IAzureNamingStrategy {
  /**
   * The Azure name of a resource that was not given one.
   * @param request the resource and what is allowed
   */
  nameOf(request: AzureNameRequest): string;
}
