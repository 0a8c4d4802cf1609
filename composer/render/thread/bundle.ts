import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import type * as Cdk8s from 'cdk8s';
import type * as Constructs from 'constructs';
import type { OwnerGraph } from '../../../src/core/graph';
import { isApiDefinition, type ApiDefinition } from '../../../src/platform-api';
import { headerOf } from '../../bundle/bundle-header';
import { messageOf } from '../../message-of';

/** The packages outside of the bundle, of the image or of the project. */
export interface Externals {
  readonly cdk8s: typeof Cdk8s;
  readonly constructs: typeof Constructs;
  readonly library: { readonly OwnerGraph: typeof OwnerGraph };
  readonly versions: Readonly<Record<'library' | 'cdk8s' | 'constructs', string>>;
}

export type Evaluate = (module: { exports: unknown }) => void;

/** The name of the bundle in stacks. */
export const BUNDLE_NAME = 'cdk8s-aso-bundle.js';

/**
 * Compiles a bundle.
 * @throws when it was made for other versions, or is no program
 */
export function loadBundle(file: string, versions: Externals['versions'], given: { readonly [name: string]: unknown }): Evaluate {
  const code = readFileSync(file, 'utf8');
  const header = headerOf(code);
  if (header.library !== versions.library) throw new Error(otherVersion('cdk8s-aso', header.library, versions.library));
  for (const name of ['cdk8s', 'constructs'] as const) {
    if (majorOf(header[name]) !== majorOf(versions[name])) throw new Error(otherVersion(name, header[name], versions[name]));
  }
  const names = Object.keys(given);
  const run = compileFunction(code, ['exports', 'module', ...names], { filename: BUNDLE_NAME }) as (...args: unknown[]) => void;
  return (module) => run.call(module.exports, module.exports, module, ...names.map((name) => given[name]));
}

/**
 * Runs the bundle's code, and gives its definitions. Each call gives new ones: what a claim leaves in variables of a module is gone.
 * @throws when the code throws, or exports no definition
 */
export function definitionsOf(evaluate: Evaluate): readonly ApiDefinition[] {
  const module: { exports: unknown } = { exports: {} };
  try {
    evaluate(module);
  } catch (error) {
    throw Object.assign(new Error(`the definition's module cannot be loaded: ${messageOf(error)}`), { cause: error });
  }
  const { default: exported } = module.exports as { readonly default?: unknown };
  const definitions: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  if (definitions.length === 0 || !definitions.every(isApiDefinition)) {
    throw new Error('the default export of the module is no definition: write `export default defineApi({ … })`, or a list of them');
  }
  const kinds = definitions.map(({ group, kind, plural }) => [`${kind} of ${group}`, `${plural}.${group}`] as const);
  kinds.forEach(([kind, plural], index) => {
    const other = kinds.slice(0, index).find((one) => one[0] === kind || one[1] === plural);
    if (other) throw new Error(`the module has two definitions of ${kind === other[0] ? kind : plural}`);
  });
  return definitions;
}

function otherVersion(name: string, built: string, here: string): string {
  return `the bundle was built with ${name} ${built}, and here is ${here}: `
    + 'build it again with `cdk8s-aso api build`, or use the image of that version';
}

function majorOf(version: string): string {
  return version.split('.', 1)[0]!;
}
