import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const lib = join(root, 'lib');

/** Modules that a new process with cdk8s loaded loads in each step: paths in lib/, without `.js`. */
function loaded(...steps: string[]): string[][] {
  const code = `
    const { App, Chart } = require('cdk8s');
    const { relative, sep } = require('node:path');
    const report = [];
    const before = new Set(Object.keys(require.cache));
    const list = () => report.push(Object.keys(require.cache).filter((file) => !before.has(file))
      .map((file) => relative(${JSON.stringify(lib)}, file).split(sep).join('/').replace(/\\.js$/, '')));
    ${steps.map((step) => `${step}; list();`).join('\n')}
    console.log(JSON.stringify(report));
  `;
  return JSON.parse(execFileSync(process.execPath, ['-e', code], { cwd: root, encoding: 'utf8' })) as string[][];
}

/** Modules for validation, names, CEL or the catalog, which a construct loads on demand or at synth. */
const LATER = /^(?:azure|catalog)\/|^core\/(?:cel|checks|credentials|graph|naming|removal|rules|schema|versions)\//;
const required = (...path: string[]) => `require(${JSON.stringify(join(lib, ...path))})`;

beforeAll(() => {
  if (!existsSync(join(lib, 'index.js'))) throw new Error('lib/ is not compiled. Run: npm run make');
});

test('the root and a service load no file but their index', () => {
  expect(loaded(required('index.js'), `${required('index.js')}.storage`)).toEqual([['index'], ['index', 'services/storage/index']]);
});

test('a class loads its base, and nothing of checks, names, CEL and catalog', () => {
  const [one, all] = loaded(
    `${required('services', 'storage')}.StorageAccount`,
    `const all = ${required('services', 'storage')}; for (const name of Object.keys(all)) all[name]`,
  );
  expect(one!.sort()).toEqual(['core/azure-resource', 'core/index', 'services/storage/index', 'services/storage/storage-account']);
  expect(all!.filter((file) => !file.startsWith('services/storage/'))).toEqual(
    expect.arrayContaining(['core/azure-resource', 'core/index']),
  );
  expect(all!.filter((file) => LATER.test(file))).toEqual([]);
  expect(all!.filter((file) => !file.startsWith('services/storage/')).length).toBeLessThanOrEqual(6);
});

test('constructing loads what it needs, synth the checks, and neither loads the tables and internals that few ask for', () => {
  const [, constructed, synthesized] = loaded(
    `const { StorageAccount } = ${required('services', 'storage')}; const { ResourceGroup } = ${required('services', 'resources')}`,
    `const app = new App({ outdir: require('node:fs').mkdtempSync(require('node:path').join(require('node:os').tmpdir(), 'loading-')) });
     process.on('exit', () => require('node:fs').rmSync(app.outdir, { recursive: true }));
     const chart = new Chart(app, 'chart');
     const owner = new ResourceGroup(chart, 'group', { location: 'westeurope' });
     new StorageAccount(chart, 'account', { owner, azureName: 'ledger1', location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } })`,
    'app.synth()',
  );
  const core = (files: string[]) => files.filter((file) => !file.startsWith('services/'));
  expect(core(constructed!).length).toBeLessThanOrEqual(20);
  expect(constructed).not.toContainEqual(expect.stringMatching(/^core\/(cel|graph|naming|rules)\/|^azure\/(?!annotations$|dns-name$|uuid$)|^catalog\//));
  expect(synthesized).toEqual(expect.arrayContaining(['core/schema/kind-schema', 'catalog/catalog']));
  expect(core(synthesized!).length).toBeLessThanOrEqual(89);
  expect(synthesized).not.toContainEqual(
    expect.stringMatching(/^core\/(built-in-role|rules\/run-rules|graph\/render|credentials\/scopes)|^azure\/role/),
  );
});

test('each room that has a subpath loads its index only', () => {
  const rooms = ['assertions', 'gitops', 'operator', 'patterns', 'platform', 'platform-api', 'platform-kinds'];
  expect(loaded(...rooms.map((room) => required(room))).at(-1)).toEqual(rooms.map((room) => `${room}/index`));
});
