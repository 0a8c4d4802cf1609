import type { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { Externals } from './bundle';
import { CompositionError, failed } from './composition-error';
import { waves } from './waves';
import type { KubernetesObject } from '../../../engine/kubernetes';
import { groupOf, objectKeyOf, objectTitleOf, type WrittenObjectId } from '../../../src/object-id';
import type { ApiDefinition, Composition, ComposeLimits } from '../../../src/platform-api';
import { isRecord, isText } from '../../../src/util/records';
import { firstOf } from '../../../src/util/words';
import { composedKinds } from '../../definition/composed-kinds';
import { messageOf } from '../../message-of';
import { LARGEST_OBJECT, LARGEST_RESULT } from '../jobs';
import type { RenderedObject } from '../types';

/** The objects of a composition, with the constructs that they are of. */
export interface RenderedApp {
  readonly objects: readonly RenderedObject[];
  readonly idOf: (object: unknown) => WrittenObjectId | undefined;
}

/** Validates and renders all constructs of an app, as synth does. */
export function renderApp(
  app: Construct,
  definition: ApiDefinition,
  definitions: readonly ApiDefinition[],
  limits: Required<ComposeLimits>,
  { readiness = [] }: Composition,
  { cdk8s, library }: Externals,
): RenderedApp {
  const constructs = app.node.findAll();
  const made = constructs.filter((one): one is ApiObject => cdk8s.ApiObject.isApiObject(one));
  if (made.length > limits.objects) {
    throw new CompositionError({
      reason: 'TooManyObjects',
      message: `compose gave ${made.length} objects; ${limits.objects} is the limit of the definition (limits.objects)`,
    });
  }
  validate(constructs);
  const scopes = new Map(composedKinds(definition.composes, definitions).map(({ group, kind, namespaced }) => [`${group}/${kind}`, namespaced]));
  const bytes = { total: 0 };
  const manifests = made.map((object) => manifestOf(object, scopes, bytes));
  const ids = manifests.map(identityOf);
  refuseDuplicates(ids, made);
  const idOfConstruct = new Map<unknown, WrittenObjectId>(made.map((object, index) => [object, ids[index]!]));
  const conditions = new Map(readiness.map(({ object, cel }) => [readinessId(object, idOfConstruct), textOf(cel, 'readiness')]));
  const order = waves({ constructs, made, manifests, ids, graph: library.OwnerGraph.of(app) });
  const objects = made.map(({ node: { path } }, index): RenderedObject => {
    const condition = conditions.get(ids[index]!);
    return { manifest: manifests[index]!, path, wave: order[index]!, ...(condition !== undefined && { readiness: condition }) };
  });
  return { objects, idOf: (object) => idOfConstruct.get(object) };
}

/** Runs the validations of all constructs, among them the checks of this library. */
function validate(constructs: readonly IConstruct[]): void {
  const found = constructs.flatMap(({ node }) => node.validate().map((message) => ({ path: node.path, message })));
  if (found.length === 0) return;
  throw failed(found.map(({ path, message }) => `${path}: ${message}`).join('\n').slice(0, 8192), found[0]!.path);
}

function manifestOf(object: ApiObject, scopes: ReadonlyMap<string, boolean | undefined>, bytes: { total: number }): KubernetesObject {
  const { path } = object.node;
  let json: string;
  try {
    if (isEndless((object as unknown as { readonly props?: unknown }).props)) throw new RangeError(ENDLESS);
    json = JSON.stringify(object.toJson());
  } catch (error) {
    if (error instanceof RangeError) throw failed(ENDLESS, path);
    throw failed(messageOf(error), path);
  }
  const size = Buffer.byteLength(json);
  bytes.total += size;
  const tooLarge = (what: string, bytesOf: number, most: number) => new CompositionError({
    reason: 'TooLarge',
    message: `${what} ${(bytesOf / 1e6).toFixed(1)} MB; ${(most / 1e6).toFixed(1)} MB is the limit`,
  });
  if (size > LARGEST_OBJECT) throw tooLarge(`the object ${path} has`, size, LARGEST_OBJECT);
  if (bytes.total > LARGEST_RESULT) throw tooLarge(`the objects up to ${path} have together`, bytes.total, LARGEST_RESULT);
  // Plain data: what a construct gave as a value with accessors is one no longer.
  const manifest = JSON.parse(json) as unknown;
  const problem = shapeProblem(manifest);
  if (problem !== undefined) throw failed(problem, path);
  return placed(manifest as KubernetesObject, scopes, path);
}

const ENDLESS = 'the object contains itself, or is nested too deeply';
const DEEPEST = 200;

/** Whether a value contains itself: cdk8s would copy it until the memory is full. */
function isEndless(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  return depth > DEEPEST || Object.values(value).some((one) => isEndless(one, depth + 1));
}

function shapeProblem(manifest: unknown): string | undefined {
  if (!isRecord(manifest) || !isText(manifest.apiVersion) || !isText(manifest.kind) || !isRecord(manifest.metadata)) {
    return 'the object has no apiVersion, kind or metadata';
  }
  const { name, namespace } = manifest.metadata;
  if (!isText(name) || name === '') return 'the object has no name';
  if (name.length > 253) return `the name of the object has ${name.length} characters; 253 is the limit: ${name.slice(0, 60)}…`;
  if (/[/%]|^\.{1,2}$/.test(name)) return `'${name}' is no name of an object`;
  if (namespace !== undefined && (!isText(namespace) || !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace))) {
    return `'${String(namespace).slice(0, 100)}' is no name of a namespace`;
  }
  return undefined;
}

/** The object in its scope: charts give all their objects a namespace. */
function placed(manifest: KubernetesObject, scopes: ReadonlyMap<string, boolean | undefined>, path: string): KubernetesObject {
  const { group, kind } = identityOf(manifest);
  const key = `${group}/${kind}`;
  if (!scopes.has(key)) {
    throw new CompositionError({
      reason: 'KindNotDeclared',
      message: `${path} is a ${kind} of group '${group}', `
        + 'which composes of the definition does not list: the composer has no rights for it',
    });
  }
  const { namespace, ...metadata } = manifest.metadata;
  if (scopes.get(key) === false) return { ...manifest, metadata };
  if (scopes.get(key) === true && namespace === undefined) {
    throw failed('the object has no namespace, and the claim is cluster-scoped: give metadata.namespace', path);
  }
  return manifest;
}

function identityOf({ apiVersion, kind, metadata: { name, namespace } }: KubernetesObject): WrittenObjectId {
  return { group: groupOf({ apiVersion }), kind, ...(namespace !== undefined && { namespace }), name };
}

function refuseDuplicates(ids: readonly WrittenObjectId[], made: readonly ApiObject[]): void {
  const paths = new Map<string, string>();
  ids.forEach((id, index) => {
    const key = objectKeyOf(id);
    const { path } = made[index]!.node;
    const other = paths.get(key);
    if (other !== undefined) {
      throw new CompositionError({ reason: 'DuplicateObject', message: `${other} and ${path} are both ${objectTitleOf(id)}` });
    }
    paths.set(key, path);
  });
}

function readinessId(object: unknown, ids: ReadonlyMap<unknown, WrittenObjectId>): WrittenObjectId {
  const id = ids.get(object);
  if (!id) throw failed('readiness names an object that compose did not build: give the ApiObject itself');
  return id;
}

function textOf(value: unknown, name: string): string {
  if (isText(value) && value !== '' && value.length <= 4096) return value;
  throw failed(`${name}: ${firstOf([typeof value], 1)} is no CEL expression; it is a text of at most 4096 characters`);
}
