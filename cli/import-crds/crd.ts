import { SchemaError } from './schema-error';
import { soundSchema } from './sound-schema';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../../src/catalog/crd';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { asText } from '../../src/util/words';
import type { Manifest } from '../manifests/manifests';
import type { Problem } from '../output/problem';

/** A CRD and the place that it was read from. */
export interface SourceCrd {
  readonly manifest: Manifest;
  readonly group: string;
  readonly kind: string;
  readonly names: CustomResourceDefinition['spec']['names'];
  /** Those that a user may write: served, and not the operator's own storage versions. At least one. */
  readonly versions: readonly CustomResourceDefinitionVersion[];
}

/** A name that another thing in the generated code has. */
const TAKEN = new Set([
  'Array',
  'AzureReference',
  'AzureResource',
  'AzureResourceProps',
  'AzureResourceReference',
  'Boolean',
  'ConfigMapDestination',
  'ConfigMapValue',
  'Construct',
  'Date',
  'DestinationExpression',
  'Error',
  'Function',
  'IAzureResourceRef',
  'Index',
  'Map',
  'Number',
  'Object',
  'Output',
  'Promise',
  'SecretDestination',
  'SecretMap',
  'SecretOutput',
  'SecretValue',
  'Set',
  'Shared',
  'String',
  'Symbol',
]);

const GROUP = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;
const VERSION = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

export type Read = { readonly crd: SourceCrd } | { readonly problem: Problem } | { readonly skipped: Problem };

/** A reason why nothing is made of a CRD, at one of its fields or as a whole. */
type Finding = readonly [field: string | undefined, message: string, fix: string];

type CrdSpec = CustomResourceDefinition['spec'];

/** Takes a document for a CRD, or says why it is none. */
export function readCrd(manifest: Manifest, all: boolean): Read {
  const defect = defectOf(manifest);
  if (defect) return { problem: problemAt(manifest, defect) };
  // `defectOf` has checked the parts that are read from here on.
  const spec = manifest.object.spec as unknown as CrdSpec;
  const versions = spec.versions.filter((version) => version.served !== false && !version.name.endsWith('storage'));
  const reason = reasonToSkip(spec, versions, all);
  if (reason) return { skipped: problemAt(manifest, reason) };
  const unsound = unsoundSchema(versions);
  if (unsound) return { problem: problemAt(manifest, [unsound.path, unsound.message, unsound.fix]) };
  return { crd: { manifest, group: spec.group, kind: spec.names.kind, names: spec.names, versions } };
}

function problemAt({ file, line, object }: Manifest, [field, message, fix]: Finding): Problem {
  return { file, line, object: `${object.kind} ${object.metadata.name}`, field, message, fix };
}

/** The reason why a document is no CRD that the API server would take. */
function defectOf({ object }: Manifest): Finding | undefined {
  const { kind, apiVersion, spec } = object as unknown as Record<string, unknown>;
  if (kind !== 'CustomResourceDefinition') {
    return [
      undefined,
      'is no CustomResourceDefinition',
      'give the CRDs of Azure Service Operator, e.g. azureserviceoperator_customresourcedefinitions_v2.yaml of its release',
    ];
  }
  if (apiVersion !== 'apiextensions.k8s.io/v1') {
    return [
      'apiVersion',
      `${asText(apiVersion)} is not read`,
      'write the CRD in apiextensions.k8s.io/v1; the other ones are gone since Kubernetes 1.22',
    ];
  }
  return defectOfSpec((spec ?? {}) as Partial<CrdSpec>);
}

function defectOfSpec({ group, names, versions }: Partial<CrdSpec>): Finding | undefined {
  if (typeof group !== 'string' || !GROUP.test(group)) {
    return ['spec.group', 'is not the name of an API group', 'give a DNS name, e.g. widgets.azure.com'];
  }
  if (typeof names !== 'object' || names === null || typeof names.kind !== 'string' || typeof names.plural !== 'string') {
    return ['spec.names', 'has no kind and plural', 'complete the CRD'];
  }
  const unsoundName = unsoundNameIn(names);
  if (unsoundName) return [`spec.names.${unsoundName[0]}`, `is not ${unsoundName[1]}`, 'correct the CRD'];
  if (!Array.isArray(versions) || versions.length === 0 || !versions.every(isVersion)) {
    return ['spec.versions', 'is no list of versions with names', 'complete the CRD'];
  }
  return undefined;
}

/** The reason why the library can have no class for the kind of a sound CRD. */
function reasonToSkip({ group, names: { kind }, scope }: CrdSpec, written: SourceCrd['versions'], all: boolean): Finding | undefined {
  if (!mayBeInCatalog(group) && !all) {
    return [undefined, `belongs to ${group}, which is no group of Azure Service Operator (*.azure.com)`, 'take it in with --all'];
  }
  if (scope === 'Cluster') {
    return ['spec.scope', 'the objects are in no namespace, but those of Azure Service Operator are', 'write the objects as ApiObject'];
  }
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) {
    return ['spec.names.kind', `'${kind}' cannot be the name of a class`, 'write the objects as ApiObject'];
  }
  if (TAKEN.has(kind)) {
    return ['spec.names.kind', `a class '${kind}' would hide what the generated code needs`, 'write the objects as ApiObject'];
  }
  if (written.length === 0) return ['spec.versions', 'no version is served', "give the CRD as the operator's release has it"];
  return undefined;
}

/** The names that a CRD may leave out, and what they have to be. */
function unsoundNameIn({
  singular,
  shortNames,
  categories,
}: { readonly [name in keyof SourceCrd['names']]: unknown }): [name: string, expected: string] | undefined {
  if (singular !== undefined && typeof singular !== 'string') return ['singular', 'a text'];
  const lists = Object.entries({ shortNames, categories }).filter(([, list]) => list !== undefined);
  const unsound = lists.find(([, list]) => !Array.isArray(list) || !list.every((name) => typeof name === 'string'));
  return unsound && [unsound[0], 'a list of texts'];
}

function unsoundSchema(versions: readonly CustomResourceDefinitionVersion[]): SchemaError | undefined {
  try {
    for (const { name, schema } of versions) {
      if (schema?.openAPIV3Schema !== undefined) soundSchema(schema.openAPIV3Schema, `spec.versions[${name}].schema.openAPIV3Schema`);
    }
    return undefined;
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
}

/** Errors that were found in the schemas of a CRD. */
export function schemaProblem({ manifest, kind }: SourceCrd, version: string, error: SchemaError): Problem {
  return {
    file: manifest.file,
    line: manifest.line,
    object: `CustomResourceDefinition ${manifest.object.metadata.name}`,
    field: `${version} ${error.path}`,
    message: `${error.message} (${kind})`,
    fix: error.fix,
  };
}

function isVersion(version: unknown): version is CustomResourceDefinitionVersion {
  const name = (version as CustomResourceDefinitionVersion | null)?.name;
  return typeof name === 'string' && VERSION.test(name);
}
