import { causesOf, type Cause } from './causes';
import { certain } from './certain-findings';
import { expressionRule } from './expression-rule';
import { jsonReport } from './json-report';
import { LocatedFinding, LocatedSuppression } from './located-finding';
import { holdsForPart, isOfEmptyDefault } from './partial-findings';
import { forRelease, releaseRule } from './release-rule';
import { holdsInside, ruleSetsOf } from './rule-sets';
import { isNamedElsewhere, namesOf, NOT_IN_FILES, withoutRepeatedNotes, withoutRepetitions } from './several-sets';
import { textReport } from './text-report';
import type { Severity } from '../../src/core/rules/rule';
import { runRules, type Finding } from '../../src/core/rules/run-rules';
import type { RuleManifest } from '../../src/core/rules/set-object';
import { releaseNamed } from '../catalog/release-named';
import { type FileOptions, printNotes } from '../manifests/file-options';
import { foldersOf } from '../manifests/folders/folder-options';
import { laterText, laterValuesOf } from '../manifests/later/later-values';
import { valuesOf } from '../manifests/later/value-options';
import { fieldOf, type Manifest, type Manifests } from '../manifests/manifests';
import { readManifests, readRepositories } from '../manifests/read-manifests';
import type { Problem } from '../output/problem';
import type { Terminal } from '../output/terminal';

export interface CheckOptions extends FileOptions {
  readonly output: 'text' | 'json';
  /** The lowest severity that is printed. */
  readonly severity: Severity;
  /** Warnings count as errors, and variables in the files are taken as they are written. */
  readonly strict: boolean;
  /** A line for each finding, of one cause or not. */
  readonly verbose: boolean;
  /** Directories with all that is below them, each part of it a set by itself. */
  readonly recursive?: boolean;
  /** The release of Azure Service Operator that the clusters run. */
  readonly release?: string;
}

const RANK: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** The namespace that kubectl uses for objects without a namespace. */
const DEFAULT_NAMESPACE = 'default';

/** Checks the objects of files. Returns the exit status. */
export function check(files: readonly string[], options: CheckOptions, terminal: Terminal): number {
  const release = options.release === undefined ? undefined : releaseNamed('--release', options.release);
  const [values, folders] = [valuesOf(options), foldersOf(options)];
  const sets = options.recursive ? readRepositories(files, values, folders) : [readManifests(files, 'keep', values, folders)];
  const notes = withoutRepeatedNotes(sets.flatMap((set) => set.notes ?? []));
  const later = options.strict ? undefined : laterValuesOf(sets.flatMap(({ manifests }) => manifests));
  const checked = sets.map((set) => checkSet(set, release, options.strict));
  const named = options.recursive ? namesOf(sets) : undefined;
  const once = <T extends LocatedFinding>(findings: readonly T[]) => (
    inFileOrder(options.recursive ? withoutRepetitions(findings) : findings)
  );
  const all = once(checked.flatMap(({ findings }) => findings))
    .filter((finding) => !(named && finding.rule === NOT_IN_FILES && isNamedElsewhere(finding, named)));
  const suppressed = once(checked.flatMap((one) => one.suppressed));
  const reported = all.filter(({ severity }) => RANK[severity] <= RANK[options.severity]);
  const counts = { error: count(all, 'error'), warning: count(all, 'warning'), info: count(all, 'info') };
  const summary = {
    objects: checked.reduce((sum, { objects }) => sum + objects, 0),
    ...counts,
    suppressed: suppressed.length,
    ...(later && later.count > 0 && { later }),
    ...(options.recursive && { sets: sets.filter(({ manifests }) => manifests.length > 0).length }),
  };
  const { verbose, output } = options;
  if (output === 'text') {
    printNotes(notes, terminal);
    if (later && later.count > 0) terminal.note(laterText(later));
  }
  terminal.print(output === 'json'
    ? jsonReport(reported, suppressed, summary, notes)
    : textReport(verbose ? reported.map(alone) : causesOf(reported), summary, terminal.style, 'Check', verbose));
  return summary.error > 0 || (options.strict && summary.warning > 0) ? 1 : 0;
}

