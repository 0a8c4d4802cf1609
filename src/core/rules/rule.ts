import type { ObjectSet } from './object-set';
import type { AzureObject, SetObject } from './set-object';
import type { FieldPath } from './validate-spec';

/** `error`: it will be refused or go wrong. `warning`: it may. `info`: worth knowing. */
export type Severity = 'error' | 'warning' | 'info';

/** What a rule has to say about an object. */
export interface Found {
  /** `spec.owner.name`, or the path where a step has dots of its own. */
  readonly field?: string | FieldPath;
  readonly message: string;
  /** What to write instead. */
  readonly fix: string;
  /** Where it is not the rule's. */
  readonly severity?: Severity;
}

export interface FoundAt extends Found {
  readonly object: SetObject;
}

/** What finds something in a set of objects. It does not throw, whatever the objects contain. */
export type Find = (set: ObjectSet) => Iterable<FoundAt>;

export interface Rule {
  /** Lower case with dashes, e.g. `owner-form`. Never changes: suppressions name it. */
  readonly id: string;
  readonly severity: Severity;
  /** What is wrong, in a sentence. */
  readonly title: string;
  /** Why anyone should care: what happens otherwise. */
  readonly why: string;
  readonly find: Find;
  /** Of whom the rule is asked (src/core/rules/all-rules.ts). */
  readonly asked: 'both' | 'props' | 'manifests';
}

/** Looks at one Azure object at a time. */
export function ofEach(find: (object: AzureObject, set: ObjectSet) => readonly Found[]): Find {
  return (set) => set.azure.flatMap((object) => find(object, set).map((found) => ({ ...found, object })));
}

/** Compares objects. */
export function ofSet(find: Find): Find {
  return find;
}

/** The place of an annotation. */
export function annotationPath(key: string): FieldPath {
  return ['metadata', 'annotations', key];
}
