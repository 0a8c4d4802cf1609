import { SchemaError } from './schema-error';
import { soundSchema } from './sound-schema';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../../src/catalog/crd';
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

/** Takes a document for a CRD, or says why it is none. */
export function readCrd(manifest: Manifest, all: boolean): Read {
  const object = manifest.object as unknown as Record<string, unknown>;
  const name = manifest.object.metadata.name;
  const said = (field: string | undefined, message: string, fix: string): Problem => ({
    file: manifest.file,
    line: manifest.line,
    object: `${manifest.object.kind} ${name}`,
    field,
    message,
    fix,
  });
  if (object.kind !== 'CustomResourceDefinition') {
    return {
      problem: said(
        undefined,
        'is no CustomResourceDefinition',
        'give the CRDs of Azure Service Operator, e.g. azureserviceoperator_customresourcedefinitions_v2.yaml of its release',
      ),
    };
  }
  if (object.apiVersion !== 'apiextensions.k8s.io/v1') {
    return {
      problem: said(
        'apiVersion',
        `${asText(object.apiVersion)} is not read`,
        'write the CRD in apiextensions.k8s.io/v1; the other ones are gone since Kubernetes 1.22',
      ),
    };
  }
  const spec = object.spec as Partial<CustomResourceDefinition['spec']> | undefined;
  const { group, names, versions } = spec ?? {};
  if (typeof group !== 'string' || !GROUP.test(group)) {
    return { problem: said('spec.group', 'is not the name of an API group', 'give a DNS name, e.g. widgets.azure.com') };
  }
  if (typeof names !== 'object' || names === null || typeof names.kind !== 'string' || typeof names.plural !== 'string') {
    return { problem: said('spec.names', 'has no kind and plural', 'complete the CRD') };
  }
  const unsoundName = unsoundNameIn(names);
  if (unsoundName) return { problem: said(`spec.names.${unsoundName[0]}`, `is not ${unsoundName[1]}`, 'correct the CRD') };
  if (!Array.isArray(versions) || versions.length === 0 || !versions.every(isVersion)) {
    return { problem: said('spec.versions', 'is no list of versions with names', 'complete the CRD') };
  }
  if (!group.endsWith('.azure.com') && !all) {
    return {
      skipped: said(undefined, `belongs to ${group}, which is no group of Azure Service Operator (*.azure.com)`, 'take it in with --all'),
    };
  }
  if (spec?.scope === 'Cluster') {
    return {
      skipped: said(
        'spec.scope',
        'the objects are in no namespace, but those of Azure Service Operator are',
        'write the objects as ApiObject',
      ),
    };
  }
  if (!/^[A-Z][A-Za-z0-9]*$/.test(names.kind)) {
    return { skipped: said('spec.names.kind', `'${names.kind}' cannot be the name of a class`, 'write the objects as ApiObject') };
  }
  if (TAKEN.has(names.kind)) {
    return {
      skipped: said(
        'spec.names.kind',
        `a class '${names.kind}' would hide what the generated code needs`,
        'write the objects as ApiObject',
      ),
    };
  }
  const written = versions.filter((version) => version.served !== false && !version.name.endsWith('storage'));
  if (written.length === 0) {
    return { skipped: said('spec.versions', 'no version is served', "give the CRD as the operator's release has it") };
  }
  const unsound = unsoundSchema(written);
  if (unsound) return { problem: said(unsound.path, unsound.message, unsound.fix) };
  return { crd: { manifest, group, kind: names.kind, names, versions: written } };
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
