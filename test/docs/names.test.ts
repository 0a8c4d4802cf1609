import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents, root } from './documents';
import { ComposerMetrics } from '../../composer/process/composer-metrics';
import { Metrics } from '../../controller/metrics';
import { HELP } from '../../controller/process/flags';
import { KNOWN_SETTINGS } from '../../controller/process/known-settings';
import { BudgetMetrics } from '../../controller/telemetry/budget-metrics';
import { driftDetectionMetrics } from '../../controller/telemetry/drift-detection-metrics';
import { JobMetrics } from '../../controller/telemetry/job-metrics';
import { propagationGauge } from '../../controller/telemetry/propagation-gauge';
import { resourceGauge } from '../../controller/telemetry/resource-gauge';
import { ShardMetrics } from '../../controller/telemetry/shard-metrics';
import * as annotations from '../../src/azure/annotations';

/** Names of the code in the documents: each has its own source of truth, so that a renamed metric or a moved file is found here. */
/** Files below a directory, as paths from the root. */
const filesIn = (directory: string) =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' }).map((file) => `${directory}/${file}`);
const namesIn = (pattern: RegExp) =>
  [...documents].flatMap(([document, text]) => [...text.matchAll(pattern)].map(([, name]) => ({ document, name: name! })));
const unknown = (names: readonly { readonly document: string; readonly name: string }[], isKnown: (name: string) => boolean) =>
  [...new Set(names.filter(({ name }) => !isKnown(name)).map(({ document, name }) => `${document}: ${name}`))];
