import type { KubernetesObject } from '../../engine/kubernetes/types';
import { isRecord, type JsonObject, ownMember, typeName } from '../../src/util/records';
import { textBefore } from '../../src/util/text-before';

/** A request that is not a valid Kubernetes review. The message says what is wrong with it. */
export class MalformedReviewError extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'MalformedReviewError';
  }
}

/** An object that cannot be converted. */
export class ConversionFailure extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'ConversionFailure';
  }
}

/**
 * The request of a review.
 *
 * @throws MalformedReviewError
 */
export function openReview(review: unknown, kind: 'AdmissionReview' | 'ConversionReview', apiVersion: string): { apiVersion: string; request: JsonObject } {
  if (!isRecord(review)) throw new MalformedReviewError(`the body is ${typeName(review)}, not a ${kind}`);
  if (ownMember(review, 'kind') !== kind || ownMember(review, 'apiVersion') !== apiVersion) {
    throw new MalformedReviewError(`the body is ${textOr(ownMember(review, 'apiVersion'), 'no version')} `
      + `${textOr(ownMember(review, 'kind'), 'of no kind')}; this webhook takes ${apiVersion} ${kind}`);
  }
  const request = ownMember(review, 'request');
  if (!isRecord(request)) throw new MalformedReviewError(`request is ${typeName(request)}, not an object`);
  return { apiVersion, request };
}

/**
 * Checks that the members that all objects have are of the declared types.
 *
 * @throws MalformedReviewError
 */
export function objectOf(value: unknown, at: string, namedSo?: JsonObject): KubernetesObject {
  if (!isRecord(value)) throw new MalformedReviewError(`${at} is ${typeName(value)}, not an object`);
  const apiVersion = textIn(value, 'apiVersion', at);
  const kind = textIn(value, 'kind', at);
  const metadata = ownMember(value, 'metadata') ?? {};
  if (!isRecord(metadata)) throw new MalformedReviewError(`${at}.metadata is ${typeName(metadata)}, not an object`);
  // The other members are as the schema of the CRD, or the rule that reads them, leaves them.
  return { ...value, apiVersion, kind, metadata: { ...namedSo, ...metadata } } as unknown as KubernetesObject;
}

/** @throws MalformedReviewError */
export function textIn(object: JsonObject, key: string, at: string): string {
  const value = ownMember(object, key);
  if (typeof value !== 'string' || value === '') {
    throw new MalformedReviewError(`${at}.${key} is ${value === '' ? 'empty' : typeName(value)}, not a text`);
  }
  return value;
}

export function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** @throws MalformedReviewError */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MalformedReviewError(`the body is not JSON: ${textBefore((error as Error).message, '\n').slice(0, 200)}`);
  }
}
