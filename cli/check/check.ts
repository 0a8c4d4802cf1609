import { causesOf, type Cause } from './causes';
import { certain } from './certain-findings';
import { expressionRule } from './expression-rule';
import { jsonReport } from './json-report';
import { LocatedFinding, LocatedSuppression } from './located-finding';
import { forRelease, releaseRule } from './release-rule';
import { textReport } from './text-report';
import type { Severity } from '../../src/core/rules/rule';
import { runRules, type Finding } from '../../src/core/rules/run-rules';
import type { RuleManifest } from '../../src/core/rules/set-object';
import { releaseNamed } from '../catalog/release-named';
import { laterText, laterValuesOf } from '../manifests/later/later-values';
import { valuesOf, type ValueOptions } from '../manifests/later/value-options';
import { readManifests, type Manifest } from '../manifests/manifests';
import type { Problem } from '../output/problem';
import type { Terminal } from '../output/terminal';

export interface CheckOptions extends ValueOptions {
  readonly output: 'text' | 'json';
  /** The lowest severity that is printed. */
  readonly severity: Severity;
  /** Warnings count as errors, and variables in the files are taken as they are written. */
  readonly strict: boolean;
  /** A line for each finding, of one cause or not. */
  readonly verbose: boolean;
  /** The release of Azure Service Operator that the clusters run. */
  readonly release?: string;
}

const RANK: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** The namespace that kubectl uses for objects without a namespace. */
const DEFAULT_NAMESPACE = 'default';

/** Checks the objects of files. Returns the exit status. */
export function check(files: readonly string[], options: CheckOptions, terminal: Terminal): number {
  const release = options.release === undefined ? undefined : releaseNamed('--release', options.release);
  const { manifests, problems } = readManifests(files, 'keep', valuesOf(options));
  const more = [expressionRule(), ...(release === undefined ? [] : [releaseRule(release)])];
  const run = (objects: readonly RuleManifest[]) => runRules(objects, { defaultNamespace: DEFAULT_NAMESPACE, more });
  const report = run(manifests.map(({ object }) => object));
  const found = report.findings.flatMap((one) => (release === undefined ? one : forRelease(one, release) ?? []));
  const located = (finding: Finding) => {
    const { index } = finding.object;
    const manifest = manifests[index];
    if (manifest === undefined) throw new RangeError(`finding ${finding.rule} names object ${index} of ${manifests.length} objects`);
    return locate(finding, manifest);
  };
  const later = options.strict ? undefined : laterValuesOf(manifests);
  const isKnown = later === undefined ? () => true : certain(manifests, later, run);
  const all = inFileOrder([...problems.map(unreadable), ...found.filter(isKnown).map(located)]);
  const suppressed = inFileOrder(report.suppressed.map((finding): LocatedSuppression => ({ ...located(finding), reason: finding.reason })));
  const reported = all.filter(({ severity }) => RANK[severity] <= RANK[options.severity]);
  const counts = { error: count(all, 'error'), warning: count(all, 'warning'), info: count(all, 'info') };
  const summary = {
    objects: manifests.length, ...counts, suppressed: suppressed.length, ...(later && later.count > 0 && { later }),
  };
  const { verbose, output } = options;
  if (output === 'text' && later && later.count > 0) terminal.note(laterText(later));
  terminal.print(output === 'json'
    ? jsonReport(reported, suppressed, summary)
    : textReport(verbose ? reported.map(alone) : causesOf(reported), summary, terminal.style, 'Check', verbose));
  return summary.error > 0 || (options.strict && summary.warning > 0) ? 1 : 0;
}

function alone(first: LocatedFinding): Cause {
  return { first, others: [] };
}

function locate({ rule, severity, object, field, path, message, why, fix }: Finding, { file, lineOf }: Manifest): LocatedFinding {
  const { kind, name, manifest, namespace } = object;
  return { file, line: lineOf(path), severity, rule, apiVersion: manifest.apiVersion, kind, namespace, name, field, message, why, fix };
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
