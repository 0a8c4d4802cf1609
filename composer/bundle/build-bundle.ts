import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import type * as Esbuild from 'esbuild';
import { headerLine } from './bundle-header';

/** A bundle of a definition's module. */
export interface Bundle {
  /** The code, with the header in its first line. */
  readonly code: string;
  /** Source map of the code, as JSON. */
  readonly map: string;
  /** Paths of the files that it was made of, without those of packages. */
  readonly sources: readonly string[];
}

/** The module cannot be bundled. The message has the places, one a line. */
export class BuildError extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'BuildError';
  }
}

/**
 * Bundles a definition's module into one file, with esbuild of the user's project. Packages that the composer's image has stay outside.
 * @throws BuildError when esbuild or a package is missing, or a file does not compile
 */
export async function buildBundle(file: string): Promise<Bundle> {
  const entry = resolve(file);
  const [library, cdk8s, constructs] = ['cdk8s-aso', 'cdk8s', 'constructs'].map((name) => versionOf(entry, name)) as [string, string, string];
  const { outputFiles, metafile } = await bundled(esbuildOf(entry), entry);
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))!.text;
  const map = JSON.parse(textOf('.js.map')) as Record<string, unknown>;
  // The first line of the code has no source.
  return {
    code: headerLine({ format: 1, library, cdk8s, constructs }) + textOf('.js'),
    map: JSON.stringify({ ...map, mappings: `;${String(map.mappings)}` }),
    sources: Object.keys(metafile.inputs).filter((path) => !path.split('/').includes('node_modules')).map((path) => resolve(dirname(entry), path)),
  };
}

interface Built {
  readonly outputFiles: readonly Esbuild.OutputFile[];
  readonly metafile: Esbuild.Metafile;
}

async function bundled(esbuild: typeof Esbuild, entry: string): Promise<Built> {
  try {
    return await esbuild.build({
      entryPoints: [entry],
      outfile: `${dirname(entry)}/${basename(entry).replace(/\.[cm]?tsx?$|\.[cm]?js$/, '')}.js`,
      absWorkingDir: dirname(entry),
      bundle: true,
      write: false,
      metafile: true,
      sourcemap: 'external',
      sourcesContent: false,
      platform: 'node',
      format: 'cjs',
      target: 'node20.20',
      minify: true,
      keepNames: true, // messages name classes
      legalComments: 'none',
      external: ['cdk8s', 'constructs', 'cdk8s-aso', 'cdk8s-aso/*'],
      logLevel: 'silent',
    });
  } catch (error) {
    const { errors } = error as { readonly errors?: readonly Esbuild.Message[] };
    if (!Array.isArray(errors)) throw error;
    throw new BuildError((errors as readonly Esbuild.Message[]).map(messageText).join('\n'));
  }
}

function messageText({ text, location }: Esbuild.Message): string {
  return location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text;
}

function esbuildOf(entry: string): typeof Esbuild {
  const directory = packageOf(entry, 'esbuild');
  if (directory === undefined) {
    throw new BuildError('esbuild is not installed in the project of the definition: '
    + 'npm install --save-dev esbuild');
  }
  return createRequire(entry)(directory) as typeof Esbuild;
}

function versionOf(entry: string, name: string): string {
  const directory = packageOf(entry, name);
  if (directory === undefined) throw new BuildError(`${name} is not installed in the project of the definition: npm install ${name}`);
  return versionIn(directory).version!;
}

/** The directory of a package that a file would import, or of the package that the file itself is a part of. */
function packageOf(entry: string, name: string): string | undefined {
  for (let directory = dirname(entry); ; directory = dirname(directory)) {
    const installed = join(directory, 'node_modules', name);
    if (existsSync(join(installed, 'package.json'))) return installed;
    if (existsSync(join(directory, 'package.json')) && versionIn(directory).name === name) return directory;
    if (directory === dirname(directory)) return undefined;
  }
}

function versionIn(directory: string): { readonly name?: string; readonly version?: string } {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { readonly name?: string; readonly version?: string };
}
