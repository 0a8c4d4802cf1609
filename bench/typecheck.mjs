// Cost of the types: `tsc --noEmit` of an app that uses one service, against the same app with plain ApiObjects, under the compiler options
// that `cdk8s init` writes (without skipLibCheck: the compiler checks every declaration file that it reads) and with skipLibCheck, as most
// projects set it. The service comes from its subpath, or from the root. Each run is a process of its own.
//
//   node bench/typecheck.mjs [--rounds N] [--output json]        after `npm run make`
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compared, fail, interleaved, needBuild, optionsOf, report, root, round } from './shared/bench.mjs';

const { rounds, json } = optionsOf({ rounds: 5 });
needBuild();
const { version } = createRequire(import.meta.url)('typescript/package.json');

const HEAD = "import { App, Chart } from 'cdk8s';\n";
const CHART = "const app = new App();\nconst chart = new Chart(app, 'shop', { namespace: 'shop' });\n";
const TYPED = `${CHART}
const owner = resources.ResourceGroup.fromName('shop');
const account = new storage.StorageAccount(chart, 'data', {
  owner, location: 'uksouth', kind: storage.StorageAccountKind.STORAGE_V2, sku: { name: storage.SkuName.STANDARD_LRS }, allowBlobPublicAccess: false,
});
new storage.StorageAccountsBlobService(chart, 'blobs', { owner: account });
app.synth();
`;
const APPS = {
  plain: `import { ApiObject, App, Chart } from 'cdk8s';
${CHART}
new ApiObject(chart, 'data', {
  apiVersion: 'storage.azure.com/v1api20230101', kind: 'StorageAccount',
  spec: { owner: { name: 'shop' }, location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, allowBlobPublicAccess: false },
});
new ApiObject(chart, 'blobs', { apiVersion: 'storage.azure.com/v1api20230101', kind: 'StorageAccountsBlobService', spec: { owner: { name: 'data' } } });
app.synth();
`,
  subpath: `${HEAD}import * as resources from 'cdk8s-aso/resources';\nimport * as storage from 'cdk8s-aso/storage';\n${TYPED}`,
  root: `${HEAD}import { resources, storage } from 'cdk8s-aso';\n${TYPED}`,
};
const NAMES = { plain: 'plain ApiObjects', subpath: "from 'cdk8s-aso/storage'", root: "from 'cdk8s-aso'" };

/** As `cdk8s init typescript-app` writes it, but for what only concerns the output. */
const OPTIONS = {
  alwaysStrict: true, experimentalDecorators: true, lib: ['es2016'], module: 'CommonJS', noFallthroughCasesInSwitch: true, noImplicitAny: true,
  noImplicitReturns: true, noImplicitThis: true, noUnusedLocals: true, noUnusedParameters: true, resolveJsonModule: true, strict: true,
  strictNullChecks: true, strictPropertyInitialization: true, stripInternal: true, target: 'ES2017', types: ['node'], noEmit: true,
};

const folder = mkdtempSync(join(tmpdir(), 'bench-typecheck-'));
try {
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['cdk8s', 'constructs', '@types']) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  symlinkSync(root, join(folder, 'node_modules', 'cdk8s-aso'));
  const results = [];
  for (const skipLibCheck of [false, true]) {
    for (const [name, code] of Object.entries(APPS)) {
      writeFileSync(join(folder, `${name}.ts`), code);
      writeFileSync(join(folder, `${name}.json`), JSON.stringify({ compilerOptions: { ...OPTIONS, skipLibCheck }, files: [`${name}.ts`] }));
    }
    const taken = await interleaved(Object.fromEntries(Object.keys(APPS).map((name) => [name, () => check(name)])), rounds);
    const [clock, cpu] = ['ms', 'cpu'].map((measure) => compared(taken, (one) => one[measure]));
    for (const [at, name] of Object.keys(APPS).entries()) {
      const { files, lines, mib } = taken.get(name)[0];
      results.push({ what: NAMES[name], skipLibCheck: String(skipLibCheck), ratio: cpu[at].ratio, 'processor ms': round(cpu[at].median), 'clock ms': round(clock[at].median), files, lines, MiB: mib });
    }
  }
  report({ json, title: `tsc ${version} --noEmit, median of ${rounds} processes; ratios by processor time`, rows: results });
} finally {
  rmSync(folder, { recursive: true });
}

function check(name) {
  const usage = "process.on('exit', () => { const { userCPUTime, systemCPUTime } = process.resourceUsage(); console.log(`usage ${(userCPUTime + systemCPUTime) / 1000}`); });";
  writeFileSync(join(folder, 'usage.cjs'), usage);
  const start = performance.now();
  const { status, stdout } = spawnSync(process.execPath, ['--require', './usage.cjs', join(root, 'node_modules/typescript/bin/tsc'), '-p', `${name}.json`, '--extendedDiagnostics'], { cwd: folder, encoding: 'utf8' });
  const ms = performance.now() - start;
  if (status !== 0) fail(`${NAMES[name]}:\n${stdout}`);
  const number = (label) => Number(new RegExp(`^${label}:?\\s+(\\d+)`, 'm').exec(stdout)?.[1]);
  return { ms, cpu: number('usage'), files: number('Files'), lines: number('Lines of Definitions'), mib: round(number('Memory used') / 1024) };
}
