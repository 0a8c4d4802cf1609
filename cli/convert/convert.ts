import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { appFiles } from './app-files';
import { chartSource, unreadableSource } from './chart-source';
import { chartsOf, type ChartPlan } from './charts';
import { authored } from './exported-object';
import { FileNames } from './imports';
import { closedNote, innerPlaces } from './inner-chart';
import { Item } from './item';
import { KindClasses } from './kind-class';
import { lifted } from './lift';
import { chartValues } from './parameters/chart-values';
import { Parameters } from './parameters/parameters';
import type { Plan } from './plan';
import { planAll } from './plan-all';
import { readSources, type Sources } from './read';
import { noteOf, Report, whyKept } from './report';
import { Catalog } from '../../src/catalog';
import { versionNameOf } from '../../src/object-id';
import { isRecord } from '../../src/util/records';
import { counted, plural } from '../../src/util/words';
import type { FileOptions } from '../manifests/file-options';
import { foldersOf } from '../manifests/folders/folder-options';
import { valuesOf } from '../manifests/later/value-options';
import { readBytes } from '../manifests/read-limited';
import { problemLines } from '../output/few-of-each';
import type { Problem } from '../output/problem';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';

export interface ConvertOptions extends FileOptions {
  readonly out?: string;
  /** How the report is printed: as text on standard error, or as JSON on standard output. */
  readonly output?: 'text' | 'json';
}

export interface ConversionOptions {
  /** Whether values that the objects have in common are said once. */
  readonly lifts?: boolean;
  /** Whether variables in the objects become props of the charts; otherwise they are texts. */
  readonly hasParameters?: boolean;
}

/** The result of a conversion. */
export interface Conversion {
  readonly charts: readonly ChartPlan[];
  /** Notes about single objects, from which no data is lost. */
  readonly notes: readonly Problem[];
  /** Objects that the code does not reproduce. No such object is known. */
  readonly lost: readonly Problem[];
}

/** `cdk8s-aso convert`. Returns the exit status. */
export function convert(paths: readonly string[], options: ConvertOptions, terminal: Terminal): number {
  const { out } = options;
  if (options.output === 'json' && out === undefined) throw new UsageError('convert: --output json needs --out DIR: without it, the code is printed');
  const directory = out === undefined ? undefined : emptyDirectory(out);
  const sources = readSources(paths, () => readBytes(0), valuesOf(options), foldersOf(options));
  const { charts, notes, lost } = convertSources(sources, Catalog.default(), { hasParameters: true });
  const problems = [...sources.problems, ...sources.unreadable.flatMap(({ problem }) => problem ?? []), ...lost];
  const report = new Report(charts, Catalog.default(), paths);
  const allNotes = [...sources.notes, ...notes];
  if (options.output === 'json') {
    terminal.print(JSON.stringify({ ...report.json, notes: allNotes, problems }, null, 2));
  } else {
    for (const line of problemLines(problems)) terminal.error(line);
    for (const line of problemLines(allNotes)) terminal.note(line);
    const kept = sources.unreadable.filter(({ problem }) => problem !== undefined).length;
    const where = directory === undefined ? 'at the end' : 'in unreadable.ts';
    if (kept > 0) terminal.note(`${counted(kept, 'document')} that could not be read: kept as ${plural(kept, 'a comment', 'comments')} ${where}`);
    for (const line of report.lines) terminal.note(line);
  }
  if (directory === undefined) terminal.print(singleFile(charts, sources).trimEnd());
  else write(directory, charts, sources);
  return problems.length > 0 ? 1 : 0;
}