const sources = ['controller', 'composer', 'engine', 'runtime'].flatMap(filesIn).filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(root, file), 'utf8'));
/** Every string of the controller's source. */
const strings = new Set(sources.flatMap((text) => [...text.matchAll(/'([^'\n]+)'/g)].map(([, string]) => string!)));

describe('metrics', () => {
  const { registry } = new Metrics();
  new BudgetMetrics(registry, () => []);
  new JobMetrics(registry, { threads: 0, queued: 0 });
  driftDetectionMetrics(registry);
  resourceGauge(registry, () => []);
  propagationGauge(registry, () => []);
  new ShardMetrics(registry, () => undefined, () => ({ namespaces: [], refused: [] }));
  const composer = new ComposerMetrics();
  composer.watch({ claims: () => [], depth: () => 0, rolloutLeft: () => 0, isRolloutPaused: () => false, isLeading: () => false });
  const registered = [registry, composer.registry].flatMap((one) => one.getMetricsAsArray().map(({ name }) => name));
  const FAMILY = '(?:azure|cel|controller_runtime|certwatcher|rest_client|leader_election)';
  const UNIT = '(?:total|seconds|status|in_flight|reconciles|workers)';
  const named = [...namesIn(/\b(cdk8s_aso_[a-z_]+[a-z])\b/g), ...namesIn(new RegExp(`\`(${FAMILY}_[a-z_]+_${UNIT})[\`{]`, 'g'))];

  test('of the documents exist', () => expect(unknown(named, (name) => registered.includes(name))).toEqual([]));
  test('of every file of the telemetry are registered above', () => {
    expect([...strings].filter((name) => /^cdk8s_aso_[a-z_]+$/.test(name) && !registered.includes(name))).toEqual([]);
  });
  test.each(registered.filter((name) => name.startsWith('cdk8s_aso_')))('%s is documented', (metric) => {
    expect(named.map(({ name }) => name)).toContain(metric);
  });
});

describe('annotations, labels and finalizers', () => {
  const keys = new Set<string>(Object.values(annotations).filter((value) => typeof value === 'string'));
  const named = namesIn(/(?<!\.)\b((?:aso\.cdk8s\.io|serviceoperator\.azure\.com)\/[a-z]+(?:-[a-z]+)*)/g);

  test('of the documents are in src/azure/annotations.ts', () => expect(unknown(named, (name) => keys.has(name))).toEqual([]));
  test.each([...keys].filter((key) => /^aso\.cdk8s\.io\/./.test(key)))('%s is documented', (key) => {
    const [, short] = key.split('/');
    const spellings = [key, `\`${short}`, `\`…/${short}\``];
    expect([...documents.values()].some((text) => spellings.some((spelling) => text.includes(spelling)))).toBe(true);
  });
});

describe('events', () => {
  const tables = [
    documents.get('docs/spec/conditions.md')!.split('## Events')[1]!,
    documents.get('docs/credentials.md')!.split('| Event of the identity')[1]!.split('\n\n')[0]!,
  ];
  const cells = tables.flatMap((table) => [...table.matchAll(/^\| (`.+?) \|/gm)].map(([, cell]) => cell!));
  const reasons = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z]\w+)`/g)].map(([, reason]) => reason!));

  test('of the documents are in the source', () => {
    expect(reasons.length).toBeGreaterThan(8);
    expect(reasons.filter((reason) => !strings.has(reason))).toEqual([]);
  });
});

test('the flags of the controller are in its guide, and no others', () => {
  const [, section] = documents.get('docs/controller.md')!.split(/^## Flags$|^## Settings$/m);
  const flagsIn = (text: string) => [...new Set([...text.matchAll(/(?<![\w-])--[a-z]+(?:-[a-z]+)*/g)].map(([flag]) => flag))].sort();
  expect(flagsIn(section!)).toEqual(flagsIn(HELP));
});

test.each([...KNOWN_SETTINGS])('the setting %s is documented', (name) => {
  expect([...documents.values()].some((text) => text.includes(name))).toBe(true);
});

describe('files and directories', () => {
  const BUILT = /^(lib|src\/services|docs\/(api|modules)|site\/dist|bench\/results)(\/|$)/;
  const DIRECTORIES = [
    'src', 'engine', 'runtime', 'controller', 'composer', 'sandbox', 'cli', 'codegen', 'catalog-tool', 'scripts', 'bench', 'test', 'projenrc', 'site',
  ];
  /** Directories of users and of ASO. */
  const NOT_OURS = /^(dist|webhook)\//;
  const top = readdirSync(root);
  const base = new Set(DIRECTORIES.flatMap(filesIn).map((file) => file.split('/').pop()!));
  const isOurs = (path: string) => top.includes(path.split('/')[0]!) && !BUILT.test(path) && !NOT_OURS.test(path) && !/[A-Z]{3}/.test(path);
  const paths = namesIn(/`((?:\w[\w.-]*\/)+[\w.-]*)`/g).filter(({ name }) => isOurs(name));
  const files = namesIn(/`([a-z][a-z0-9-]+(?:\.test)?\.(?:ts|mjs))`/g);
  /** Written by a command of the documents. */
  const WRITTEN = ['main.ts', 'unreadable.ts'];
  /** Documents that name directories and files below these ones by the rest of their path. */
  const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
    'docs/controller.md': ['controller', 'controller/reconcile'],
    'docs/simulation.md': ['test/simulation'],
  };

  test('of the documents exist', () => {
    expect(paths.length).toBeGreaterThan(60);
    expect(unknown(paths, (path) => existsSync(join(root, path)))).toEqual([]);
  });
  test('that are not named from the root exist below the directory of the subject', () => {
    const relative = namesIn(/`((?:[a-z][a-z0-9-]*\/)+(?:[a-z][a-z0-9-]*\.ts)?)`/g)
      .filter(({ name }) => !top.includes(name.split('/')[0]!) && !NOT_OURS.test(name));
    const missing = relative.filter(({ document, name }) =>
      !(SUBJECTS[document] ?? []).some((directory) => existsSync(join(root, directory, name))));
    expect(relative.length).toBeGreaterThan(4);
    expect(missing).toEqual([]);
  });
  test('that jest is to run exist', () => {
    const tests = filesIn('test').filter((file) => file.endsWith('.test.ts'));
    const named = namesIn(/npx jest ((?:[\w./-]+ ?)+)/g)
      .flatMap(({ document, name }) => name.trim().split(/ +/).map((path) => ({ document, name: path })));
    expect(named.length).toBeGreaterThan(20);
    expect(unknown(named.filter(({ name }) => name.startsWith('test/')), (path) => tests.some((file) => file.includes(path)))).toEqual([]);
  });
  test('that are named without a directory exist', () => {
    expect(unknown(files, (file) => WRITTEN.includes(file) || base.has(file))).toEqual([]);
  });
});
