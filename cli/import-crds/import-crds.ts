import { join } from 'node:path';
import { codeFiles } from './code';
import { readCrd, type SourceCrd } from './crd';
import { importCrds, type ImportedKind } from './fragment';
import { readDocuments, type ClusterOptions } from './read';
import { writeFiles } from './write';
import { fileNameOf, submoduleOf } from '../../codegen/names';
import { Catalog, type ImportedService } from '../../src/catalog';
import { counted } from '../../src/util/words';
import type { Manifest } from '../manifests/manifests';
import { problemLines } from '../output/few-of-each';
import type { Problem } from '../output/problem';
import type { Terminal } from '../output/terminal';

export interface ImportCrdsOptions extends ClusterOptions {
  readonly out: string;
  readonly output: 'text' | 'json';
  /** Whether to take CRDs of other groups than `*.azure.com`. */
  readonly all: boolean;
  /** Whether to write classes for what the library has classes for. */
  readonly includeBuiltIn: boolean;
  readonly esm: boolean;
  readonly force: boolean;
}

/** `cdk8s-aso import-crds`. Answers the exit status. */
export async function importCrdsCommand(sources: readonly string[], options: ImportCrdsOptions, terminal: Terminal): Promise<number> {
  const catalog = Catalog.default();
  const documents = await readDocuments(sources, options);
  const { crds, skipped, problems } = crdsAmong(documents.manifests, options.all);
  const found = importCrds(crds, catalog, options.includeBuiltIn);
  const messages = { skipped: [...skipped, ...found.skipped], problems: [...documents.problems, ...problems, ...found.problems] };
  if (found.services.length > 0) writeFiles(options.out, codeFiles(found.services, catalog, options.esm), options.force);
  const results = found.kinds.map((kind) => resultOf(kind, found.services, options.out));
  if (options.output === 'json') terminal.print(JSON.stringify({ kinds: results, ...messages }, null, 2));
  else printText(results, messages.skipped, messages.problems, options.out, terminal);
  return messages.problems.length > 0 ? 1 : 0;
}

interface Documents {
  readonly crds: readonly SourceCrd[];
  readonly skipped: readonly Problem[];
  readonly problems: readonly Problem[];
}

/** An operator's release has more in its files than CRDs; a file without any is a mistake. */
function crdsAmong(manifests: readonly Manifest[], all: boolean): Documents {
  const withCrds = new Set(manifests.filter(({ object }) => object.kind === 'CustomResourceDefinition').map(({ file }) => file));
  const crds: SourceCrd[] = [];
  const skipped: Problem[] = [];
  const problems: Problem[] = [];
  for (const manifest of manifests) {
    const read = readCrd(manifest, all);
    if ('crd' in read) {
      crds.push(read.crd);
    } else if ('skipped' in read) {
      skipped.push(read.skipped);
    } else if (manifest.object.kind !== 'CustomResourceDefinition' && withCrds.has(manifest.file)) {
      skipped.push({ ...read.problem, fix: 'nothing to do' });
    } else {
      problems.push(read.problem);
    }
  }
  return { crds, skipped, problems };
}

interface KindResult {
  readonly group: string;
  readonly kind: string;
  /** Newest first. */
  readonly versions: readonly string[];
  /** The version that the class is made for. */
  readonly classVersion: string;
  readonly armType?: string | undefined;
  readonly owner?: string | undefined;
  readonly file: string;
  /** Facts that neither the CRD nor the catalog states. */
  readonly unknown: readonly string[];
}

function resultOf({ crd, versions, latest, unknown }: ImportedKind, services: readonly ImportedService[], out: string): KindResult {
  const service = services.find(({ group }) => group === crd.group)!;
  const { arm, owner } = service.kinds[crd.kind]?.versions[latest] ?? {};
  return {
    group: crd.group,
    kind: crd.kind,
    versions,
    classVersion: latest,
    armType: arm?.type,
    owner: typeof owner === 'object' && owner !== null ? `${owner.group}/${owner.kind}` : owner ?? undefined,
    file: join(out, submoduleOf(service.service), `${fileNameOf(crd.kind)}.ts`),
    unknown,
  };
}

function printText(
  kinds: readonly KindResult[],
  skipped: readonly Problem[],
  problems: readonly Problem[],
  out: string,
  terminal: Terminal,
): void {
  for (const line of problemLines(problems)) terminal.error(line);
  for (const line of problemLines(skipped)) terminal.note(`skipped: ${line}`);
  for (const { group, kind, classVersion, versions, file, unknown } of kinds) {
    const others = versions.length > 1 ? ` (and ${versions.length - 1} more)` : '';
    terminal.print(`${terminal.style.bold(`${group}/${kind}`)} ${classVersion}${others} ${terminal.style.dim(file)}`);
    for (const text of unknown) terminal.print(`  not known: ${text}`);
  }
  const what = kinds.length === 0 ? 'nothing was imported' : `${counted(kinds.length, 'kind')} imported to ${out}`;
  terminal.print(`${what}; ${skipped.length} skipped, ${problems.length} with problems`);
}
