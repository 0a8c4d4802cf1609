import type { Taken } from './taken';

/** An object of Azure Service Operator v1, whose members a mapping takes. */
export interface OldObject {
  readonly kind: string;
  readonly name: string;
  readonly spec: Taken;
  /** Members beside the spec. */
  readonly rest: Taken;
  /**
   * The name of an object that v1 did not have: valid in Kubernetes, and another one than those of other resources.
   * @param words words that it is made of
   * @param resource text that tells the resource in Azure from others
   */
  readonly nameFor: (kind: string, words: readonly string[], resource: string) => string;
}

/** An object of v2 in its place. */
export interface NewObject {
  /** Service and kind: `storage/StorageAccount`. */
  readonly kind: string;
  readonly name: string;
  /** Members that are undefined are left out. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** Whether several objects of v1 have this one in common: a file has it once. */
  readonly isShared?: boolean;
}

export interface Replacement {
  readonly objects: readonly NewObject[];
  /** Sentences for people: facts of v1 that the new objects lack, and work that is left. */
  readonly notes?: readonly string[];
}

export type Mapping = (old: OldObject) => Replacement;

/** The owner by its name in the cluster, which v1 had as the name in Azure. */
export function ownerNamed(name: string | undefined): { readonly name: string } | undefined {
  return name === undefined ? undefined : { name };
}

/** Owner and place of a resource in a resource group. */
export function inGroup({ spec, name }: OldObject): Readonly<Record<string, unknown>> {
  return { azureName: name, owner: ownerNamed(spec.text('resourceGroup')), location: spec.text('location') };
}

/** A reference to a resource by its id. */
export function byId(armId: string | undefined): { readonly armId: string } | undefined {
  return armId === undefined ? undefined : { armId };
}

/** The value, or undefined for an object without members. */
export function unlessEmpty<T extends object>(value: T): T | undefined {
  return Object.values(value).some((member) => member !== undefined) ? value : undefined;
}

/** The list without elements that have no member; undefined where none is left. */
export function unlessNone<T extends object>(list: readonly T[]): readonly T[] | undefined {
  const full = list.filter((element) => unlessEmpty(element) !== undefined);
  return full.length === 0 ? undefined : full;
}

/** The Secret that v1 made for an object: `<kind>-<name>` since its second naming scheme. */
export function secretOfV1(kind: string, name: string): string {
  return `${kind.toLowerCase()}-${name}`;
}

/** A text in another spelling of a table; others as they are. */
export function spelledAs(text: string | undefined, spellings: readonly string[]): string | undefined {
  return spellings.find((spelling) => spelling.toLowerCase() === text?.toLowerCase()) ?? text;
}
