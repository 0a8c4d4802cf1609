import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildBundle, BuildError, type Bundle } from '../../composer/bundle/build-bundle';
import type { ApiFacts } from '../../composer/definition/api-facts';
import { BundleError, Renderer } from '../../composer/render/renderer';
import { oneLine } from '../output/problem';
import { progressLine } from '../output/progress-line';
import type { Terminal } from '../output/terminal';

/** A definition's module, bundled and loaded. */
export interface BuiltDefinition {
  readonly bundle: Bundle;
  readonly facts: readonly ApiFacts[];
  readonly renderer: Renderer;
}

/**
 * Bundles a definition's module, and calls `use` with it.
 * @returns what `use` gives; 1 where the module cannot be bundled or loaded, which is printed
 */
export async function withDefinition(file: string, terminal: Terminal, use: (built: BuiltDefinition) => Promise<number>): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-api-'));
  const progress = progressLine(process.stderr, terminal);
  let renderer: Renderer | undefined;
  try {
    progress.report(() => `bundling ${file} …`);
    const bundle = await buildBundle(file);
    const bundleFile = join(directory, 'bundle.js');
    writeFileSync(bundleFile, bundle.code);
    progress.report(() => `loading ${file} …`);
    renderer = new Renderer({ bundleFile, modulesFrom: dirname(resolve(file)) });
    const facts = await renderer.describe();
    progress.end();
    return await use({ bundle, facts, renderer });
  } catch (error) {
    progress.end();
    if (!(error instanceof BuildError || error instanceof BundleError)) throw error;
    for (const line of error.message.split('\n')) terminal.error(oneLine(line));
    return 1;
  } finally {
    await renderer?.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
