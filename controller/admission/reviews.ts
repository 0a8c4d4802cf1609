import { defaultsOf } from './defaulting';
import { immutableWarnings } from './validation/immutable-warnings';
import { refusalOf } from './validation/validate';
import type { ExpressionEngine, ObjectExpressions } from '../../engine/export';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { convertObject } from '../../engine/version-conversion/convert-object';
import { ConversionFailure, MalformedReviewError, objectOf, openReview, textIn, textOr } from '../../runtime/webhooks/review';
import { Catalog, type KindVersion } from '../../src/catalog';
import type { WebhookPurpose } from '../../src/catalog/webhook-configurations';
import { parseApiVersion } from '../../src/object-id';
import { isRecord, type JsonObject, ownMember, typeName } from '../../src/util/records';

/**
 * The answer to an AdmissionReview about objects of one version of a kind.
 *
 * @throws MalformedReviewError
 */
export function admissionReview(purpose: WebhookPurpose, version: KindVersion, review: unknown, engine?: ExpressionEngine): JsonObject {
  const { apiVersion, request } = openReview(review, 'AdmissionReview', 'admission.k8s.io/v1');
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
  // The end of an object must not be blocked: its finalizers are removed by updates.
  const refusal = object.metadata.deletionTimestamp ? undefined : refusalOf(version, object, old, engine);
  if (refusal === undefined) {
    const warnings = old ? immutableWarnings(version, object, old) : [];
    return answer({ allowed: true, ...(warnings.length > 0 && { warnings }) });
  }
  return answer({ allowed: false, status: { metadata: {}, status: 'Failure', message: refusal, reason: 'Forbidden', code: 403 } });
}

/** Evaluates the expressions of an object under review. */
export type ReviewExpressions = Pick<ObjectExpressions, 'engine' | 'prepare'>;

/**
 * As `admissionReview`, with expressions checked outside of the event loop where they are large.
 *
 * @throws MalformedReviewError, QueueFullError
 */
export async function preparedReview(
  purpose: WebhookPurpose, version: KindVersion, review: unknown, expressions?: ReviewExpressions,
): Promise<JsonObject> {
  const { request } = openReview(review, 'AdmissionReview', 'admission.k8s.io/v1');
  const operation = ownMember(request, 'operation');
  if (expressions && purpose === 'validate' && (operation === 'CREATE' || operation === 'UPDATE')) {
    const object = objectIn(request, 'object', version);
    if (!object.metadata.deletionTimestamp) await expressions.prepare(version, object);
  }
  return admissionReview(purpose, version, review, expressions?.engine);
}

/** A ConversionReview whose objects are passed one after the other: a list of thousands is never in memory as one value. */
export interface Conversion {
  /** The elements of `request.objects` that the review itself contains. */
  readonly objects: readonly unknown[];
  /** @throws ConversionFailure, MalformedReviewError */
  convert(object: unknown, index: number): KubernetesObject;
  /** The response without `convertedObjects`. */
  success(): JsonObject;
  failure(message: string): JsonObject;
}

/**
 * Begins with a ConversionReview.
 *
 * @throws MalformedReviewError
 */
export function openConversion(review: unknown, catalog: Catalog = Catalog.default()): Conversion {
  const { apiVersion, request } = openReview(review, 'ConversionReview', 'apiextensions.k8s.io/v1');
  const uid = textIn(request, 'uid', 'request');
  const wanted = textIn(request, 'desiredAPIVersion', 'request');
  const objects = ownMember(request, 'objects');
  if (!Array.isArray(objects)) throw new MalformedReviewError(`request.objects is ${typeName(objects)}, not an array`);
  const answer = (response: JsonObject) => ({ apiVersion, kind: 'ConversionReview', response: { uid, ...response } });
  return {
    objects,
    convert: (object, index) => convertedOf(objectOf(object, `request.objects[${index}]`), wanted, catalog),
    success: () => answer({ result: { status: 'Success' } }),
    failure: (message) => answer({ result: { status: 'Failure', message } }),
  };
}

function convertedOf(object: KubernetesObject, wanted: string, catalog: Catalog): KubernetesObject {
  const { kind, apiVersion } = object;
  const [namespace, name] = (['namespace', 'name'] as const).map((key) => textOr(object.metadata[key], ''));
  const to = versionIn(catalog, wanted, kind);
  const from = versionIn(catalog, apiVersion, kind);
  const unknown = !to ? wanted : !from ? apiVersion : undefined;
  const subject = `cannot convert ${kind} ${namespace}/${name} from ${apiVersion} to ${wanted}`;
  if (unknown !== undefined) throw new ConversionFailure(`${subject}: the catalog has no ${kind} in ${unknown}`);
  try {
    return convertObject(object, to!);
  } catch (error) {
    // A stack overflow: the message names the object, so that its owner can be found.
    if (error instanceof RangeError) throw new ConversionFailure(`${subject}: it nests too deeply`);
    throw error;
  }
}

function objectIn(request: JsonObject, key: string, version: KindVersion): KubernetesObject {
  const object = objectOf(ownMember(request, key), `request.${key}`, nameIn(request));
  if (object.apiVersion !== version.apiVersion || object.kind !== version.kind.kind) {
    throw new MalformedReviewError(
      `request.${key} is ${object.apiVersion} ${object.kind}; this webhook is of ${version.apiVersion} ${version.kind.kind}`,
    );
  }
  assertMetadata(object, `request.${key}.metadata`);
  return object;
}

/** Checks the members of metadata that defaulting and the rules read; the API server has checked them before it asks. */
function assertMetadata(object: KubernetesObject, at: string): void {
  const metadata: JsonObject = { ...object.metadata };
  for (const key of ['name', 'namespace', 'deletionTimestamp']) {
    const value = ownMember(metadata, key);
    if (value !== undefined && typeof value !== 'string') throw new MalformedReviewError(`${at}.${key} is ${typeName(value)}, not a text`);
  }
  for (const key of ['annotations', 'labels']) {
    const value = ownMember(metadata, key);
    if (value !== undefined && !isRecord(value)) throw new MalformedReviewError(`${at}.${key} is ${typeName(value)}, not an object`);
  }
  const finalizers = ownMember(metadata, 'finalizers');
  if (finalizers !== undefined && !Array.isArray(finalizers)) {
    throw new MalformedReviewError(`${at}.finalizers is ${typeName(finalizers)}, not an array`);
  }
}

function nameIn(request: JsonObject): JsonObject {
  const named = ['name', 'namespace']
    .map((key) => [key, ownMember(request, key)] as const)
    .filter(([, value]) => typeof value === 'string' && value !== '');
  return Object.fromEntries(named);
}

function versionIn(catalog: Catalog, apiVersion: string, kind: string): KindVersion | undefined {
  const { group, version } = parseApiVersion(apiVersion);
  return version === undefined ? undefined : catalog.kind(group, kind)?.version(version);
}
