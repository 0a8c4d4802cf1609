// The same storage accounts through classes that `cdk8s import` makes of the CRD: size, loading, types, synth; and how many of the CRDs it takes,
// as they are in our catalog and with a storage version as the operator's own CRDs have it (its `$propertyBag` is what the importer refuses).
//
//   node bench/cdk8s-import.mjs [--count N] [--rounds N] [--crds N] [--output json]        after `npm run make`; reads nothing from the network
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountManifest, group, nameOf, plainAccounts, settings } from './shared/accounts.mjs';
import { compared, fail, interleaved, needBuild, optionsOf, report, root, round, timed } from './shared/bench.mjs';

const { count, rounds, crds, json } = optionsOf({ count: 10000, rounds: 5, crds: 294 });
needBuild();
const require = createRequire(import.meta.url);
const { ApiObject, App, Chart } = require('cdk8s');
const { ImportCustomResourceDefinition } = require(join(root, 'node_modules/cdk8s-cli/lib/import/crd.js'));
const { Language } = require(join(root, 'node_modules/cdk8s-cli/lib/import/base.js'));
const ts = require('typescript');
const { stringify } = require('yaml');
const { Catalog } = require('../lib/catalog/index.js');
const { crdManifest } = require('../lib/catalog/crd.js');
const { ResourceGroup } = require('../lib/services/resources/index.js');
const { StorageAccount } = require('../lib/services/storage/index.js');

const catalog = Catalog.default();
const folder = mkdtempSync(join(tmpdir(), 'bench-cdk8s-import-'));
try {
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['cdk8s', 'constructs', '@types']) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  const source = await imported(crdManifest(catalog.kind('storage.azure.com', 'StorageAccount')), 'account');
  if (source === undefined) fail('cdk8s import does not take the CRD of StorageAccount.');
  const code = readFileSync(source, 'utf8');
  const script = source.replace(/ts$/, 'js');
  writeFileSync(script, ts.transpileModule(code, { compilerOptions: { target: 'ES2022', module: 'CommonJS' } }).outputText);
  const Imported = Object.values(require(script)).find((one) => one.GVK?.kind === 'StorageAccount' && one.GVK.apiVersion === accountManifest(0).apiVersion);

  const fills = {
    'plain ApiObjects': (chart) => plainAccounts(chart, count, ApiObject),
    'cdk8s import': (chart) => {
      const owner = new ApiObject(chart, 'group', group);
      for (let i = 0; i < count; i++) new Imported(chart, nameOf(i), accountManifest(i)).addDependency(owner);
    },
    'cdk8s-aso': (chart) => {
      const owner = new ResourceGroup(chart, 'group', { metadata: { name: 'group' }, location: 'uksouth' });
      for (let i = 0; i < count; i++) new StorageAccount(chart, nameOf(i), { metadata: { name: nameOf(i) }, owner, ...settings });
    },
  };
  const texts = Object.values(fills).map((fill) => manifest(fill));
  if (texts.some((text) => text !== texts[0])) fail('The ways do not give the same manifest: the comparison would mean nothing.');
  const taken = await interleaved(Object.fromEntries(Object.entries(fills).map(([name, fill]) => [name, () => measure(fill)])), rounds);

  const library = join(root, 'lib/services/storage');
  const loads = await interleaved({
    'cdk8s import': () => loading(`require(${JSON.stringify(script)})`),
    'cdk8s-aso': () => loading(`require(${JSON.stringify(library)}).StorageAccount`),
  }, rounds);
  const size = (...files) => round(files.reduce((sum, file) => sum + statSync(file).size, 0) / 1024);
  const loaded = new Map(compared(loads).map(({ name, median }) => [name, round(median, 1)]));
  const sizes = { 'cdk8s import': size(source), 'cdk8s-aso': size(join(library, 'storage-account.d.ts'), join(library, 'storage-account.js')) };
  const rows = compared(taken, ({ cpu }) => cpu).map(({ name, median: cpu, ratio }) => ({ what: name, 'synth ratio': ratio, 'processor ms': round(cpu), 'load ms': loaded.get(name), 'KiB of code': sizes[name] }));

  report({ json, title: `${count} storage accounts, median of ${rounds} rounds; ratios by processor time`, rows, more: { 'CRDs that cdk8s import takes': await importable() } });
} finally {
  rmSync(folder, { recursive: true });
}

/** The file that the importer writes; undefined where it fails. */
async function imported(crd, name) {
  const outdir = join(folder, name);
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, stringify(crd, { aliasDuplicateObjects: false }));
  const { log } = console;
  console.log = () => {}; // the importer reports as it goes
  try {
    const importer = await ImportCustomResourceDefinition.fromSpec({ source: file });
    await importer.import({ outdir, targetLanguage: Language.TYPESCRIPT });
    return join(outdir, `${crd.spec.group}.ts`);
  } catch {
    return undefined;
  } finally {
    console.log = log;
  }
}

async function importable() {
  const all = catalog.services.flatMap((service) => catalog.kindsOf(service));
  const kinds = all.filter((_, index) => Math.floor((index * crds) / all.length) !== Math.floor(((index - 1) * crds) / all.length)); // spread over the services
  let [stripped, asShipped] = [0, 0];
  for (const [index, kind] of kinds.entries()) {
    const crd = crdManifest(kind);
    if (await imported(crd, `stripped${index}`)) stripped += 1;
    if (await imported(withStorageVersion(crd), `shipped${index}`)) asShipped += 1;
    for (const name of [`stripped${index}`, `shipped${index}`]) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return `${stripped} of ${kinds.length} without storage versions, ${asShipped} of ${kinds.length} with them`;
}

/** With one more version, which is stored and keeps what the others do not know in a property bag. */
function withStorageVersion(crd) {
  const [newest] = crd.spec.versions;
  const { properties } = newest.schema.openAPIV3Schema;
  const bag = { type: 'object', additionalProperties: { type: 'string' } };
  const spec = { ...properties.spec, properties: { ...properties.spec?.properties, $propertyBag: bag } };
  const stored = { ...newest, name: `${newest.name}storage`, storage: true, schema: { openAPIV3Schema: { ...newest.schema.openAPIV3Schema, properties: { ...properties, spec } } } };
  return { ...crd, spec: { ...crd.spec, versions: [...crd.spec.versions.map((version) => ({ ...version, storage: false })), stored] } };
}

function measure(fill) {
  const outdir = mkdtempSync(join(folder, 'synth-'));
  return timed(() => {
    const app = new App({ outdir });
    fill(new Chart(app, 'bench', { namespace: 'bench' }));
    app.synth();
  });
}

function manifest(fill) {
  const app = new App();
  fill(new Chart(app, 'bench', { namespace: 'bench' }));
  return app.synthYaml();
}

/** Milliseconds in a new process in which cdk8s is loaded already. */
function loading(code) {
  const script = `require('cdk8s'); require('constructs'); const start = performance.now(); ${code}; console.log(performance.now() - start);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' });
  if (status !== 0) fail(stderr);
  return Number(stdout);
}
