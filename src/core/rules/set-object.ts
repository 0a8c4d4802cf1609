import type { KindVersion } from '../../catalog/kind';
import { Struct } from '../../util/records';
import { GraphObject } from '../graph/graph-object';
import { ManifestLike } from '../graph/manifest-object';

/** As much of a Kubernetes object as rules look at. */
export interface RuleManifest extends ManifestLike {
  readonly metadata: ManifestLike['metadata'] & { readonly finalizers?: unknown; readonly labels?: unknown };
  readonly status?: unknown;
}

/** An object of the set. */
export interface SetObject {
  readonly index: number;
  readonly manifest: RuleManifest;
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Struct;
  /** How messages call the object: `StorageAccount shop/data`, or the path of the construct. */
  readonly title: string;
  /** False where a part of the spec is missing because it was faulty. */
  readonly isWhole: boolean;
  /** A field as the author of the object knows it: `spec.azureName`, or the prop `azureName`. */
  fieldName(field: string): string;
}

/** An object of a kind and version that the catalog has. */
export interface AzureObject extends SetObject {
  readonly version: KindVersion;
  /** What it says about others. */
  readonly facts: GraphObject;
}

export function isAzure(object: SetObject): object is AzureObject {
  return 'version' in object;
}

export function titleOf({ title }: SetObject): string {
  return title;
}

/** Whether two are one object for the cluster: the same object twice is the affair of one rule. */
export function isNamesake(one: SetObject, other: SetObject): boolean {
  return one.group === other.group && one.kind === other.kind && one.name === other.name && one.namespace === other.namespace;
}
