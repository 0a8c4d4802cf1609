import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { withDefinition, type BuiltDefinition } from './built-definition';
import { checkClaim, expectedDocuments, problemText, type CheckedClaim } from './claim-check';
import { readClaimFiles, readObjectFiles, type ClaimFile } from './claim-files';
import { differenceText, lineDiff } from './line-diff';
import { isReadOnly, readableObjects } from './readable-objects';
import { sourcePositions } from './source-positions';
import type { ApiFacts } from '../../composer/definition/api-facts';
import { crdManifest } from '../../composer/definition/crd-manifest';
import { formatYamlDocuments } from '../../engine/yaml/format-yaml';
import { objectIdOf, objectTitleOf, parseApiVersion } from '../../src/object-id';
import { groupBy } from '../../src/util/group-by';
import { counted, firstOf } from '../../src/util/words';
import { describeObject, type Manifest } from '../manifests/manifests';
import { fewLines } from '../output/few-of-each';
import { formatProblem, oneLine } from '../output/problem';
import { progressLine } from '../output/progress-line';
import type { Terminal } from '../output/terminal';

export interface TestOptions {
  /** Files with objects that the claims of all files may read. */
  readonly objects?: readonly string[];
  /** Directory of the expected files; by default each is beside its claims. */
  readonly expected?: string;
  readonly update: boolean;
  readonly output: 'text' | 'json';
}

