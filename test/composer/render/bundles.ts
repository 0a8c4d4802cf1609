import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headerLine } from '../../../composer/bundle/bundle-header';
import { Renderer, type RendererOptions } from '../../../composer/render/renderer';
import type { ComposeResult } from '../../../composer/render/types';
import { workerProgram } from '../../engine/workers/worker-program';

const root = join(__dirname, '..', '..', '..');
const program = workerProgram(join(root, 'composer', 'compose-worker.ts'));
const renderers: Renderer[] = [];

afterAll(async () => {
  await Promise.all(renderers.splice(0).map((renderer) => renderer.close()));
  program.end();
});

const versionIn = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
export const VERSIONS = {
  format: 1,
  library: versionIn(join(root, 'package.json')),
  cdk8s: versionIn(require.resolve('cdk8s/package.json')),
  constructs: versionIn(require.resolve('constructs/package.json')),
} as const;

/** A bundle with one kind, `Box`, written by hand: `compose` and the other members of the definition as JavaScript. */
export interface BoxOptions {
  /** Statements of the module, before the definition. */
  readonly module?: string;
  /** Statements of `compose`. */
  readonly compose?: string;
  /** Statements that check `value`, and return the result of the schema. */
  readonly validate?: string;
  /** More members of the definition. */
  readonly more?: string;
  readonly header?: string;
}

export function boxCode({ module = '', compose = '', validate = 'return { value };', more = '', header = headerLine(VERSIONS) }: BoxOptions): string {
  return `${header}
const { ApiObject, Chart, Lazy, Include, JsonPatch } = require('cdk8s');
const { defineApi, ComposedValue, olderVersion } = require('cdk8s-aso/platform-api');
const schemaOf = (validate) => ({ '~standard': { version: 1, vendor: 'test', validate, jsonSchema: { input: () => ({ type: 'object' }) } } });
const configMap = (scope, id, more = {}) => new ApiObject(scope, id, { apiVersion: 'v1', kind: 'ConfigMap', ...more });
${module}
module.exports.default = defineApi({
  group: 'platform.example.com', kind: 'Box', version: 'v1',
  schema: schemaOf((value) => { ${validate} }),
  composes: [
    { group: '', kind: 'ConfigMap' }, { group: '', kind: 'Namespace' }, { group: '', kind: 'Secret' }, { group: 'apps', kind: 'Deployment' },
    { group: 'storage.azure.com', kind: 'StorageAccount' }, { group: 'resources.azure.com', kind: 'ResourceGroup' },
  ],
  compose(scope, claim) { ${compose} },
  ${more}
});`;
}

export function rendererOf(code: string, options: Partial<RendererOptions> = {}): Renderer {
  const file = join(mkdtempSync(join(tmpdir(), 'bundle-')), 'bundle.js');
  writeFileSync(file, code);
  const renderer = new Renderer({ bundleFile: file, workerFile: program.file, ...options });
  renderers.push(renderer);
  return renderer;
}

export const boxOf = (options: BoxOptions, rendererOptions: Partial<RendererOptions> = {}) => rendererOf(boxCode(options), rendererOptions);

export const claimOf = (spec: unknown = {}, metadata: object = {}) => ({
  apiVersion: 'platform.example.com/v1',
  kind: 'Box',
  metadata: { name: 'orders', namespace: 'team-a', uid: '7', creationTimestamp: '2026-01-02T03:04:05Z', ...metadata },
  spec,
});

/** The result for one claim of a kind with this `compose`. */
export const composed = (compose: string, more: Omit<BoxOptions, 'compose'> = {}, spec: unknown = {}): Promise<ComposeResult> =>
  boxOf({ compose, ...more }).compose(claimOf(spec));
