import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { credentialsOf } from './credential-graph';
import { graphOfManifests } from './manifest-graph';
import { ownerOf, ResolutionError } from '../../engine/resolve';
import { UUID } from '../../src/azure/uuid';
import { Catalog } from '../../src/catalog';
import type { Evaluation } from '../../src/core/credentials/scopes/evaluate';
import { renderCredentials } from '../../src/core/credentials/scopes/render';
import { credentialDot } from '../../src/core/credentials/scopes/render/dot';
import { credentialTree } from '../../src/core/credentials/scopes/render/tree';
import { GraphFormat } from '../../src/core/graph/facts';
import type { Graph } from '../../src/core/graph/graph';
import { render } from '../../src/core/graph/render';
import { dotText } from '../../src/core/graph/render/dot';
import { printable } from '../../src/core/graph/render/escape';
import { jsonText } from '../../src/core/graph/render/json';
import { treeText, type TreeStyle } from '../../src/core/graph/render/tree';
import { readyWithLimits, type ReadyWithLimits } from '../capacity/ready-with-limits';
import { type FileOptions, printNotes } from '../manifests/file-options';
import { foldersOf } from '../manifests/folders/folder-options';
import { withoutTemplates } from '../manifests/inside/inside';
import { valuesOf } from '../manifests/later/value-options';
import { describeManifest, fieldOf, type Manifest } from '../manifests/manifests';
import { readManifests } from '../manifests/read-manifests';
import { problemLines } from '../output/few-of-each';
import { oneLine, type Problem } from '../output/problem';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';
import { readyText, readyTimes, type ReadyTimes } from '../plan/ready-times';
import { candidateOf } from '../plan/requests';

export interface GraphOptions extends FileOptions {
  readonly format?: 'tree' | 'mermaid' | 'dot' | 'svg' | 'json';
  readonly out?: string;
  readonly subscription?: string;
  readonly credentials?: boolean;
  readonly roles?: string;
  readonly strict?: boolean;
}

type Format = NonNullable<GraphOptions['format']>;
type Environment = Readonly<Record<string, string | undefined>>;

const BY_ENDING: Readonly<Record<string, Format>> = {
  '.svg': 'svg',
  '.dot': 'dot',
  '.gv': 'dot',
  '.mmd': 'mermaid',
  '.mermaid': 'mermaid',
  '.json': 'json',
};

/** Draws the Azure objects of files. Answers the exit status. */
export async function graph(
  files: readonly string[],
  options: GraphOptions,
  terminal: Terminal,
  environment: Environment,
): Promise<number> {
  const subscriptionId = subscriptionOf(options, environment);
  const { manifests, problems, notes } = readManifests(files, 'refuse', valuesOf(options), foldersOf(options));
  printNotes(notes, terminal);
  const built = graphOfManifests(manifests, subscriptionId === undefined ? {} : { subscriptionId });
  const all = [...problems, ...manifests.flatMap((manifest) => problemsOf(manifest)), ...cycleProblems(built.graph, built.manifestOf)];
  for (const line of problemLines(all)) terminal.error(line);

  const format = options.format ?? BY_ENDING[extname(options.out ?? '').toLowerCase()] ?? 'tree';
  const style = options.out === undefined ? terminal.style : undefined;
  const applied = withoutTemplates(manifests);
  const ready = () => ({
    times: readyTimes(applied, applied.length === manifests.length ? built.graph : undefined),
    limited: readyWithLimits(applied, subscriptionId),
  });
  const written = options.credentials
    ? await drawnCredentials(credentialsOf(manifests, { ...options, subscriptionId }), format, style)
    : await drawn(built.graph, format, style, ready);
  if (options.out === undefined) {
    if (written !== '') terminal.print(written);
  } else {
    save(options.out, `${written}\n`);
  }
  if (built.graph.nodes.length === 0 && all.length === 0) {
    terminal.error(
      `${oneLine(files.join(', '))}: no Azure objects; give manifests of Azure Service Operator, e.g. the dist/ that cdk8s synth writes`,
    );
  }
  return all.length > 0 || built.graph.nodes.length === 0 ? 1 : 0;
}

/** When all is Ready: by the chains of resources, and with Azure's limits. */
interface Ready {
  readonly times: ReadyTimes;
  readonly limited: ReadyWithLimits;
}

async function drawn(made: Graph, format: Format, style: TreeStyle | undefined, ready: () => Ready): Promise<string> {
  if (format === 'svg') return svg(dotText(made));
  if (format === 'json') return jsonText(made, { ready: readyFacts(ready()) });
  if (format !== 'tree') return render(made, FORMATS[format]);
  const { times, limited } = ready();
  const text = readyText(times, limited);
  return [treeText(made, style), ...(text === '' ? [] : [printable(text)])].join('\n\n');
}

/** For programs: seconds to tenths, as exact as medians of recorded traffic are. */
function readyFacts({ times: { seconds, path, readyAfter, guessed }, limited }: Ready) {
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return {
    afterSeconds: rounded(limited.seconds),
    withoutLimitsSeconds: rounded(seconds),
    path: path.map(({ key }) => key),
    nodes: Object.fromEntries([...readyAfter].map(([key, value]) => [key, rounded(value)])),
    guessed,
  };
}

async function drawnCredentials(evaluation: Evaluation, format: Format, style: TreeStyle | undefined): Promise<string> {
  if (format === 'svg') return svg(credentialDot(evaluation));
  return format === 'tree' ? credentialTree(evaluation, style) : renderCredentials(evaluation, FORMATS[format]);
}

async function svg(dot: string): Promise<string> {
  const { svgText } = await import('./svg');
  return svgText(dot);
}

const FORMATS: Readonly<Record<Exclude<Format, 'svg' | 'tree'>, GraphFormat>> = {
  mermaid: GraphFormat.MERMAID,
  dot: GraphFormat.DOT,
  json: GraphFormat.JSON,
};

function save(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(
      `--out ${file}: cannot be written: ${(error as Error).message}; give a file in a directory that is there and writable`,
    );
  }
}

function subscriptionOf(options: GraphOptions, environment: Environment): string | undefined {
  const value = options.subscription ?? (environment.AZURE_SUBSCRIPTION_ID || undefined);
  if (value !== undefined && !UUID.test(value)) throw new UsageError('AZURE_SUBSCRIPTION_ID is not a subscription id: give a UUID');
  return value;
}

/** Kinds that the catalog does not have, and owners that nobody can make sense of. All is drawn as far as it says something. */
function problemsOf(manifest: Manifest): Problem[] {
  const candidate = candidateOf(manifest, Catalog.default());
  if (!candidate) return [];
  if ('message' in candidate) return [candidate];
  try {
    ownerOf(candidate.object, candidate.version);
    return [];
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error;
    return [{
      file: manifest.file,
      line: manifest.lineOf(['spec', 'owner']),
      object: describeManifest(manifest),
      field: fieldOf(manifest, 'spec.owner'),
      message: error.message,
      fix: 'give either name (with group and kind where the owner may be of any kind) or armId',
    }];
  }
}

function cycleProblems(made: Graph, manifestOf: ReadonlyMap<string, Manifest>): Problem[] {
  return made.cycles.map(({ nodes: [first], description }) => {
    const manifest = first && manifestOf.get(first.key);
    if (!manifest) throw new RangeError(`no manifest for the objects that wait for each other: ${description}`);
    const { file, line } = manifest;
    return {
      file,
      line,
      object: describeManifest(manifest),
      message: `objects wait for each other: ${description}`,
      fix: 'remove one of the references, or give an armId there',
    };
  });
}