/** The result for a file of claims. */
interface FileReport {
  readonly file: string;
  readonly outcome: 'same' | 'different' | 'missing' | 'written' | 'failed';
  readonly claims: readonly { readonly claim: string; readonly objects: number; readonly problem?: string }[];
  /** Lines of the comparison. */
  readonly difference: readonly string[];
  /** Mistakes that no expected file makes right. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly logs: readonly string[];
}

const NO_CLAIM = 'has objects to read and no claim: give the file with --objects only';

/** Renders claims and compares them with the expected files. Returns the exit status. */
export function testClaims(file: string, paths: readonly string[], options: TestOptions, terminal: Terminal): Promise<number> {
  return withDefinition(file, terminal, async (built) => {
    const problems = built.facts.flatMap((facts) => crdManifest(facts).problems.map(({ path, message }) => `${path}: ${message}`));
    const shared = readObjectFiles(options.objects ?? []);
    const read = readClaimFiles(paths, options.objects ?? [], options.expected);
    const files = withoutObjectFiles(read.files, paths, shared.manifests, built.facts);
    const sharedProblems = problems.length > 0 ? [] : (await readableObjects(shared.manifests, built.facts, built.renderer)).problems;
    const unreadable = [...problems, ...sharedProblems].map(oneLine).concat([...shared.problems, ...read.problems].map(formatProblem));
    for (const line of fewLines(unreadable)) terminal.error(line);
    if (problems.length > 0) return 1;
    const progress = progressLine(process.stderr, terminal);
    const reports: FileReport[] = [];
    for (const [index, claims] of files.entries()) {
      progress.report(() => `rendering ${claims.file} (${index + 1} of ${files.length}) …`);
      reports.push(await reportOf(file, claims, shared.manifests, built, options));
    }
    progress.end();
    if (options.output === 'json') terminal.print(JSON.stringify({ files: reports }, undefined, 2));
    else terminal.print(textOf(reports, terminal));
    const isGood = reports.every(({ outcome, errors }) => (outcome === 'same' || outcome === 'written') && errors.length === 0);
    return isGood && unreadable.length === 0 ? 0 : 1;
  });
}

/** Without the files of a directory that is given for claims and objects, and that have objects to read only. */
function withoutObjectFiles(
  files: readonly ClaimFile[], paths: readonly string[], shared: readonly Manifest[], facts: readonly ApiFacts[],
): readonly ClaimFile[] {
  const [named, others] = [new Set(paths), new Set(shared.map(({ file }) => resolve(file)))];
  return files.filter(({ file, objects }) =>
    named.has(file) || !others.has(resolve(file)) || objects.some(({ object }) => !isReadOnly(object, facts)));
}

async function reportOf(
  file: string,
  { file: claimFile, expectedFile, objects, isMalformed }: ClaimFile,
  shared: readonly Manifest[],
  built: BuiltDefinition,
  { update }: TestOptions,
): Promise<FileReport> {
  const claims = objects.filter(({ object }) => !isReadOnly(object, built.facts));
  // A claim that the API server refuses is not there for others.
  const { find } = await readableObjects([...shared, ...objects], built.facts, built.renderer);
  const errors: string[] = claims.length === 0 && objects.length > 0 ? [NO_CLAIM] : [];
  const checked: CheckedClaim[] = [];
  for (const manifest of claims) {
    const facts = factsOf(manifest, built.facts);
    if (typeof facts === 'string') errors.push(`${claimFile}:${manifest.line}: ${describeObject(manifest.object)}: ${facts}`);
    else checked.push(await checkClaim(manifest.object, facts, built.renderer, find));
  }
  for (const one of checked) errors.push(...errorsOf(one).map((message) => `${titleOf(one)}: ${message}`));
  const warnings = checked.flatMap(({ findings }) => findingTexts(findings, 'warning'));
  const actual = formatYamlDocuments(checked.flatMap(expectedDocuments));
  const expected = existsSync(expectedFile) ? readFileSync(expectedFile, 'utf8') : undefined;
  const difference = expected === undefined ? [] : lineDiff(expected, actual);
  const report = {
    file: claimFile,
    claims: checked.map((one) =>
      ({ claim: titleOf(one), objects: one.result.rendered?.objects.length ?? 0, ...problemOf(one, file, built) })),
    errors,
    warnings,
    logs: checked.flatMap(({ result }) => result.rendered?.logs ?? []),
  };
  // A spec that is refused is an answer to its author; every other problem is a mistake of the definition.
  const isFailed = checked.some(({ result: { problem } }) => problem !== undefined && problem.reason !== 'InvalidSpec');
  if (isMalformed || errors.length > 0 || isFailed) return { ...report, outcome: 'failed', difference: [] };
  if (!update) return { ...report, outcome: expected === undefined ? 'missing' : difference.length > 0 ? 'different' : 'same', difference };
  if (expected === actual) return { ...report, outcome: 'same', difference: [] };
  mkdirSync(dirname(expectedFile), { recursive: true });
  writeFileSync(expectedFile, actual);
  return { ...report, outcome: 'written', difference };
}

function factsOf({ object: { apiVersion, kind } }: Manifest, all: readonly ApiFacts[]): ApiFacts | string {
  const { group, version } = parseApiVersion(apiVersion);
  const facts = all.find((one) => one.group === group && one.kind === kind);
  if (!facts) return `is none of the definition's kinds: ${firstOf(all.map((one) => `${one.kind} of ${one.group}`), 5)}`;
  if (facts.versions.some(({ name }) => name === version)) return facts;
  return `has a version that the definition does not serve: write ${group}/${facts.versions[0].name}`;
}

function errorsOf({ findings, conversions }: CheckedClaim): string[] {
  return [
    ...findingTexts(findings, 'error'),
    ...conversions,
  ];
}

/** Findings of one severity: those with the same words in one line. */
function findingTexts(findings: CheckedClaim['findings'], wanted: 'error' | 'warning'): string[] {
  const own = findings.filter(({ severity }) => severity === wanted);
  const groups = groupBy(own, ({ rule, field, message, fix }) => JSON.stringify([rule, field, message, fix]));
  return [...groups.values()].map((group) => {
    const { rule, field, message, fix } = group[0]!;
    const names = firstOf(group.map(({ object: { kind, name } }) => `${kind} ${name}`), 3);
    return oneLine(`${[names, field, message].filter((part) => part !== undefined).join(': ')}; ${fix} (${rule})`);
  });
}

function problemOf({ result: { problem } }: CheckedClaim, file: string, { bundle }: BuiltDefinition): { readonly problem?: string } {
  if (!problem) return {};
  const stack = problem.reason === 'ComposeFailed' ? sourcePositions(file, bundle.map, problem.stack ?? []) : [];
  return { problem: [problemText(problem), ...stack.map((place) => `at ${place}`)].join('\n') };
}

function titleOf({ claim }: CheckedClaim): string {
  return objectTitleOf(objectIdOf(claim));
}

function textOf(reports: readonly FileReport[], { style }: Terminal): string {
  const lines = reports.flatMap(({ file, outcome, claims, difference, errors, warnings, logs }) => [
    `${outcome === 'same' || outcome === 'written' ? style.good(outcome) : style.bad(outcome)} ${file}`,
    ...claims.flatMap(({ claim, objects, problem }) => [
      `  ${claim}: ${problem === undefined ? counted(objects, 'object') : problem.replaceAll('\n', '\n    ')}`,
    ]),
    ...logs.map((line) => style.dim(`  log: ${oneLine(line)}`)),
    ...warnings.map((line) => style.warn(`  warning: ${line}`)),
    ...errors.map((line) => style.bad(`  error: ${line}`)),
    ...(outcome === 'missing' ? ['  there is no expected file: write it with --update'] : []),
    ...differenceText(difference, style),
  ]);
  if (reports.length === 0) return 'no claims';
  const bad = reports.filter(({ outcome }) => outcome !== 'same' && outcome !== 'written').length;
  return [...lines, `${counted(reports.length, 'file')}, ${bad === 0 ? 'all as expected' : `${bad} not as expected`}`].join('\n');
}
