import { clusterSources, type ClusterSources } from './cluster-sources';
import type { UpgradeFinding } from './finding';
import { operatorFindings } from './operator-changes';
import { NewNames } from './operator-v1/new-names';
import { propertyFindings } from './property-findings';
import { upgradeOf, type Upgrade } from './releases';
import { rewriteFiles, whyNotRewritten } from './rewrite';
import { settingsIn } from './settings';
import { crdFindings, installedRelease, storageFindings } from './stored-versions';
import { versionFindings } from './version-findings';
import { readSources, type Sources, type VersionUse } from './version-uses';
import { OPERATOR_V1 } from '../../src/catalog';
import type { Severity } from '../../src/core/rules/rule';
import { counted } from '../../src/util/words';
import { causesOf } from '../check/causes';
import { textReport } from '../check/text-report';
import { isClusterError, withCluster } from '../cluster/connect';
import type { ClusterOptions } from '../cluster/options';
import { printNotes } from '../manifests/file-options';
import type { InsideOption } from '../manifests/inside/inside-option';
import { valuesOf, type ValueOptions } from '../manifests/later/value-options';
import { fieldOf } from '../manifests/manifests';
import { fewLines, problemLines } from '../output/few-of-each';
import { oneLine } from '../output/problem';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';

/** The options of `cdk8s-aso upgrade-check`. */
export interface UpgradeCheckOptions extends ClusterOptions, InsideOption, ValueOptions {
  readonly cluster: boolean;
  readonly from?: string;
  readonly to?: string;
  readonly fix: boolean;
  /** Directories with all that is below them. */
  readonly recursive?: boolean;
  readonly strict: boolean;
  readonly operatorNamespace: string;
  readonly output: 'text' | 'json';
}

type Environment = Readonly<Record<string, string | undefined>>;

const RANK: Record<Severity, number> = { error: 0, warning: 1, info: 2 };
const NOTHING: ClusterSources = { uses: [], crds: [], objects: [], unread: [] };

/** `cdk8s-aso upgrade-check`. Answers the exit status. */
export async function runUpgradeCheck(
  files: readonly string[], options: UpgradeCheckOptions, terminal: Terminal, environment: Environment,
): Promise<number> {
  const asked = upgradeOf(options.from, options.to);
  const readsCluster = options.cluster || options.kubeconfig !== undefined || options.context !== undefined;
  if (files.length === 0 && !readsCluster) throw new UsageError('upgrade-check: give files or directories of manifests, or --cluster');
  if (options.fix && files.length === 0) throw new UsageError('upgrade-check: --fix rewrites files: give files or directories of manifests');
  if (options.fix && files.includes('-')) throw new UsageError('upgrade-check: --fix rewrites files in place; the standard input is none');
  const sources = readSources(files, { isRecursive: options.recursive, kinds: options.inside, values: valuesOf(options) });
  let cluster = NOTHING;
  try {
    if (readsCluster) {
      cluster = await withCluster(options, { command: 'upgrade-check', environment }, (live) =>
        clusterSources(live, options.namespace, options.operatorNamespace));
    }
  } catch (error) {
    if (!isClusterError(error)) throw error;
    terminal.error(oneLine(error.message));
    return 1;
  }
  const upgrade = asked.from === undefined ? upgradeOf(installedRelease(cluster.crds), asked.to) : asked;
  return report({ sources, cluster, upgrade, given: files }, options, terminal);
}

interface Read {
  readonly sources: Sources;
  readonly cluster: ClusterSources;
  readonly upgrade: Upgrade;
  /** Files and directories of the command line. */
  readonly given: readonly string[];
}

