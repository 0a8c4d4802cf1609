import { Lexer } from 'yaml';
import { DATA_SERVICES } from './data-services';
import { DATABASES } from './databases';
import type { Mapping, NewObject, OldObject } from './mapping';
import type { NewNames } from './new-names';
import { PLATFORM } from './platform';
import { Taken } from './taken';
import { formatYaml } from '../../../engine/yaml/format-yaml';
import { KUBECTL_LAST_APPLIED, RECONCILE_POLICY } from '../../../src/azure/annotations';
import { groupOfService } from '../../../src/util/api-groups';
import { isRecord, omitUndefined } from '../../../src/util/records';

const MAPPINGS: Readonly<Record<string, Mapping>> = { ...PLATFORM, ...DATA_SERVICES, ...DATABASES };
const BY_NAME: ReadonlyMap<string, readonly [kind: string, map: Mapping]> = new Map(
  Object.entries(MAPPINGS).map(([kind, map]) => [kind.toLowerCase(), [kind, map]]),
);
/** As YAML 1.1 has them: the rest of a comment behind one would be content. */
const LINE_BREAK = /\r\n|[\n\r\u0085\u2028\u2029]/;
/** Members that kubectl and v1 wrote themselves. */
const OF_CLUSTER = ['creationTimestamp', 'finalizers', 'generation', 'managedFields', 'ownerReferences', 'resourceVersion', 'selfLink', 'uid'];

/** Whether `--fix` writes objects of v2 in the place of a kind of v1. */
export function isRewritten(kind: string): boolean {
  return BY_NAME.has(kind.toLowerCase());
}

/**
 * The objects of v2 in the place of one of v1, as a text: they have its names, and the policy `skip`, so that they only read what is in
 * Azure.
 * Members for which v2 has no place, and the comments, are comments above them.
 * @param apiVersionOf the API version that the target serves, for service and kind
 * @param source the old object as it is written, and its file
 */
export function rewritten(
  object: Readonly<Record<string, unknown>>,
  apiVersionOf: (group: string, kind: string) => string,
  { text, file }: { readonly text: string; readonly file: string },
  names: NewNames,
): string | undefined {
  const { kind: written, metadata, apiVersion: _apiVersion, status: _status, ...members } = object;
  const [kind, map] = typeof written === 'string' ? BY_NAME.get(written.toLowerCase()) ?? [] : [];
  const { name, namespace, labels, annotations, ...more } = isRecord(metadata) ? metadata : {};
  if (kind === undefined || map === undefined || typeof name !== 'string') return undefined;
  const comments = commentsIn(text);
  // Helm reads comments as well: `# {{- if … }}` decides over the lines below it.
  if (comments.some((comment) => comment.includes('{{'))) return undefined;
  const { spec, ...beside } = members;
  const nameFor: OldObject['nameFor'] = (newKind, words, resource) => names.nameFor(`${newKind} ${String(namespace)}`, words, resource);
  const old = { kind, name, spec: new Taken(spec), rest: new Taken(beside), nameFor };
  const { objects, notes = [] } = map(old);
  const left = {
    ...keyed('metadata', {
      ...Object.fromEntries(Object.entries(more).filter(([key]) => !OF_CLUSTER.includes(key))),
      ...(annotations !== undefined && !isRecord(annotations) && { annotations }),
    }),
    ...(spec === undefined || spec === null || isRecord(spec) ? keyed('spec', old.spec.left) : { spec }),
    ...old.rest.left,
  };
  const head = [...comments, ...notes, ...leftText(left)].flatMap((line) => line.split(LINE_BREAK)).map((line) => `# ${line}`.trimEnd());
  const kept = ownAnnotations(annotations);
  const isWritten = (one: NewObject) => one.isShared !== true || names.isNew(file, `${one.kind} ${String(namespace)}/${one.name}`);
  const textOf = (one: NewObject) => formatYaml(manifestOf(one, { namespace, labels, annotations: kept }, apiVersionOf)).trimEnd();
  const made = objects.filter(isWritten).map(textOf);
  // The text of a map may end with its last line's end.
  return [...head, made.join('\n---\n')].join('\n') + (text.endsWith('\n') ? '\n' : '');
}

function manifestOf(
  { kind: path, name, spec }: NewObject,
  { namespace, labels, annotations }: { namespace: unknown; labels: unknown; annotations: Record<string, unknown> },
  apiVersionOf: (group: string, kind: string) => string,
): Record<string, unknown> {
  const [service = '', kind = ''] = path.split('/');
  return {
    apiVersion: apiVersionOf(groupOfService(service), kind),
    kind,
    metadata: omitUndefined({ name, namespace, labels, annotations: { ...annotations, [RECONCILE_POLICY]: 'skip' } }),
    spec: withoutUndefined(spec),
  };
}

/** Annotations of the user: not those that v1 and kubectl take for themselves. */
function ownAnnotations(annotations: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(isRecord(annotations) ? annotations : {}).filter(([key]) => key !== 'skipreconcile' && key !== KUBECTL_LAST_APPLIED));
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, withoutUndefined(item)]])));
}

function keyed(key: string, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.keys(value).length === 0 ? {} : { [key]: value };
}

function leftText(left: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(left).length === 0 ? [] : ['v2 has no place for this:', ...formatYaml(left).trimEnd().split('\n').map((line) => `  ${line}`)];
}

/** The comments of a text, without their signs. */
function commentsIn(text: string): string[] {
  return [...new Lexer().lex(text)].filter((token) => token.startsWith('#')).map((token) => token.replace(/^#+ ?/, ''));
}
