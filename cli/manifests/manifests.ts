import { innerObjects } from './inside/inner-objects';
import { describeHolder, type InnerObject, type Inside } from './inside/inside';
import { isLater } from './later/variables';
import { lineAtPath, linesAtPath } from './places';
import { objectsIn, readSourceText, type SourceText } from './source-text';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import type { FillScalar } from '../../engine/yaml/node-value';
import { parsePath, spellPath, type FieldPath } from '../../src/catalog/validate-spec';
import { groupOf, objectIdOf, objectKeyOf, objectTitleOf } from '../../src/object-id';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { isRecord, omitUndefined } from '../../src/util/records';
import type { Problem } from '../output/problem';

/** A Kubernetes object and the place that it was read from. */
export interface Manifest {
  readonly file: string;
  /** Line of the object's beginning, counted from 1. */
  readonly line: number;
  /** As written: nothing is defaulted. `apiVersion`, `kind` and `metadata.name` are there and are text. */
  readonly object: KubernetesObject;
  /** The object that it is in; absent for an object of its own. */
  readonly inside?: Inside;
  /** Whether it has more, or other names, than is known: of a template, or of a kustomization that was not built. */
  readonly isPartial?: boolean;
  /** Whether patches and replacements that are not known may change its values. */
  readonly hasOpenValues?: boolean | undefined;
  /** Whether it is rendered with the defaults of a chart, of which empty ones are values to be given. */
  readonly hasDefaults?: boolean | undefined;
  /** Line of a field, or of the innermost thing around it that is written down. */
  lineOf(path: FieldPath): number;
}

/** All objects that could be read, and one problem for everything that could not. */
export interface Manifests {
  readonly manifests: Manifest[];
  readonly problems: Problem[];
  /** Patches of kustomizations that were not built: parts of objects that may be written elsewhere. */
  readonly patches?: readonly Manifest[];
  /** Files that were left aside, were not built, or were read as something else than they say: no mistakes. */
  readonly notes?: readonly Problem[];
}

/** `Kind namespace/name`, as problems name an object. */
export function describeObject(object: KubernetesObject): string {
  return objectTitleOf(objectIdOf(object));
}

/** As `describeObject`, with the object that it is in. */
export function describeManifest({ object, inside }: Pick<Manifest, 'object' | 'inside'>): string {
  return withHolder(describeObject(object), inside);
}

/** `… in Kind namespace/name`. */
function withHolder(described: string, inside: Inside | undefined): string {
  return inside === undefined ? described : `${described} in ${describeHolder(inside)}`;
}

/** The field as it stands in the file: from the object that holds the manifest's, if there is one. */
export function fieldOf({ inside }: Pick<Manifest, 'inside'>, field: string): string {
  if (inside === undefined) return field;
  const known = /^(?:[A-Za-z0-9_-]+|\[\d+\]|\.)*/.exec(field)?.[0] ?? '';
  return `${spellPath(inside.pathOf(parsePath(known)))}${field.slice(known.length)}`;
}

/** The key that an object has once it is applied. */
export function appliedKeyOf(object: KubernetesObject): string {
  return objectKeyOf({ ...objectIdOf(object), namespace: namespaceOf(object) });
}

/** The namespace that an object without one goes to. */
export function namespaceOf(object: KubernetesObject): string {
  return object.metadata.namespace ?? 'default';
}

/** Reads the text of one file. */
export function parseManifests(text: string, file: string, fill?: FillScalar): Manifests {
  return manifestsIn(readSourceText(text, file, fill));
}

/**
 * The objects of a text, and those in them.
 * @param kinds that are looked into by choice
 */
export function manifestsIn(source: SourceText, kinds?: readonly string[]): Manifests {
  const manifests: Manifest[] = [];
  const problems: Problem[] = [...source.problems];
  for (const document of source.documents) {
    if ((document.value ?? null) === null) continue;
    for (const { value, path } of objectsIn(document.value)) {
      const inner = innerObjects({ value, path, document, source }, { kinds });
      const written: Written = { value, document, source, placeOf: (field) => [...path, ...field] };
      for (const read of [manifestOf(written), ...inner.objects.map(manifestOf), ...inner.problems]) {
        if ('message' in read) problems.push(read);
        else manifests.push(read);
      }
    }
  }
  return { manifests, problems };
}

/** Whether lines of a template decide over parts of an object, or include some. */
function isPartial({ placeOf, document, source }: Written): boolean {
  const { controlLines, switchLines } = source;
  if (!controlLines && !switchLines) return false;
  const { first, last } = linesAtPath(placeOf([]), document, source);
  return Array.from(controlLines ?? []).some((line) => line > first && line < last)
    || Array.from(switchLines ?? []).some((line) => line > first && line <= last + 1);
}

