// Cost of the typed constructs: synth of 10,000 storage accounts by their class against 10,000 plain ApiObjects with the same content;
// then with the owner graph, and with the rules of `cdk8s-aso check` too.
//
//   node bench/synth.mjs [--count N] [--rounds N] [--output json]        after `npm run make`
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameOf, plainAccounts, settings } from './shared/accounts.mjs';
import { compared, fail, interleaved, needBuild, optionsOf, report, round, timed } from './shared/bench.mjs';

const { count, rounds, json } = optionsOf({ count: 10000, rounds: 5 });
needBuild();
const require = createRequire(import.meta.url);
const { ApiObject, App, Chart } = require('cdk8s');
const { StorageAccount } = require('../lib/services/storage/index.js');
const { ResourceGroup } = require('../lib/services/resources/index.js');
const { GraphFormat, OwnerGraph, Rules } = require('../lib/core/index.js');

const typed = (chart) => {
  const owner = new ResourceGroup(chart, 'group', { metadata: { name: 'group' }, location: 'uksouth' });
  for (let i = 0; i < count; i++) new StorageAccount(chart, nameOf(i), { metadata: { name: nameOf(i) }, owner, ...settings });
};
const plain = (chart) => plainAccounts(chart, count, ApiObject);

/** From an empty app to the manifest on disk, and what is done with the app besides. */
function measure(fill, besides = () => {}) {
  globalThis.gc?.();
  const outdir = mkdtempSync(join(tmpdir(), 'bench-synth-'));
  try {
    return timed(() => {
      const app = new App({ outdir });
      fill(new Chart(app, 'bench', { namespace: 'bench' }));
      app.synth();
      besides(app);
    });
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

const graph = (app) => {
  const made = OwnerGraph.of(app);
  if (made.nodes.length !== count + 1 || made.order.length !== count + 1 || made.cycles.length !== 0) fail('The graph is not that of the app.');
  return made;
};

if (manifest(typed) !== manifest(plain)) fail('The two ways do not give the same manifest: the comparison would mean nothing.');
for (const fill of [plain, typed]) measure(fill, fill === typed ? graph : undefined); // so that no case pays for compiling the others' code

const taken = await interleaved({
  'plain ApiObjects': () => measure(plain),
  'typed, with checks': () => measure(typed),
  'typed, with checks and owner graph': () => measure(typed, graph),
  'the same, and the graph as JSON': () => measure(typed, (app) => graph(app).render(GraphFormat.JSON)),
  'the same without JSON, and Rules.check': () => measure(typed, (app) => [graph(app), Rules.check(app)]),
}, rounds);
const clock = compared(taken, ({ ms }) => ms);
report({
  json,
  title: `synth of ${count} storage accounts, median of ${rounds} rounds; ratios by processor time`,
  rows: compared(taken, ({ cpu }) => cpu).map(({ name, median: cpu, ratio }, at) => ({ what: name, ratio, 'processor ms': round(cpu), 'clock ms': round(clock[at].median) })),
});
