import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildBundle, BuildError, type Bundle } from '../../composer/bundle/build-bundle';
import { isBundle } from '../../composer/bundle/bundle-header';
import type { ApiFacts } from '../../composer/definition/api-facts';
import { BundleError, Renderer } from '../../composer/render/renderer';
import { omitUndefined } from '../../src/util/records';
import { fewLines } from '../output/few-of-each';
import { oneLine } from '../output/problem';
import { progressLine } from '../output/progress-line';
import type { Terminal } from '../output/terminal';

/** A definition's module, bundled and loaded. */
export interface BuiltDefinition {
  readonly bundle: Bundle;
  /** The file of the bundle, until `use` has ended. */
  readonly bundleFile: string;
  readonly facts: readonly ApiFacts[];
  readonly renderer: Renderer;
}

/** The bundle of a module, or the one that a file is already. @throws BuildError */
export async function bundleOf(file: string): Promise<Bundle> {
  if (!/\.[cm]?js$/.test(file) || !existsSync(file)) return buildBundle(file);
  const code = readFileSync(file, 'utf8');
  if (!isBundle(code)) return buildBundle(file);
  const map = existsSync(`${file}.map`) ? readFileSync(`${file}.map`, 'utf8') : '{"version":3,"sources":[],"names":[],"mappings":""}';
  return { code, map, sources: [resolve(file)] };
}

/** Where cdk8s and this package are taken from: the project of the module; for a bundle without a project, where this program is. */
export function modulesFor(file: string, { sources }: Bundle): string | undefined {
  const directory = dirname(resolve(file));
  if (sources.length !== 1 || sources[0] !== resolve(file)) return directory;
  try {
    createRequire(resolve(file)).resolve('cdk8s-aso/package.json');
    return directory;
  } catch {
    return undefined;
  }
}

/** A definition that is open until it is closed. */
export interface OpenDefinition extends BuiltDefinition {
  close(): Promise<void>;
}

/**
 * Bundles a definition's module, or takes the bundle that the file is, and loads it.
 * @throws BuildError, BundleError
 */
export async function openDefinition(file: string, onProgress: (text: string) => void = () => undefined): Promise<OpenDefinition> {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-api-'));
  let renderer: Renderer | undefined;
  const close = async () => {
    await renderer?.close();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    onProgress(`bundling ${file} …`);
    const bundle = await bundleOf(file);
    const bundleFile = join(directory, 'bundle.js');
    writeFileSync(bundleFile, bundle.code);
    onProgress(`loading ${file} …`);
    renderer = new Renderer(omitUndefined({ bundleFile, modulesFrom: modulesFor(file, bundle) }));
    return { bundle, bundleFile, facts: await renderer.describe(), renderer, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Prints an error of the definition, a line for each place. @throws any other error */
export function reportDefinitionError(error: unknown, terminal: Terminal): void {
  if (!(error instanceof BuildError || error instanceof BundleError)) throw error;
  for (const line of fewLines(error.message.split('\n'))) terminal.error(oneLine(line));
}

/**
 * Bundles a definition's module, or takes the bundle that the file is, and calls `use` with it.
 * @returns what `use` gives; 1 where the module cannot be bundled or loaded, which is printed
 */
export async function withDefinition(file: string, terminal: Terminal, use: (built: BuiltDefinition) => Promise<number>): Promise<number> {
  const progress = progressLine(process.stderr, terminal);
  let definition: OpenDefinition | undefined;
  try {
    definition = await openDefinition(file, (text) => progress.report(() => text));
    progress.end();
    return await use(definition);
  } catch (error) {
    progress.end();
    reportDefinitionError(error, terminal);
    return 1;
  } finally {
    await definition?.close();
  }
}
