import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDefinition, type BuiltDefinition } from './built-definition';
import { definitionManifests } from './definition-manifests';
import { LARGEST_CONFIG_MAP, sizeOf } from './installation/bundle-size';
import { writeImageContext } from './installation/image-context';
import { ownedCrd } from './installation/installation-objects';
import { headerOf, revisionOf } from '../../composer/bundle/bundle-header';
import type { ApiFacts } from '../../composer/definition/api-facts';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { formatYamlDocuments } from '../../engine/yaml/format-yaml';
import { counted } from '../../src/util/words';
import { fewLines } from '../output/few-of-each';
import { oneLine } from '../output/problem';
import type { Terminal } from '../output/terminal';

export interface BuildOptions {
  readonly out?: string;
  readonly imageContext?: string;
  readonly name: string;
  readonly namespace: string;
  /** Whether the rights are those of a composer that reviews claims. */
  readonly admission: boolean;
  readonly output: 'text' | 'json';
}

/** Builds a definition. Returns the exit status. */
export function build(file: string, options: BuildOptions, terminal: Terminal): Promise<number> {
  return withDefinition(file, terminal, (built) => Promise.resolve(builtFiles(built, options, terminal)));
}

function builtFiles({ bundle, facts }: BuiltDefinition, options: BuildOptions, terminal: Terminal): number {
  const { out, imageContext, name, namespace, admission, output } = options;
  const made = definitionManifests(facts, { name, namespace, admission });
  const { problems } = made;
  const advice = [...made.advice];
  const sizeBytes = Buffer.byteLength(bundle.code);
  if (sizeBytes > LARGEST_CONFIG_MAP && imageContext === undefined) {
    advice.push(`the bundle has ${sizeOf(sizeBytes)}, more than a ConfigMap takes (1 MiB): build an image with it, see --image-context`);
  }
  const isJson = output === 'json';
  if (!isJson) for (const line of fewLines(advice)) terminal.note(oneLine(line));
  if (problems.length > 0 && !isJson) {
    for (const line of fewLines(problems)) terminal.error(oneLine(line));
    return 1;
  }
  const crdsYaml = formatYamlDocuments(made.crds.map((crd) => ownedCrd(crd as unknown as KubernetesObject, options)));
  const rightsYaml = formatYamlDocuments(made.rights);
  const files = problems.length > 0 ? [] : [
    ...(out === undefined ? [] : written(out, { 'bundle.js': bundle.code, 'bundle.js.map': bundle.map, 'crds.yaml': crdsYaml, 'rights.yaml': rightsYaml })),
    ...(imageContext === undefined ? [] : writeImageContext(imageContext, bundle.code)),
  ];
  const summary = { revision: revisionOf(bundle.code), sizeBytes, ...versionsOf(bundle.code) };
  if (isJson) {
    terminal.print(JSON.stringify({ bundle: summary, kinds: facts.map(kindOf), files, advice, problems }, undefined, 2));
    return problems.length > 0 ? 1 : 0;
  }
  if (out === undefined && imageContext === undefined) terminal.print((crdsYaml + rightsYaml).trimEnd());
  else terminal.print([...facts.map(kindText), ...files, `revision ${summary.revision}, ${sizeOf(sizeBytes)}, cdk8s-aso ${summary.library}`].join('\n'));
  return 0;
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

function kindOf({ group, kind, plural, namespaced, versions, composes, reads }: ApiFacts) {
  return { group, kind, plural, namespaced, version: versions[0].name, composes, reads };
}

function kindText({ group, kind, plural, versions, composes, reads, limits }: ApiFacts): string {
  const read = reads.length === 0 ? '' : `, reads ${counted(reads.length, 'kind')}`;
  return `${kind} (${plural}.${group}/${versions[0].name}): composes ${counted(composes.length, 'kind')}, `
    + `at most ${counted(limits.objects, 'object')}${read}`;
}
