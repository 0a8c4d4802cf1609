import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { AzureResourceProps } from './azure-resource-props';
import type { CheckedResource } from './checks/checked-resource';
import type { Output } from './output';
import type { AzureResourceReference } from './resource-reference';

/**
 * The part of `AzureResource` that checks, aspects, names and graphs need. The class calls them, so they must not import it.
 */
export interface ResourceInternals extends ApiObject {
  /** The owner: the resource in which Azure keeps this one. Undefined for kinds without an owner. */
  readonly owner: AzureResourceReference | undefined;
  /** The props as the caller passed them. */
  readonly _given: AzureResourceProps;
  /** Whether the cluster refuses to delete the object. */
  readonly _isProtected: boolean;
  /** Whether Azure's keys or connection strings are written to a Secret. */
  readonly _exportsSecrets: boolean;
  /** Property, as a path in the props → the scope, or the owner, that has its value. */
  readonly _origins: ReadonlyMap<string, IConstruct>;
  /** The Secret of the credential, if it is in the app. */
  readonly _credentialSecret: ApiObject | undefined;
  /** Converts the props to the spec, with all problems found. */
  _check(): CheckedResource;
  /** Has the props converted again: tokens may resolve to another value the next time. */
  _invalidate(): void;
  /** A value that Azure gives the resource, exported to a ConfigMap. */
  output(name: string): Output;
}

// In the global symbol registry, because an app may load two copies of the library.
const RESOURCE_SYMBOL = Symbol.for('cdk8s-aso.AzureResource');

/** Marks a construct as an Azure resource, for modules that must not import the class. */
export function markAsResource(construct: ResourceInternals): void {
  Object.defineProperty(construct, RESOURCE_SYMBOL, { value: true });
}

export function isResource(construct: unknown): construct is ResourceInternals {
  return typeof construct === 'object' && construct !== null && RESOURCE_SYMBOL in construct;
}
