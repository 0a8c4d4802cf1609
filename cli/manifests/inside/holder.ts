import type { FieldPath } from '../../../src/catalog/validate-spec';
import type { Struct } from '../../../src/util/records';

/** Namespace of an inner object: always that of its holder; the holder's unless it has one; as it is written. */
export type InnerNamespace = 'of-holder' | 'holder-by-default' | 'own';

/** Kinds of objects that hold other Kubernetes objects, and what becomes of these. */
export interface Holder {
  /** The tool whose controller applies the inner objects. */
  readonly by: string;
  readonly group: string;
  readonly kinds: readonly string[];
  /**
   * Where the inner objects are: `a[]` stands for each element of a list, `a{}` for each value of a map, `a*` for each of either, `a|` for
   * the value that the text at `a` has as YAML. An element that is no object, or a list of objects, is left alone.
   */
  readonly places: readonly string[];
  readonly namespace: InnerNamespace;
  /** The member of the spec with the namespace for which inner objects are, before the holder's own. */
  readonly targetNamespace?: string;
  /**
   * Whether something makes the objects of what is written here, now, later, or often: their names, fields and neighbours come from
   * elsewhere too.
   */
  readonly isTemplate?: boolean;
  /** Whether other objects, or later steps, add fields to the inner objects or change them: what is missing may come from there. */
  readonly isPatched?: boolean;
  /** Whether an inner object without a name has its holder's. In a template, it gets one later. */
  readonly isNamedByHolder?: boolean;
  /** The inner object of what is at a place; undefined for something else. */
  readonly read?: ReadInner;
  /** Rules of `check` whose advice the controller does not let anybody follow. */
  readonly withoutRules?: readonly string[];
  /** By kind: changes that the controller makes to inner objects before it applies them. */
  readonly changes?: Readonly<Record<string, string>>;
  /** Where the place is documented. */
  readonly evidence: string;
}

/** A value at a place of a holder. */
export interface FoundInside {
  readonly value: unknown;
  /** From the holder to the value. */
  readonly path: FieldPath;
  readonly holder: Struct;
}

/** An inner object as its controller would have it; `pathOf`: where a field of it is written, from the value at the place. */
export interface ReadObject {
  readonly value: unknown;
  readonly pathOf?: (field: FieldPath) => FieldPath;
}

export type ReadInner = (found: FoundInside) => ReadObject | undefined;
