import { convertObject } from './conversion/convert-object';
import { defaultsOf } from './defaulting';
import { refusalOf } from './validation/validate';
import { Catalog, type KindVersion } from '../../src/catalog';
import type { WebhookPurpose } from '../../src/catalog/webhook-configurations';
import { isJsonObject, member, typeName, type JsonObject } from '../convert/json';
import type { KubernetesObject } from '../kubernetes/types';

/** A request that is no review of the form that Kubernetes sends. The text says what is wrong with it. */
export class MalformedReviewError extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'MalformedReviewError';
  }
}

/**
 * The answer to an AdmissionReview about objects of one version of a kind.
 *
 * @throws MalformedReviewError
 */
export function admissionReview(purpose: WebhookPurpose, version: KindVersion, review: unknown): JsonObject {
  const { apiVersion, request } = opened(review, 'AdmissionReview', 'admission.k8s.io/v1');
  const uid = textIn(request, 'uid', 'request');
  const operation = textIn(request, 'operation', 'request');
  const answer = (response: JsonObject) => ({ apiVersion, kind: 'AdmissionReview', response: { uid, ...response } });
  if (operation !== 'CREATE' && operation !== 'UPDATE') return answer({ allowed: true });
  const object = objectIn(request, 'object', version);
  if (purpose === 'mutate') {
    const patch = defaultsOf(version, object);
    return answer({
      allowed: true,
      ...(patch.length > 0 && { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }),
    });
  }
  const old = operation === 'UPDATE' ? objectIn(request, 'oldObject', version) : undefined;
  // What is on its way out must not be held up: its finalizers go by updates.
  const refusal = object.metadata.deletionTimestamp ? undefined : refusalOf(version, object, old);
  if (refusal === undefined) return answer({ allowed: true });
  return answer({ allowed: false, status: { metadata: {}, status: 'Failure', message: refusal, reason: 'Forbidden', code: 403 } });
}

/**
 * The answer to a ConversionReview: all objects in the version that is wanted, or a failure that names the one that is in the way.
 *
 * @throws MalformedReviewError
 */
export function conversionReview(review: unknown, catalog: Catalog = Catalog.default()): JsonObject {
  const { apiVersion, request } = opened(review, 'ConversionReview', 'apiextensions.k8s.io/v1');
  const uid = textIn(request, 'uid', 'request');
  const wanted = textIn(request, 'desiredAPIVersion', 'request');
  const objects = member(request, 'objects');
  if (!Array.isArray(objects)) throw new MalformedReviewError(`request.objects is ${typeName(objects)}, not an array`);
  const answer = (response: JsonObject) => ({ apiVersion, kind: 'ConversionReview', response: { uid, ...response } });
  const converted: KubernetesObject[] = [];
  for (const [index, object] of objects.entries()) {
    const at = `request.objects[${index}]`;
    const read = asObject(object, at);
    const to = versionIn(catalog, wanted, read.kind);
    const from = versionIn(catalog, read.apiVersion, read.kind);
    const unknown = !to ? wanted : !from ? read.apiVersion : undefined;
    if (unknown !== undefined) {
      const { namespace, name } = read.metadata;
      return answer({ result: { status: 'Failure', message: `cannot convert ${read.kind} ${namespace}/${name} from ${read.apiVersion} to ${wanted}: the catalog has no ${read.kind} in ${unknown}` } });
    }
    converted.push(convertObject(read, to!));
  }
  return answer({ result: { status: 'Success' }, convertedObjects: converted });
}

function opened(review: unknown, kind: string, apiVersion: string): { apiVersion: string; request: JsonObject } {
  if (!isJsonObject(review)) throw new MalformedReviewError(`the body is ${typeName(review)}, not a ${kind}`);
  if (member(review, 'kind') !== kind || member(review, 'apiVersion') !== apiVersion) {
    throw new MalformedReviewError(`the body is ${String(member(review, 'apiVersion'))} ${String(member(review, 'kind'))}; this webhook takes ${apiVersion} ${kind}`);
  }
  const request = member(review, 'request');
  if (!isJsonObject(request)) throw new MalformedReviewError(`request is ${typeName(request)}, not an object`);
  return { apiVersion, request };
}

function objectIn(request: JsonObject, key: string, version: KindVersion): KubernetesObject {
  const object = asObject(member(request, key), `request.${key}`, nameIn(request));
  if (object.apiVersion !== version.apiVersion || object.kind !== version.kind.kind) {
    throw new MalformedReviewError(`request.${key} is ${object.apiVersion} ${object.kind}; this webhook is of ${version.apiVersion} ${version.kind.kind}`);
  }
  return object;
}

/** An object whose members are what the types say, as far as rules look at them. */
function asObject(value: unknown, at: string, namedSo?: JsonObject): KubernetesObject {
  if (!isJsonObject(value)) throw new MalformedReviewError(`${at} is ${typeName(value)}, not an object`);
  const apiVersion = textIn(value, 'apiVersion', at);
  const kind = textIn(value, 'kind', at);
  const metadata = member(value, 'metadata') ?? {};
  if (!isJsonObject(metadata)) throw new MalformedReviewError(`${at}.metadata is ${typeName(metadata)}, not an object`);
  return { ...value, apiVersion, kind, metadata: { ...namedSo, ...metadata } } as unknown as KubernetesObject;
}

function nameIn(request: JsonObject): JsonObject {
  const named = ['name', 'namespace'].map((key) => [key, member(request, key)] as const).filter(([, value]) => typeof value === 'string' && value !== '');
  return Object.fromEntries(named);
}

function textIn(object: JsonObject, key: string, at: string): string {
  const value = member(object, key);
  if (typeof value !== 'string' || value === '') throw new MalformedReviewError(`${at}.${key} is ${value === '' ? 'empty' : typeName(value)}, not a text`);
  return value;
}

function versionIn(catalog: Catalog, apiVersion: string, kind: string): KindVersion | undefined {
  const [group, version] = apiVersion.split('/');
  return version === undefined ? undefined : catalog.kind(group, kind)?.version(version);
}
