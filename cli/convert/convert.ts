import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { appFiles } from './app-files';
import { chartSource, unreadableSource } from './chart-source';
import { chartsOf, type ChartPlan } from './charts';
import { authored } from './exported-object';
import { FileNames } from './imports';
import { Item } from './item';
import { KindClasses } from './kind-class';
import { lifted } from './lift';
import type { Plan } from './plan';
import { planAll } from './plan-all';
import { readSources, type Sources } from './read';
import { Catalog } from '../../src/catalog';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { isRecord } from '../../src/util/records';
import { counted, plural } from '../../src/util/words';
import { laterText, laterValuesOf } from '../manifests/later/later-values';
import { valuesOf, type ValueOptions } from '../manifests/later/value-options';
import { readBytes } from '../manifests/read-limited';
import { problemLines } from '../output/few-of-each';
import type { Problem } from '../output/problem';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';

export interface ConvertOptions extends ValueOptions {
  readonly out?: string;
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
  const directory = out === undefined ? undefined : emptyDirectory(out);
  const sources = readSources(paths, () => readBytes(0), valuesOf(options));
  const later = laterValuesOf(sources.objects);
  const { charts, notes, lost } = convertSources(sources, Catalog.default());
  const problems = [...sources.problems, ...sources.unreadable.flatMap(({ problem }) => problem ?? []), ...lost];
  for (const line of problemLines(problems)) terminal.error(line);
  for (const line of problemLines([...sources.notes, ...notes])) terminal.note(line);
  if (later.count > 0) terminal.note(laterText(later));
  const kept = sources.unreadable.filter(({ problem }) => problem !== undefined).length;
  const where = directory === undefined ? 'at the end' : 'in unreadable.ts';
  if (kept > 0) terminal.note(`${counted(kept, 'document')} that could not be read: kept as ${plural(kept, 'a comment', 'comments')} ${where}`);
  if (directory === undefined) terminal.print(singleFile(charts, sources).trimEnd());
  else write(directory, charts, sources);
  return problems.length > 0 ? 1 : 0;
}

/**
 * Converts the objects that were read into charts.
 * @param lifts whether values that the objects have in common are said once
 */
export function convertSources(sources: Sources, catalog: Catalog, { lifts = false }: { readonly lifts?: boolean } = {}): Conversion {
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
  const plans = planAll(items, classes);
  for (const { item, notes: own } of sortedByPlace(plans)) {
    for (const note of own) notes.push(noteOf(item, note, 'see whether that is meant'));
    const kept = whyKept(item, catalog);
    if (kept) notes.push(noteOf(item, `is kept as an ApiObject: ${kept[0]}`, kept[1]));
    if (item.lost !== undefined) lost.push(noteOf(item, `does not come out as it was: ${item.lost}`, 'correct the code by hand'));
    if (item.kind === 'Secret' && item.group === '' && !item.isCredential && hasValues(item.object)) {
      notes.push(noteOf(item, 'has secret values, which now stand in the code', 'keep them out of version control'));
    }
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
  const version = kindClass?.kind.version((source.object.apiVersion as string).slice(untyped.group.length + 1));
  return version ? new Item(source, kindClass, version) : untyped;
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
      );
    } else {first.set(key, item);}
  }
}

/** The reason why an Azure object does not become a typed construct, and the fix. */
function whyKept(item: Item, catalog: Catalog): [why: string, fix: string] | undefined {
  if (item.refused !== undefined) return [item.refused.why, item.refused.fix];
  if (item.typed || !mayBeInCatalog(item.group)) return undefined;
  const kind = catalog.kind(item.group, item.kind);
  if (!kind) return ['the catalog does not have its kind', 'it is one of a newer operator, or of another one'];
  return [`the catalog does not have its version; it has ${kind.versionNames.join(', ')}`, 'write it in one of them'];
}

function hasValues({ data, stringData }: Readonly<Record<string, unknown>>): boolean {
  return [data, stringData].some((values) => isRecord(values) && Object.keys(values).length > 0);
}

function noteOf({ source, title }: Item, message: string, fix: string): Problem {
  return { file: source.file, line: source.line, object: title, message, fix };
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
