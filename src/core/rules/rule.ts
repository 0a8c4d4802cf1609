import type { ObjectSet } from './object-set';
import type { AzureObject, SetObject } from './set-object';
import type { FieldPath } from '../../catalog/validate-spec';

/** `error`: the object will be refused, or will fail. `warning`: it may. `info`: worth knowing. */
export type Severity = 'error' | 'warning' | 'info';

/** A finding of a rule in an object. */
export interface Found {
  /** `spec.owner.name`, or the path if a step contains dots. */
  readonly field?: string | FieldPath | undefined;
  readonly message: string;
  /** The fix. */
  readonly fix: string;
  /** The severity, if it differs from the rule's. */
  readonly severity?: Severity | undefined;
  /** The consequence, if it differs from the rule's. */
  readonly why?: string | undefined;
}

export interface FoundAt extends Found {
  readonly object: SetObject;
}

/** Finds the violations of a rule in a set of objects. Does not throw, whatever the objects contain. */
export type Find = (set: ObjectSet) => Iterable<FoundAt>;

export interface Rule {
  /** Lower case with dashes, e.g. `owner-form`. Never changes, because suppressions contain it. */
  readonly id: string;
  readonly severity: Severity;
  /** The problem, in a sentence. */
  readonly title: string;
  /** The consequence of the problem. */
  readonly why: string;
  readonly find: Find;
  /** `group/Kind` of the kinds without which there is nothing to find. Default: any set may have something. */
  readonly kinds?: readonly string[] | undefined;
  /** Where the rule runs (src/core/rules/all-rules.ts). */
  readonly asked: 'both' | 'props' | 'manifests';
  /** Whether it is one of Azure's own limits, of values that the API server takes. */
  readonly isOfAzure?: boolean | undefined;
}

/** A finder that checks one Azure object at a time. */
export function ofEach(find: (object: AzureObject, set: ObjectSet) => readonly Found[]): Find {
  return (set) => set.azure.flatMap((object) => find(object, set).map((found) => ({ ...found, object })));
}

/** A finder that compares objects. */
export function ofSet(find: Find): Find {
  return find;
}

/** The path of an annotation. */
export function annotationPath(key: string): FieldPath {
  return ['metadata', 'annotations', key];
}