/** Converts the objects that were read into charts. */
export function convertSources(
  sources: Sources, catalog: Catalog, { lifts = false, hasParameters = false }: ConversionOptions = {},
): Conversion {
  const classes = new KindClasses(catalog);
  const notes: Problem[] = [];
  const lost: Problem[] = [];
  const items = sources.objects.map((source) => {
    const { object, removed } = authored(source.object);
    const item = itemOf({ ...source, object }, classes);
    if (removed.length > 0) notes.push(noteOf(item, `was read from a cluster; ${removed.join(', ')} left out`, 'nothing to do'));
    return item;
  });
  refuseNamesakes(items);
  for (const item of items) if (!item.kindClass) item.openPlaces = innerPlaces(item, (source) => itemOf(source, classes));
  const parameters = new Parameters(sources.substitutions ?? new Map(), hasParameters ? chartValues(sources.files) : undefined);
  if (hasParameters) parameters.addTo(items);
  const plans = planAll(items, classes, parameters.all);
  for (const { item, notes: own } of sortedByPlace(plans)) {
    for (const note of own) notes.push(noteOf(item, note, 'see whether that is meant'));
    const kept = whyKept(item, catalog);
    if (kept && kept.reason !== 'other-api') notes.push(noteOf(item, `is kept as an ApiObject: ${kept.why}`, kept.fix));
    const closed = closedNote(item);
    if (closed !== undefined) notes.push(noteOf(item, closed, 'cdk8s-aso check reads them'));
    if (item.lost !== undefined) lost.push(noteOf(item, `does not come out as it was: ${item.lost}`, 'correct the code by hand'));
    if (item.kind === 'Secret' && item.group === '' && !item.isCredential && hasValues(item.object)) {
      notes.push(noteOf(item, 'has secret values, which now stand in the code', 'keep them out of version control'));
    }
  }
  if (hasParameters) {
    for (const item of items) for (const left of parameters.leftIn(item)) notes.push(noteOf(item, left, 'see whether that is meant'));
  }
  const common = lifts ? lifted(plans) : undefined;
  return { charts: chartsOf(common?.plans ?? plans, catalog, common?.shared), notes, lost };
}

/** The code of all charts as one file. */
export function singleFile(charts: readonly ChartPlan[], { unreadable }: Sources): string {
  const names = new FileNames();
  const classes = charts.map((chart) => chartSource(chart, names));
  const head = charts.length === 0 ? '' : `${names.lines.join('\n')}\n\n`;
  return `${head}${classes.join('\n')}${unreadableSource(unreadable)}`;
}

/** The files of an app, by name. */
export function appSources(name: string, charts: readonly ChartPlan[], sources: Sources): Record<string, string> {
  const files = Object.fromEntries(charts.map((chart) => [`${chart.id}.ts`, singleFile([chart], { ...sources, unreadable: [] })]));
  const unreadable: Record<string, string> = sources.unreadable.length === 0 ? {} : { 'unreadable.ts': `// What \`cdk8s-aso convert\` could not read. Nothing uses this file.\n${unreadableSource(sources.unreadable)}\nexport {};\n` };
  return { ...appFiles(name, charts), ...files, ...unreadable };
}

function itemOf(source: Item['source'], classes: KindClasses): Item {
  const untyped = new Item(source);
  const kindClass = classes.find(untyped.group, untyped.kind);
  const version = kindClass?.kind.version(versionNameOf({ apiVersion: source.object.apiVersion as string }));
  return version ? new Item(source, kindClass, version) : new Item(source, undefined, undefined, kindClass);
}

/** Rejects two objects with the same kind and name: two constructs cannot render one object. */
function refuseNamesakes(items: readonly Item[]): void {
  const first = new Map<string, Item>();
  for (const item of items) {
    const key = [item.group, item.kind, item.namespace, item.name].join('/');
    const other = item.name === undefined ? undefined : first.get(key);
    if (other) {
      item.refuse(
        `the object stands already in ${other.source.file}:${other.source.line}`,
        'remove one of the two or give it another name',
        'twice',
      );
    } else {first.set(key, item);}
  }
}

function hasValues({ data, stringData }: Readonly<Record<string, unknown>>): boolean {
  return [data, stringData].some((values) => isRecord(values) && Object.keys(values).length > 0);
}

function sortedByPlace(plans: readonly Plan[]): Plan[] {
  return [...plans].sort(({ item: { source: a } }, { item: { source: b } }) => (a.file === b.file ? a.line - b.line : 0));
}

/** @throws UsageError when the directory is not empty: no file is overwritten */
function emptyDirectory(path: string): string {
  const directory = resolve(path);
  if (!existsSync(directory)) return directory;
  const what = statSync(directory).isDirectory() ? 'is not empty' : 'is a file';
  if (what === 'is a file' || readdirSync(directory).length > 0) {
    throw new UsageError(`${path} ${what}. Give a directory that is empty or is not there yet.`);
  }
  return directory;
}

function write(directory: string, charts: readonly ChartPlan[], sources: Sources): void {
  mkdirSync(directory, { recursive: true });
  for (const [file, text] of Object.entries(appSources(basename(directory), charts, sources))) {
    if (basename(file) !== file) throw new Error(`${file} is no name of a file`);
    // Does not overwrite a file or follow a link that appeared since the check.
    writeFileSync(join(directory, file), text, { flag: 'wx' });
  }
}