interface CheckedSet {
  readonly objects: number;
  readonly findings: readonly LocatedFinding[];
  readonly suppressed: readonly LocatedSuppression[];
}

/** @param isStrict whether variables are taken as they are written */
function checkSet({ manifests, problems, patches = [] }: Manifests, release: string | undefined, isStrict: boolean): CheckedSet {
  const more = [expressionRule(), ...(release === undefined ? [] : [releaseRule(release)])];
  const run = (objects: readonly RuleManifest[]) => runRules(objects, { defaultNamespace: DEFAULT_NAMESPACE, more });
  const resultsOf = (ones: readonly Manifest[], isLiteral: boolean) => {
    const report = run(ones.map(({ object }) => object));
    const at = ({ object: { index }, rule }: Finding): Manifest => {
      const manifest = ones[index];
      if (manifest === undefined) throw new RangeError(`finding ${rule} names object ${index} of ${ones.length} objects`);
      return manifest;
    };
    const found = report.findings.flatMap((one) => (release === undefined ? one : forRelease(one, release) ?? []));
    const later = isLiteral ? undefined : laterValuesOf(ones);
    const isKnown = later === undefined ? () => true : certain(ones, later, run);
    const holds = (one: Finding) => (
      holdsInside(one.rule, at(one))
      && (!at(one).isPartial || holdsForPart(one.rule, at(one).hasOpenValues))
      && !isOfEmptyDefault(at(one), one.path)
    );
    return {
      findings: found.filter((one) => isKnown(one) && holds(one)).map((one) => locate(one, at(one))),
      suppressed: report.suppressed.map((one): LocatedSuppression => ({ ...locate(one, at(one)), reason: one.reason })),
    };
  };
  const ofObjects = ruleSetsOf(manifests).map((set) => resultsOf(set.manifests, isStrict && !set.isTemplate));
  const results = [...ofObjects, resultsOf(patches, isStrict)];
  return {
    objects: manifests.length,
    findings: [...problems.map(unreadable), ...results.flatMap(({ findings }) => findings)],
    suppressed: results.flatMap(({ suppressed }) => suppressed),
  };
}

function alone(first: LocatedFinding): Cause {
  return { first, others: [] };
}

function locate({ rule, severity, object, field, path, message, why, fix }: Finding, manifest: Manifest): LocatedFinding {
  const { kind, name, manifest: { apiVersion }, namespace } = object;
  const place = field === undefined ? undefined : fieldOf(manifest, field);
  const finding = { severity, rule, apiVersion, kind, namespace, name, field: place, message, why, fix };
  return { file: manifest.file, line: manifest.lineOf(path), ...finding, ...(manifest.inside && { inside: manifest.inside.holder }) };
}

/** A finding for a document that could not be read, or not as it is written; the other objects are checked. */
function unreadable({ file, line, object, field, message, fix, rule, why }: Problem): LocatedFinding {
  return {
    file,
    line,
    severity: 'error',
    rule: rule ?? 'unreadable',
    kind: object,
    field,
    message,
    why: why ?? 'it is not checked, and kubectl does not apply it',
    fix,
  };
}

function count(findings: readonly LocatedFinding[], severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

/** Sorts findings by file (in the order of their first findings), then by line, then by severity. */
function inFileOrder<T extends LocatedFinding>(findings: readonly T[]): T[] {
  const files = new Map<string, number>();
  for (const { file } of findings) if (!files.has(file)) files.set(file, files.size);
  const byFile = (a: T, b: T) => files.get(a.file)! - files.get(b.file)!;
  return [...findings].sort((a, b) => byFile(a, b) || (a.line ?? 0) - (b.line ?? 0) || RANK[a.severity] - RANK[b.severity]);
}