/** An object of a template without the parts that are included: `labels: {{ include "labels" . }}` is no text. */
function withoutIncludedParts(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const without = (map: Record<string, unknown>, keys: readonly string[]) => (
    Object.fromEntries(Object.entries(map).filter(([key, part]) => !(keys.includes(key) && isLater(part))))
  );
  const { metadata } = value;
  return { ...without(value, ['spec']), ...(isRecord(metadata) && { metadata: without(metadata, ['labels', 'annotations']) }) };
}

/** A value that is to be an object, and its place in a document. */
type Written = Omit<InnerObject, 'inside'> & Partial<Pick<InnerObject, 'inside'>>;

/** The object, or what is wrong with it. */
function manifestOf(written: Written): Manifest | Problem {
  const { inside, document, source, placeOf } = written;
  const value = source.controlLines ? withoutIncludedParts(written.value) : written.value;
  const { file } = source;
  const lineOf = (field: FieldPath) => lineAtPath(placeOf(field), document, source);
  const isPart = isPartial(written);
  const refused = (message: string, fix: string, field?: string): Problem => {
    const kind = isRecord(value) && typeof value.kind === 'string' ? value.kind : undefined;
    const metadata = isRecord(value) && isRecord(value.metadata) ? value.metadata : {};
    const name = typeof metadata.name === 'string' ? metadata.name : undefined;
    const object = kind && withHolder(name ? `${kind} ${name}` : kind, inside);
    const place = field === undefined ? undefined : fieldOf(omitUndefined({ inside }), field);
    // An object of a template may include what it lacks.
    return { file, line: lineOf([]), object, field: place, message, fix, ...(isPart && { cause: 'template' }) };
  };
  if (!isRecord(value)) return refused('is not a Kubernetes object', 'give an object with apiVersion, kind and metadata');
  if (typeof value.apiVersion !== 'string' || value.apiVersion === '') {
    return refused('is missing', 'add the group and version, e.g. resources.azure.com/v1api20200601', 'apiVersion');
  }
  if (typeof value.kind !== 'string' || value.kind === '') return refused('is missing', 'add the kind, e.g. ResourceGroup', 'kind');
  const { name, namespace, labels, annotations, generateName } = isRecord(value.metadata) ? value.metadata : {};
  if (typeof name !== 'string' || name === '') {
    if ((name ?? '') !== '') return refused('is not a text', 'put the name in quotes', 'metadata.name');
    if (value.kind === 'Kustomization') return refused('is missing', 'give what it builds: kubectl kustomize DIRECTORY', 'metadata.name');
    if (generateName) {
      const problem = refused('is missing', 'give the object a name: with generateName it is another one each time', 'metadata.name');
      return mayBeInCatalog(groupOf({ apiVersion: value.apiVersion })) ? problem : { ...problem, cause: 'unnamed' };
    }
    return refused('is missing', 'give the object a name', 'metadata.name');
  }
  if (namespace !== undefined && namespace !== null && (typeof namespace !== 'string' || namespace === '')) {
    return refused('is not a text', 'give the name of a namespace, or leave it out', 'metadata.namespace');
  }
  for (const [field, map] of Object.entries({ labels, annotations })) {
    if (map !== undefined && map !== null && !isTextMap(map)) {
      const problem = refused('has a value that is not a text', 'put the values in quotes', `metadata.${field}`);
      return isTextMap(map, [null]) ? { ...problem, cause: 'empty' } : problem;
    }
  }
  if (value.spec !== undefined && value.spec !== null && !isRecord(value.spec)) {
    return refused('is not an object', 'write the properties of the resource below spec', 'spec');
  }
  const object = withoutNulls(value) as unknown as KubernetesObject;
  return { file, line: lineOf([]), object, ...(inside && { inside }), ...(isPart && { isPartial: true }), lineOf };
}

/** The API server takes a null in metadata for left out. */
function withoutNulls(object: Record<string, unknown>): Record<string, unknown> {
  const metadata = Object.entries(object.metadata as Record<string, unknown>);
  if (metadata.every(([, value]) => value !== null)) return object;
  return { ...object, metadata: Object.fromEntries(metadata.filter(([, value]) => value !== null)) };
}

function isTextMap(value: unknown, more: readonly unknown[] = []): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((entry) => typeof entry === 'string' || more.includes(entry));
}
