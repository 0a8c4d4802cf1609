import type { ApiObject } from 'cdk8s';
import type { AzureResourceProps } from './azure-resource-props';
import type { CheckedResource } from './checks/checked-resource';
import type { Output } from './output';
import type { AzureResourceReference } from './resource-reference';

/**
 * An `AzureResource` as checks, aspects, names and graphs need it. They stand below the class, which calls them, so they must not import it.
 */
export interface ResourceInternals extends ApiObject {
  /** The owner: the resource in which Azure keeps this one. Undefined for kinds without. */
  readonly owner: AzureResourceReference | undefined;
  /** The props as they were given. */
  readonly _given: AzureResourceProps;
  /** Whether the cluster is to refuse the object's deletion. */
  readonly _isProtected: boolean;
  /** Props → spec, with all that is to be said about it. */
  _check(): CheckedResource;
  /** Has the props converted again: tokens may have another value by the next look. */
  _invalidate(): void;
  /** A value that Azure gives the resource, exported to a ConfigMap. */
  output(name: string): Output;
}

// The registry's symbol: an app may have the library twice.
const RESOURCE_SYMBOL = Symbol.for('cdk8s-aso.AzureResource');

/** Marks a construct as an Azure resource, for those who must not import the class. */
export function markAsResource(construct: ResourceInternals): void {
  Object.defineProperty(construct, RESOURCE_SYMBOL, { value: true });
}

export function isResource(construct: unknown): construct is ResourceInternals {
  return typeof construct === 'object' && construct !== null && RESOURCE_SYMBOL in construct;
}