function report({ sources, cluster, upgrade, given }: Read, options: UpgradeCheckOptions, terminal: Terminal): number {
  const { found, untouched } = withoutEditsOf(findingsOf({ sources, cluster, upgrade }), sources.files, given);
  printNotes(sources.notes, terminal);
  for (const line of problemLines(sources.problems, options.output === 'json')) terminal.error(line);
  for (const line of fewLines(cluster.unread, options.output === 'json')) terminal.error(oneLine(`not read from the cluster: ${line}`));
  if (options.fix) for (const line of fewLines(untouched, options.output === 'json')) terminal.error(oneLine(line));
  const edits = found.flatMap((finding) => finding.edits ?? []);
  const rewritten = options.fix ? rewriteFiles(sources.files, edits) : [];
  const left = options.fix ? found.filter((finding) => finding.edits === undefined) : found;
  const summary = {
    objects: sources.files.reduce((sum, { uses }) => sum + uses.length, cluster.uses.length),
    error: count(left, 'error'),
    warning: count(left, 'warning'),
    info: count(left, 'info'),
    suppressed: 0,
  };
  const fixable = found.filter((finding) => finding.edits !== undefined).length;
  if (options.output === 'json') terminal.print(jsonOf(upgrade, left, summary, fixable, rewritten));
  else terminal.print(textOf(upgrade, left, summary, { fixable, rewritten, fix: options.fix }, terminal));
  const incomplete = sources.problems.length + cluster.unread.length > 0;
  return summary.error > 0 || incomplete || (options.strict && summary.warning > 0) ? 1 : 0;
}

/** The findings, without changes of files that `--fix` must leave as they are, and a line for each of these. */
function withoutEditsOf(found: readonly UpgradeFinding[], files: Sources['files'], given: readonly string[]) {
  const changed = new Set(found.flatMap(({ edits = [] }) => edits.map(({ file }) => file)));
  const reasons = new Map(files.filter(({ file }) => changed.has(file)).flatMap((source) => {
    const reason = whyNotRewritten(source, given);
    return reason === undefined ? [] : [[source.file, reason] as const];
  }));
  const isLeft = ({ edits = [] }: UpgradeFinding) => edits.some(({ file }) => reasons.has(file));
  return {
    found: found.map((finding) => (isLeft(finding) ? { ...finding, edits: undefined } : finding)),
    untouched: Array.from(reasons, ([file, reason]) => `${file}: ${reason}: not rewritten`),
  };
}

function findingsOf({ sources, cluster, upgrade }: Omit<Read, 'given'>): UpgradeFinding[] {
  const uses = [...sources.files.flatMap((file) => file.uses), ...cluster.uses];
  const objects = [...cluster.objects, ...sources.files.flatMap((file) => file.objects)];
  const names = new NewNames(uses.filter(({ group }) => group !== OPERATOR_V1));
  const kinds = new Map(uses.map(({ group, kind }) => [`${group}/${kind}`, { group, kind }]));
  const found = [
    ...operatorFindings(upgrade, settingsIn(objects)),
    ...crdFindings(cluster.crds, upgrade),
    ...storageFindings([...kinds.values()], upgrade),
    ...uses.flatMap((use) => (
      [...versionFindings(use, upgrade, undefined, names), ...propertyFindings(use, upgrade)].map((one) => inHolder(one, use))
    )),
  ];
  return found.sort((a, b) => RANK[a.severity] - RANK[b.severity]);
}

/** A finding about an object in another one names both, and its field as it stands in the file. */
function inHolder(finding: UpgradeFinding, { inside }: VersionUse): UpgradeFinding {
  if (!inside) return finding;
  return { ...finding, inside: inside.holder, field: finding.field === undefined ? undefined : fieldOf({ inside }, finding.field) };
}

interface Fixes {
  readonly fix: boolean;
  readonly fixable: number;
  readonly rewritten: readonly string[];
}

function textOf(
  { from, to }: Upgrade, found: readonly UpgradeFinding[], summary: Parameters<typeof textReport>[1], fixes: Fixes, terminal: Terminal,
): string {
  const title = `Upgrade ${from === undefined ? '' : `from ${from} `}to ${to}`;
  const { fix, fixable, rewritten } = fixes;
  const lines = [textReport(causesOf(found), summary, terminal.style, title)];
  if (fix) lines.push(rewritten.length === 0 ? 'Nothing was rewritten.' : `Rewritten: ${counted(fixable, 'place')} in ${rewritten.join(', ')}.`);
  else if (fixable > 0) lines.push(`--fix rewrites ${counted(fixable, 'of them', 'of them')}.`);
  return lines.join('\n');
}

function jsonOf(
  { from, to }: Upgrade, found: readonly UpgradeFinding[], summary: Record<string, number>, fixable: number, rewritten: readonly string[],
): string {
  const { suppressed: _, ...counts } = summary;
  const findings = found.map(({ edits, ...finding }) => ({ ...finding, fixable: edits !== undefined }));
  return JSON.stringify({ from, to, summary: { ...counts, fixable }, findings, rewritten }, undefined, 2);
}

function count(findings: readonly UpgradeFinding[], severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}
