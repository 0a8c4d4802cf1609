import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { transformSync } from 'esbuild';
import { stringify } from 'yaml';
import { convertSources, singleFile } from '../../../cli/convert/convert';
import { readText, type Sources } from '../../../cli/convert/read';
import { difference } from '../../../cli/convert/verify';
import { formatProblem } from '../../../cli/output/problem';
import { Catalog } from '../../../src/catalog';

/** YAML 1.1, which Kubernetes reads, takes `yes` for true. */
const QUOTED = { defaultStringType: 'QUOTE_DOUBLE' } as const;

export type Manifest = Record<string, any>;

/** A file's text, or objects, as the command reads it. */
export function sourcesOf(...inputs: (string | Manifest[])[]): Sources {
  const sources: Sources = { files: [], objects: [], unreadable: [], problems: [], notes: [] };
  inputs.forEach((input, i) =>
    readText(
      typeof input === 'string' ? input : input.map((object) => stringify(object, QUOTED)).join('---\n'),
      i === 0 ? 'file.yaml' : `file${i}.yaml`,
      sources,
    ),
  );
  return sources;
}

/** The code for a text or for objects, and what is said about it. */
export function converted(...inputs: (string | Manifest[])[]) {
  const sources = sourcesOf(...inputs);
  const { charts, notes, lost } = convertSources(sources, Catalog.default());
  return {
    code: singleFile(charts, sources),
    charts,
    notes: [...sources.notes, ...notes].map(formatProblem),
    lost: lost.map(formatProblem),
    unreadable: sources.unreadable.flatMap(({ problem }) => (problem ? [formatProblem(problem)] : [])),
  };
}

export function fixture(name: string): string {
  return readFileSync(join(__dirname, 'fixtures', name), 'utf8');
}

/** The code for texts or objects whose variables become props. */
export function parameterized(...inputs: (string | Manifest[])[]) {
  const sources = sourcesOf(...inputs);
  const { charts, notes, lost } = convertSources(sources, Catalog.default(), { hasParameters: true });
  return {
    code: singleFile(charts, sources),
    charts,
    parameters: [...new Set(charts.flatMap((chart) => chart.parameters))],
    notes: [...sources.notes, ...notes].map(formatProblem),
    lost: lost.map(formatProblem),
  };
}

/**
 * Runs the code as a user would and answers the objects of its charts; throws what synth throws.
 * @param props of all charts
 */
export function synthesized(code: string, props?: Record<string, unknown>): Manifest[] {
  const { code: script } = transformSync(code, { loader: 'ts', format: 'cjs', target: 'node20' });
  const module = { exports: {} as Record<string, new (scope: App, id: string, props?: object) => Chart> };
  new Function('require', 'module', 'exports', script)(load, module, module.exports);
  const app = new App();
  const charts = Object.entries(module.exports).map(([name, Class]) => new Class(app, name, ...(props ? [props] : [])));
  app.synthYaml(); // with all checks
  return charts.flatMap((chart) => chart.toJson() as Manifest[]);
}

/** The root without the services: loading all of them takes long. */
function load(name: string): unknown {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return name === 'cdk8s-aso' ? { ...require('../../../src/core'), ...require('../../../src/azure') } : require(name);
}

/** Where two sets of objects differ. */
export function differences(wanted: readonly Manifest[], got: readonly Manifest[]): string[] {
  const identity = ({ apiVersion, kind, metadata }: Manifest) => [apiVersion, kind, metadata?.namespace, metadata?.name].join(' ');
  const open = [...got];
  const found = wanted.flatMap((object) => {
    // Two objects may have one name: the equal one is the one that is meant.
    const candidates = open.filter((other) => identity(other) === identity(object));
    const best = candidates.find((other) => difference(object, other, []) === undefined) ?? candidates[0];
    if (!best) return [`${identity(object)} is missing`];
    open.splice(open.indexOf(best), 1);
    const path = difference(object, best, []);
    return path ? [`${identity(object)} differs at ${path.join('.')}`] : [];
  });
  return [...found, ...open.map((object) => `${identity(object)} is new`)];
}
