import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { Catalog, type Kind } from '../src/catalog';
import type { JsonSchema } from '../src/catalog/crd';
import { asoCrd } from '../test/e2e/migration/aso-crd';
import { asoInstallation } from '../test/e2e/migration/aso-installation';

/**
 * Compares the stand-in of ASO in the tests with ASO's own files, which are not kept here:
 *
 *     npx tsx scripts/aso-stand-in.ts --crds azureserviceoperator_customresourcedefinitions_v2.20.0.yaml
 *     npx tsx scripts/aso-stand-in.ts --chart azure-service-operator     # a chart, unpacked, or rendered in one file
 *
 * Both take a file or a directory. The status is 1 where the stand-in is less strict, or other, than the files are.
 */
const USAGE = 'usage: npx tsx scripts/aso-stand-in.ts [--crds PATH] [--chart PATH]';
const webhooks = { port: 443, caBundle: '' };
const EXAMPLES = 3;

interface CrdOfAso {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: object; readonly annotations?: object };
  readonly spec: { readonly conversion?: { readonly strategy: string }; readonly versions: readonly VersionOfAso[] };
}

interface VersionOfAso {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
}

class Differences {
  private readonly found = new Map<string, string[]>();

  public add(what: string, where: string): void {
    this.found.set(what, [...(this.found.get(what) ?? []), where]);
  }

  public print(): number {
    for (const [what, places] of this.found) {
      process.stdout.write(`${what}: ${places.length}\n${places.slice(0, EXAMPLES).map((place) => `    ${place}\n`).join('')}`);
    }
    return this.found.size;
  }
}

function main(): number {
  const { values: { crds, chart } } = parseArgs({ options: { crds: { type: 'string' }, chart: { type: 'string' } } });
  if (crds === undefined && chart === undefined) throw new Error(USAGE);
  const differences = new Differences();
  if (crds !== undefined) compareCrds(crds, differences);
  if (chart !== undefined) compareChart(chart, differences);
  return differences.print() > 0 ? 1 : 0;
}

function compareCrds(path: string, differences: Differences): void {
  const kinds = new Map(Catalog.default().allKinds.map((kind) => [kind.crdName, kind]));
  let compared = 0;
  for (const text of textsIn(path)) {
    for (const document of parseAllDocuments(text)) {
      const crd = document.toJS() as CrdOfAso | null;
      if (crd?.kind !== 'CustomResourceDefinition') continue;
      const kind = kinds.get(crd.metadata.name);
      if (!kind) continue;
      compared += 1;
      compareCrd(kind, crd, differences);
    }
  }
  process.stdout.write(`${compared} CRDs compared\n`);
}

function compareCrd(kind: Kind, theirs: CrdOfAso, differences: Differences): void {
  const ours = asoCrd(kind, webhooks) as CrdOfAso;
  const differ = (what: string, a: unknown, b: unknown) => {
    if (JSON.stringify(a) !== JSON.stringify(b)) differences.add(what, `${kind.crdName}: ${JSON.stringify(a)}, ASO has ${JSON.stringify(b)}`);
  };
  const flags = ({ spec }: CrdOfAso) => spec.versions.map(({ name, served, storage }) => `${name} ${served ? 'served' : ''} ${storage ? 'stored' : ''}`).sort();
  differ('versions', flags(ours), flags(theirs));
  differ('conversion', ours.spec.conversion?.strategy, theirs.spec.conversion?.strategy);
  for (const part of ['labels', 'annotations'] as const) differ(part, Object.keys(ours.metadata[part] ?? {}).sort(), Object.keys(theirs.metadata[part] ?? {}).sort());
  for (const { name, schema } of theirs.spec.versions.filter((version) => version.name.endsWith('storage'))) {
    const found = ours.spec.versions.find((version) => version.name === name);
    if (!found) continue;
    const [mine, its] = [found.schema, schema].map((each) => constraintsOf(each?.openAPIV3Schema ?? {}));
    for (const [at, constraint] of its!) {
      if (mine!.get(at) !== constraint) differences.add('storage schema', `${kind.crdName} ${name} ${at}: ${mine!.get(at) ?? 'absent'}, ASO has ${constraint}`);
    }
    for (const at of mine!.keys()) if (!its!.has(at)) differences.add('storage schema, more', `${kind.crdName} ${name} ${at}`);
  }
}

/** By path, what a schema demands there. */
function constraintsOf(schema: JsonSchema, at = '', found = new Map<string, string>()): Map<string, string> {
  const required = [...(schema.required ?? [])].sort().join();
  found.set(at, [schema.type ?? 'any', required && `requires ${required}`, schema.enum && 'enum', schema.minLength !== undefined && 'length'].filter(Boolean).join(', '));
  for (const [name, property] of Object.entries(schema.properties ?? {})) constraintsOf(property, `${at}/${name}`, found);
  if (schema.items) constraintsOf(schema.items, `${at}/[]`, found);
  if (typeof schema.additionalProperties === 'object') constraintsOf(schema.additionalProperties, `${at}/{}`, found);
  return found;
}

/** Charts are templates: what is compared is found in their lines. Those that Helm leaves out by default are left out here, too. */
function compareChart(path: string, differences: Differences): void {
  const stand = asoInstallation({ webhooks, settings: {}, kinds: Catalog.default().allKinds.filter(({ group }) => !group.endsWith('.aso.cdk8s.io')) }) as Manifest[];
  const ours = new Map(stand.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
  let compared = 0;
  for (const document of textsIn(path).flatMap((text) => text.split(/^---$/m))) {
    const kind = /^kind: (\w+)/m.exec(document)?.[1];
    const name = /^ {2}name: ([\w.-]+)$/m.exec(document)?.[1] ?? /^ {2}name: .*?(azureserviceoperator[\w-]*)/m.exec(document)?.[1];
    if (kind === undefined || OPTIONAL.has(kind)) continue;
    const found = ours.get(`${kind} ${name ?? 'azureserviceoperator-default'}`);
    if (!found) differences.add('objects of the chart that the stand-in lacks', `${kind} ${name ?? ''}`);
    else compareObject(found, document, differences);
    compared += 1;
  }
  process.stdout.write(`${compared} objects of the chart compared\n`);
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Of values that are off by default. */
const OPTIONAL = new Set(['AzureIdentity', 'AzureIdentityBinding', '--json-logging']);

/** Names that decide how an object is used: arguments, variables, Secrets, paths and versions of webhooks. */
const DECISIVE = [/^\s+- (--[\w-]+)(?:=|$)/gm, /- name: ([A-Z][A-Z_]+)$/gm, /secretName: ([\w-]+)$/gm, /mountPath: (\/[\w/-]+)$/gm, /^\s+path: (\/(?:mutate|validate)[\w-]+)$/gm, /matchPolicy: (\w+)/g, /failurePolicy: (\w+)/g];

function compareObject(ours: Manifest, document: string, differences: Differences): void {
  const text = JSON.stringify(ours);
  for (const pattern of DECISIVE) {
    for (const [, found = ''] of document.matchAll(pattern)) {
      if (!OPTIONAL.has(found) && !text.includes(`"${found}"`) && !text.includes(`"${found}=`)) differences.add('lines of the chart that the stand-in lacks', `${ours.kind} ${ours.metadata.name}: ${found}`);
    }
  }
}

function textsIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [readFileSync(path, 'utf8')];
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ya?ml$/.test(name) && !/(^|\/)(Chart|values)\.yaml$/.test(name)).map((name) => readFileSync(join(path, name), 'utf8'));
}

process.exitCode = main();
