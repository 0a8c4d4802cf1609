import type { Struct } from '../../util/records';

/**
 * A resource as a rule reads it: an object of a manifest, a construct, or the body of a request. Members have the names of the spec.
 */
export interface AzureSubject {
  /** `group/Kind`. */
  readonly kind: string;
  /** The name in Azure. */
  readonly name: string;
  readonly spec: Struct;
  /**
   * Whether the resource is in Azure already: the object only takes over (`aso.cdk8s.io/adopt: IfPresent`), or the request changes it.
   * Values that Azure requires at creation alone may be missing then.
   */
  readonly exists: boolean;
  /** The owner, where it is known. */
  readonly owner: AzureSubject | undefined;
  /** Other resources of the same kind with the same owner, in order. */
  readonly siblings: readonly AzureSubject[];
  /** Resources of another kind with the same owner. */
  beside(kind: string): readonly AzureSubject[];
  /** The resource that a reference of the spec names, where it is known. */
  referenced(reference: unknown): AzureSubject | undefined;
  /** The resource of a kind whose names are unique in all of Azure, by its name, where it is known. */
  named(kind: string, name: string): AzureSubject | undefined;
}

export interface Violation {
  /** Path in the spec: `backup.backupRetentionDays`. */
  readonly field: string;
  readonly message: string;
  /** The fix, as an imperative. */
  readonly fix: string;
  /** `warning` where the library may know less than Azure, `info` where nothing is wrong yet. Default: Azure refuses it. */
  readonly severity?: 'warning' | 'info' | undefined;
}

/** A finder that finds one thing. */
export function violation(field: string, message: string, fix: string): readonly Violation[] {
  return [{ field, message, fix }];
}

/** A limit that Azure documents, or that its answer states, and that no schema has. */
export interface AzureRule {
  /** Lower case with hyphens, permanent: suppressions contain it. */
  readonly id: string;
  /** `group/Kind` of the kinds that it is about; empty for all. */
  readonly kinds: readonly string[];
  /** The limit, in a sentence. */
  readonly title: string;
  /** Page that states it. */
  readonly evidence: string;
  /** Code of Azure's answer. Undefined if Azure takes it, or may take it: then each violation is a warning, unless the rule `fails`. */
  readonly code: string | undefined;
  /** The failure that follows later, or until something else changes: then a violation is an error, but none that refuses the PUT. */
  readonly fails?: string;
  /** The violations. Does not throw, whatever the spec contains. */
  readonly find: Find;
}

/** Finds violations of a rule in a resource. */
export interface Find {
  (subject: AzureSubject): readonly Violation[];
  /** Members of the spec: it has nothing to say about a spec without all of them. Undefined if that depends on more. */
  readonly members?: readonly string[] | undefined;
}

/**
 * Makes a new function a finder that has nothing to say about a spec without all of the members that the paths begin with. Most resources
 * have few of the members that rules are about, so that most rules need not run.
 */
export function ofMembers(paths: readonly string[], find: (subject: AzureSubject) => readonly Violation[]): Find {
  return Object.assign(find, { members: [...new Set(paths.map(memberOf))] });
}

function memberOf(path: string): string {
  return /^[^.[]+/.exec(path)![0];
}

/** Whether a finder may have something to say about a spec. */
export function concerns({ members }: Find, spec: Struct): boolean {
  return members === undefined || members.some((member) => Object.hasOwn(spec, member));
}

/** A rule; `finds` are its parts. */
export function rule(
  id: string,
  kinds: string | readonly string[],
  title: string,
  [evidence, code]: readonly [evidence: string, code: string],
  ...finds: Find[]
): AzureRule {
  const find = finds.length === 1 ? finds[0]! : together(finds);
  return { id, kinds: typeof kinds === 'string' ? [kinds] : kinds, title, evidence, code, find };
}

/** A finder of warnings: of what Azure takes, or may take, although it is unwise. */
export function unwise(find: Find): Find {
  const warnings = (subject: AzureSubject) => find(subject).map((one) => ({ ...one, severity: one.severity ?? 'warning' as const }));
  return Object.assign(warnings, { members: find.members });
}

function together(finds: readonly Find[]): Find {
  const all = (subject: AzureSubject) => finds.flatMap((one) => one(subject));
  return finds.every(({ members }) => members) ? ofMembers(finds.flatMap(({ members }) => members ?? []), all) : all;
}

/** A rule about what Azure takes, or may take, although it is unwise. */
export function advice(
  id: string,
  kinds: string | readonly string[],
  title: string,
  evidence: string,
  ...finds: Find[]
): AzureRule {
  const made = rule(id, kinds, title, [evidence, ''], ...finds);
  return { ...made, code: undefined, find: unwise(made.find) };
}

/** A rule about what cannot work, although no PUT is refused for it: `fails` says what comes of it, in a clause. */
export function futile(
  id: string,
  kinds: string | readonly string[],
  title: string,
  [evidence, fails]: readonly [evidence: string, fails: string],
  ...finds: Find[]
): AzureRule {
  return { ...rule(id, kinds, title, [evidence, ''], ...finds), code: undefined, fails };
}

/** A resource of which nothing but its spec is known. */
export function subjectAlone(kind: string, name: string, spec: Struct): AzureSubject {
  const nothing = () => undefined;
  return { kind, name, spec, exists: false, owner: undefined, siblings: [], beside: () => [], referenced: nothing, named: nothing };
}

/** Documents of Azure. */
export const LEARN = 'https://learn.microsoft.com/azure';
