import type { Catalog } from '../../catalog/catalog';
import type { CorrectedField } from '../../catalog/corrected-spec';
import type { KindVersion } from '../../catalog/kind';
import { Struct } from '../../util/records';
import { GraphObject } from '../graph/graph-object';
import { ManifestLike } from '../graph/manifest-object';

/** The part of a Kubernetes object that rules read. */
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
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
  /** All of the metadata, where `manifest` has a part of it. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly spec: Struct;
  /** The object's title in messages: `StorageAccount shop/data`, or the path of the construct. */
  readonly title: string;
  /** False if an invalid part of the spec is missing. */
  readonly isWhole: boolean;
  /** Fields of the spec that are written in another place, or under another name, than they are meant: `spec` has them corrected. */
  readonly corrected?: readonly CorrectedField[] | undefined;
  /** A field by the name that the object's author uses: `spec.azureName`, or the prop `azureName`. */
  fieldName(field: string): string;
}

/** An object of a kind and version that the catalog has. */
export interface AzureObject extends SetObject {
  /** The object as it is written, if its kind or version does not exist: this is what is meant. */
  readonly written?: SetObject | undefined;
  readonly version: KindVersion;
  /** References to other objects. */
  readonly facts: GraphObject;
}

/** Objects from which credentials, and ARM ids in their subscriptions, are worked out. */
export interface CredentialSet {
  readonly objects: readonly SetObject[];
  /** The objects of a kind and version that the catalog has. */
  readonly azure: readonly AzureObject[];
  readonly catalog: Catalog;
  find(group: string, kind: string, namespace: string | undefined, name: string): SetObject | undefined;
  /** The owner, if it is named and in this set. */
  ownerOf(object: AzureObject): AzureObject | undefined;
  /** The Namespace of an object, if it is in this set. */
  namespaceOf(object: SetObject): SetObject | undefined;
}

export function isAzure(object: SetObject): object is AzureObject {
  return 'version' in object;
}

export function titleOf({ title }: SetObject): string {
  return title;
}

/** Whether two are the same object in the cluster. Only one rule reports the same object twice. */
export function isNamesake(one: SetObject, other: SetObject): boolean {
  return one.group === other.group && one.kind === other.kind && one.name === other.name && one.namespace === other.namespace;
}
