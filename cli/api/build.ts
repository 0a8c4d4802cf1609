import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDefinition, type BuiltDefinition } from './built-definition';
import { yamlOf } from './yaml';
import { headerOf, revisionOf } from '../../composer/bundle/bundle-header';
import type { ApiFacts } from '../../composer/definition/api-facts';
import { administrativeKinds, composerRights } from '../../composer/definition/composer-rights';
import { crdManifest } from '../../composer/definition/crd-manifest';
import { counted, listed } from '../../src/util/words';
import { oneLine } from '../output/problem';
import type { Terminal } from '../output/terminal';

export interface BuildOptions {
  readonly out?: string;
  readonly name: string;
  readonly namespace: string;
  readonly output: 'text' | 'json';
}

/** The size that a ConfigMap takes, without its name: https://kubernetes.io/docs/concepts/configuration/configmap/ */
const LARGEST_CONFIG_MAP = 1_048_576 - 4096;

/** Builds a definition. Returns the exit status. */
export function build(file: string, options: BuildOptions, terminal: Terminal): Promise<number> {
  return withDefinition(file, terminal, (built) => Promise.resolve(builtFiles(built, options, terminal)));
}

function builtFiles({ bundle, facts }: BuiltDefinition, { out, name, namespace, output }: BuildOptions, terminal: Terminal): number {
  const crds = facts.map(crdManifest);
  const rights = composerRights(facts, { name, namespace, readsConfigMaps: bundle.code.includes('fromConfigMap') });
  const problems = [
    ...crds.flatMap((crd) => crd.problems.map(({ path, message }) => `${path}: ${message}`)),
    ...rights.unknown.map(({ group, kind }) =>
      `composes: the plural of ${kind} in group '${group}' is not known: give it, e.g. { group: '${group}', kind: '${kind}', plural: '…' }`),
    ...facts.filter(({ versions }) => versions.length > 1).map(({ kind }) =>
      `${kind}: olderVersions: the API server asks a webhook for conversions, which the composer does not have yet: serve one version`),
  ];
  const advice = [
    ...crds.flatMap((crd) => crd.advice.map(({ path, message }) => `${path}: ${message}`)),
    ...administrativeAdvice(facts),
  ];
  const sizeBytes = Buffer.byteLength(bundle.code);
  if (sizeBytes > LARGEST_CONFIG_MAP) advice.push(`the bundle has ${sizeOf(sizeBytes)}: more than a ConfigMap takes (1 MiB)`);
  const isJson = output === 'json';
  if (!isJson) for (const line of advice) terminal.note(oneLine(line));
  if (problems.length > 0 && !isJson) {
    for (const line of problems) terminal.error(oneLine(line));
    return 1;
  }
  const crdsYaml = yamlOf(crds.map(({ manifest }) => manifest));
  const rightsYaml = yamlOf(rights.manifests);
  const files = out === undefined || problems.length > 0
    ? []
    : written(out, { 'bundle.js': bundle.code, 'bundle.js.map': bundle.map, 'crds.yaml': crdsYaml, 'rights.yaml': rightsYaml });
  const summary = { revision: revisionOf(bundle.code), sizeBytes, ...versionsOf(bundle.code) };
  if (isJson) {
    terminal.print(JSON.stringify({ bundle: summary, kinds: facts.map(kindOf), files, advice, problems }, undefined, 2));
    return problems.length > 0 ? 1 : 0;
  }
  if (out === undefined) terminal.print((crdsYaml + rightsYaml).trimEnd());
  else terminal.print([...facts.map(kindText), ...files, `revision ${summary.revision}, ${sizeOf(sizeBytes)}, cdk8s-aso ${summary.library}`].join('\n'));
  return 0;
}

function administrativeAdvice(facts: readonly ApiFacts[]): string[] {
  const kinds = administrativeKinds(facts);
  if (kinds.length === 0) return [];
  return [`the composer cannot give rights that it does not have: bind the roles of ${listed(kinds)} objects, or their rights, to its service account`];
}

function versionsOf(code: string): { readonly library: string; readonly cdk8s: string; readonly constructs: string } {
  const { library, cdk8s, constructs } = headerOf(code);
  return { library, cdk8s, constructs };
}

function written(directory: string, files: Readonly<Record<string, string>>): string[] {
  mkdirSync(directory, { recursive: true });
  return Object.entries(files).map(([name, text]) => {
    const file = join(directory, name);
    writeFileSync(file, text);
    return file;
  });
}

function kindOf({ group, kind, plural, namespaced, versions, composes }: ApiFacts) {
  return { group, kind, plural, namespaced, version: versions[0].name, composes };
}

function kindText({ group, kind, plural, versions, composes, limits }: ApiFacts): string {
  return `${kind} (${plural}.${group}/${versions[0].name}): composes ${counted(composes.length, 'kind')}, at most ${counted(limits.objects, 'object')}`;
}

function sizeOf(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`;
}
