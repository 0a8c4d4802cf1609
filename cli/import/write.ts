import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { refusedLines } from './report';
import type { ImportedManifest } from '../../engine/import/to-manifests';
import { formatYaml } from '../../engine/yaml/format-yaml';
import { Catalog } from '../../src/catalog';
import { appSources, convertSources, singleFile } from '../convert/convert';
import { readText, type Sources } from '../convert/read';
import { oneLine } from '../output/problem';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';

interface WriteOptions {
  readonly format: 'typescript' | 'yaml' | 'json';
  readonly out?: string;
}

/** How the objects are written. @throws UsageError where the directory has something in it already: nothing is overwritten */
export function written({ format, out }: WriteOptions, terminal: Terminal): (manifests: readonly ImportedManifest[]) => void {
  if (format === 'json' && out !== undefined) throw new UsageError('import: --format json is printed; it takes no --out');
  const directory = out === undefined ? undefined : emptyDirectory(out);
  return (manifests) => {
    if (directory === undefined) {
      terminal.print(format === 'yaml' ? yamlOf(manifests) : typescriptOf(manifests));
    } else {
      writeFiles(directory, format === 'yaml' ? yamlFiles(manifests) : appOf(basename(directory), manifests));
    }
  };
}

function yamlOf(manifests: readonly ImportedManifest[]): string {
  return manifests.map((manifest) => {
    const text = formatYaml(manifest.object);
    const comments = refusedLines(manifest).map((line) => `# ${oneLine(line)}\n`).join('');
    return `---\n${comments}${text.trimEnd()}`;
  }).join('\n');
}

/** A file for each object; objects whose kind and name are the same in two groups share one. */
function yamlFiles(manifests: readonly ImportedManifest[]): Record<string, string> {
  const files = new Map<string, ImportedManifest[]>();
  for (const manifest of manifests) {
    const { kind, metadata } = manifest.object as { kind: string; metadata: { name: string } };
    const file = `${kind}-${metadata.name}.yaml`;
    files.set(file, [...(files.get(file) ?? []), manifest]);
  }
  return Object.fromEntries([...files].map(([file, own]) => [file, `${yamlOf(own)}\n`]));
}

function sourcesOf(manifests: readonly ImportedManifest[]): Sources {
  const sources: Sources = { files: [], objects: [], unreadable: [], problems: [], notes: [] };
  readText(yamlOf(manifests), 'Azure', sources);
  return sources;
}

function typescriptOf(manifests: readonly ImportedManifest[]): string {
  const sources = sourcesOf(manifests);
  return singleFile(convertSources(sources, Catalog.default(), { lifts: true }).charts, sources).trimEnd();
}

function appOf(name: string, manifests: readonly ImportedManifest[]): Record<string, string> {
  const sources = sourcesOf(manifests);
  return appSources(name, convertSources(sources, Catalog.default(), { lifts: true }).charts, sources);
}

function emptyDirectory(path: string): string {
  const directory = resolve(path);
  if (!existsSync(directory)) return directory;
  const isDirectory = statSync(directory).isDirectory();
  if (!isDirectory || readdirSync(directory).length > 0) {
    throw new UsageError(`${path} ${isDirectory ? 'is not empty' : 'is a file'}. Give a directory that is empty or is not there yet.`);
  }
  return directory;
}

function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(directory, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text, { flag: 'wx' });
}
