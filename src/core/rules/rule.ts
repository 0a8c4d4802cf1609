import type { AzureObject, ObjectSet, SetObject } from './object-set';
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

/** A rule over a set of manifests. Rules do not throw, whatever the manifests contain. */
export interface Rule {
  /** Lower case with dashes, e.g. `owner-form`. Never changes: suppressions name it. */
  readonly id: string;
  readonly severity: Severity;
  /** Why anyone should care: what happens otherwise. */
  readonly why: string;
  readonly find: (set: ObjectSet) => Iterable<FoundAt>;
}

/** A rule that looks at one Azure object at a time. */
export function objectRule(id: string, severity: Severity, why: string, find: (object: AzureObject, set: ObjectSet) => readonly Found[]): Rule {
  return { id, severity, why, find: (set) => set.azure.flatMap((object) => find(object, set).map((found) => ({ ...found, object }))) };
}

/** A rule that compares objects. */
export function setRule(id: string, severity: Severity, why: string, find: (set: ObjectSet) => Iterable<FoundAt>): Rule {
  return { id, severity, why, find };
}

/** The place of an annotation. */
export function annotationPath(key: string): FieldPath {
  return ['metadata', 'annotations', key];
}
