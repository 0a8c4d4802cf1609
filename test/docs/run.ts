import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import * as cdk8s from 'cdk8s';
import { transformSync } from 'esbuild';
import { parseAllDocuments } from 'yaml';

/** A Kubernetes object as it was written. */
export interface Written {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** Result of a snippet: its app, the text of the files that it wrote, and the objects in them. */
export interface Run {
  readonly app?: cdk8s.App | undefined;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly objects: readonly Written[];
}

/**
 * Runs a snippet in this process, with this repository in the place of the package. An app that does not synthesize itself is synthesized.
 */
export function run(code: string): Run {
  const outdir = mkdtempSync(join(tmpdir(), 'snippet-'));
  let app: cdk8s.App | undefined;
  // a snippet may make its app without props, so the place to write to has to come from here
  class App extends cdk8s.App {
    public constructor(props: cdk8s.AppProps = {}) {
      super({ ...props, outdir });
      // eslint-disable-next-line @typescript-eslint/no-this-alias
      app = this;
    }
  }
  try {
    const javaScript = transformSync(code, { loader: 'ts', format: 'cjs', target: 'node20' }).code;
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const load = (name: string): unknown => (name === 'cdk8s' ? { ...cdk8s, App } : require(name));
    new Function('require', 'module', 'exports', javaScript)(load, { exports: {} }, {});
    if (readdirSync(outdir).length === 0) app?.synth();
    const written = readdirSync(outdir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = written.map(({ parentPath, name }) => join(parentPath, name)).sort();
    const files = paths.map((path) => ({ name: relative(outdir, path), text: readFileSync(path, 'utf8') }));
    return { app, files, objects: files.flatMap(({ text }) => parseAllDocuments(text).map((document) => document.toJS() as Written)) };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
