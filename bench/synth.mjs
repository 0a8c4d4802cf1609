// What the typed constructs cost: synth of 10,000 storage accounts by their class against 10,000 plain ApiObjects of the
// same content. Prints the ratio; `--json` for machines, `--count N`, `--rounds N`. Needs the compiled library (lib/).
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: { json: { type: 'boolean', default: false }, count: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '5' } },
});
const count = Number(options.count);
const rounds = Number(options.rounds);

const require = createRequire(import.meta.url);
const { ApiObject, App, Chart } = require('cdk8s');
const { StorageAccount, StorageAccountKind } = require('../lib/services/storage/index.js');
const { ResourceGroup } = require('../lib/services/resources/index.js');

const name = (i) => `account${String(i).padStart(6, '0')}`;

// What a platform team really writes: every setting that its policy asks for.
const settings = {
  location: 'uksouth',
  kind: StorageAccountKind.STORAGE_V2,
  accessTier: 'Hot',
  allowBlobPublicAccess: false,
  allowSharedKeyAccess: false,
  defaultToOAuthAuthentication: true,
  minimumTlsVersion: 'TLS1_2',
  supportsHttpsTrafficOnly: true,
  encryption: { keySource: 'Microsoft.Storage', requireInfrastructureEncryption: true, services: { blob: { enabled: true }, file: { enabled: true } } },
  networkAcls: { bypass: 'AzureServices', defaultAction: 'Deny', ipRules: [{ value: '203.0.113.7', action: 'Allow' }] },
  sku: { name: 'Standard_LRS' },
  tags: { Environment: 'dev', ServiceCode: 'ledger', ManagedBy: 'platform' },
};

const typed = (chart) => {
  const owner = new ResourceGroup(chart, 'group', { metadata: { name: 'group' }, location: 'uksouth' });
  for (let i = 0; i < count; i++) new StorageAccount(chart, name(i), { metadata: { name: name(i) }, owner, ...settings });
};

const plain = (chart) => {
  const owner = new ApiObject(chart, 'group', {
    apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name: 'group' }, spec: { azureName: 'group', location: 'uksouth' },
  });
  for (let i = 0; i < count; i++) {
    const account = new ApiObject(chart, name(i), {
      apiVersion: 'storage.azure.com/v20250601',
      kind: 'StorageAccount',
      metadata: { name: name(i) },
      spec: { azureName: name(i), owner: { name: 'group' }, ...settings },
    });
    account.addDependency(owner); // the same order of objects in the manifest
  }
};

/** Milliseconds from an empty app to the manifest on disk. */
function measure(fill) {
  globalThis.gc?.();
  const outdir = mkdtempSync(join(tmpdir(), 'bench-synth-'));
  try {
    const start = performance.now();
    const app = new App({ outdir });
    fill(new Chart(app, 'bench', { namespace: 'bench' }));
    app.synth();
    return performance.now() - start;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** The manifest as text, to be sure that like is compared with like. */
function manifest(fill) {
  const app = new App();
  fill(new Chart(app, 'bench', { namespace: 'bench' }));
  return app.synthYaml();
}

if (manifest(typed) !== manifest(plain)) throw new Error('The two ways do not give the same manifest: the comparison would mean nothing.');

const times = { typed: [], plain: [] };
for (let round = 0; round < rounds; round++) {
  // In turns, so that a slow moment of the machine hits both.
  times.plain.push(measure(plain));
  times.typed.push(measure(typed));
}
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const result = {
  benchmark: 'synth',
  count,
  rounds,
  plainMs: Math.round(median(times.plain)),
  typedMs: Math.round(median(times.typed)),
  ratio: Number((median(times.typed) / median(times.plain)).toFixed(3)),
};

if (options.json) console.log(JSON.stringify(result));
else console.log(`synth of ${count} storage accounts: typed ${result.typedMs} ms, plain ApiObjects ${result.plainMs} ms, ratio ${result.ratio} (median of ${rounds} rounds)`);
