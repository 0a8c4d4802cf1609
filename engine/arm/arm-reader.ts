import { armErrorFrom, foreign, isArmErrorBody, isSigned, opened, unreadable } from './arm-error';
import { textMember } from './json';
import { isResourceAskedFor } from './same-resource';
import type { ArmRequest, RawAnswer } from './types';
import { withoutTrailingSlashes } from '../../src/azure/trailing-slashes';
import { isRecord, memberIgnoringCase, type Struct } from '../../src/util/records';
import { textBefore } from '../../src/util/text-before';

/** The members of a request that identify what its answer must describe. */
export type Asked = Pick<ArmRequest, 'method' | 'url' | 'purpose'>;

/** A member that a decision depends on. */
export interface NeededMember {
  /** Member names separated by `/`: `properties/subnets`. */
  readonly path: string;
  readonly is: 'object' | 'list' | 'text';
}

export interface ResourceQuestion {
  readonly needs?: readonly NeededMember[];
  /** False for types whose answers have another id than the requested one: then `needs` must identify the right answer. */
  readonly checksId?: boolean;
  /** Milliseconds since the epoch, for `Retry-After`. */
  readonly now?: number;
}

/** The member that holds the settings of every resource. */
export const PROPERTIES: NeededMember = { path: 'properties', is: 'object' };

/*
 * All reads from Azure go through this file. A decision uses an answer only if it is certainly Azure's: JSON, about the requested resource,
 * with the members that the decision needs; an error only if it has the form of an Azure error. For everything else (a proxy's page, an
 * empty or truncated body, another resource) the functions throw an ArmError that describes the answer, and the caller asks again later.
 */

/**
 * The resource that a GET requested; undefined when Azure reports that it does not exist.
 * @throws ArmError for every other answer
 */
export function readResource(
  asked: Asked,
  answer: RawAnswer,
  { needs = [], checksId = true, now }: ResourceQuestion = {},
): Struct | undefined {
  if (isAbsent(asked, answer)) return undefined;
  const body = readObject(asked, answer, [200], now);
  if (checksId) {
    const other = isResourceAskedFor(pathOf(asked.url), body);
    if (other !== undefined) throw foreign(answer, asked, other);
  }
  for (const need of needs) expectMember(asked, answer, body, need);
  return body;
}

/**
 * The JSON object in the answer to a request.
 * @throws ArmError for every other answer
 */
export function readObject(asked: Asked, answer: RawAnswer, statuses: readonly number[] = [200], now?: number): Struct {
  if (!statuses.includes(answer.status)) throw armErrorFrom(answer, asked, now);
  const { body } = opened(answer);
  if (!isRecord(body)) throw unreadable(answer, asked);
  return body;
}

/** The resource in the answer to a PUT; undefined for any other body: the caller then sends a GET. */
export function writtenResource(asked: Asked, answer: RawAnswer): Struct | undefined {
  const { body } = opened(answer);
  return isRecord(body) && isResourceAskedFor(pathOf(asked.url), body) === undefined ? body : undefined;
}

/**
 * The resource in the body of an answer to another request than a GET of it; undefined where anything is missing that a GET would show: the
 * caller then sends that GET.
 */
export function wholeResource(asked: Asked, body: unknown, needs: readonly NeededMember[]): Struct | undefined {
  if (!isRecord(body) || textMember(body, 'id') === undefined || isResourceAskedFor(pathOf(asked.url), body) !== undefined) return undefined;
  return needs.every((need) => hasMember(body, need)) ? body : undefined;
}

/** Whether a HEAD found the resource. Neither status has a body, so only the headers can identify a proxy's answer. @throws ArmError */
export function readExistence(asked: Asked, answer: RawAnswer, now?: number): boolean {
  const type = contentTypeOf(answer);
  const isPage = type !== undefined && !isJsonType(type);
  const isOfAzure = isSigned(answer) && !isPage;
  if (isOfAzure && (answer.status === 200 || answer.status === 204)) return true;
  if (isOfAzure && answer.status === 404) return false;
  // A proxy's 404 would count as absent; its other refusals say at least how long to wait.
  throw answer.status < 300 || answer.status === 404 || isPage ? unreadable(answer, asked) : armErrorFrom(answer, asked, now);
}

/** One page of a list. */
export interface Page {
  readonly items: readonly Struct[];
  readonly body: Struct;
  /** URL of the next page, at the same path. */
  readonly next?: string;
}

/**
 * One page of a list: the elements of `list`, which must be objects.
 * @throws ArmError for every other answer, and for a next page at another path
 */
export function readPage(asked: Asked, answer: RawAnswer, list = 'value', link = 'nextLink'): Page {
  const body = readObject(asked, answer);
  const items = body[list];
  if (!Array.isArray(items) || !items.every(isRecord)) throw foreign(answer, asked, `it has no list "${list}" of objects`);
  const next = nextOf(asked, answer, body[link]);
  return { items, body, ...(next === undefined ? {} : { next }) };
}

/**
 * The link to the next page: at the path of this page, or below the resource `of`. (The client decides which hosts get a token.) @throws
 * ArmError
 */
export function nextOf(asked: Asked, answer: RawAnswer, link: unknown, of?: string): string | undefined {
  if (link === undefined || link === null || link === '') return undefined;
  const path = typeof link === 'string' ? plain(pathOf(link)) : '';
  const fits = of === undefined ? path === plain(pathOf(asked.url)) : path.startsWith(`${plain(of)}/`);
  if (!fits) throw foreign(answer, asked, 'its next page is one of something else');
  return link as string;
}

/** Codes of 404 answers that are not about the resource or its parents: they do not prove that the resource is absent. */
const OF_SOMETHING_ELSE = new RegExp(
  `^(${[
    'SubscriptionNotFound',
    'InvalidSubscriptionId',
    'MissingSubscription',
    'SubscriptionNotRegistered',
    'MissingSubscriptionRegistration',
    'DisallowedSubscription',
    'TenantNotFound',
    'InvalidTenantId',
    'InvalidResourceType',
    'InvalidResourceNamespace',
    'NoRegisteredProviderFound',
    'ResourceProviderNotFound',
    'ProviderNotFound',
    'ApiVersionNotFound',
    'InvalidApiVersion.*',
    'UnsupportedApiVersion',
    'PrincipalNotFound',
    'EndpointNotFound',
    'HostNotFound',
    'PageNotFound',
    'RouteNotFound',
    'LocationNotFound',
    'OperationNotFound',
    'OperationIdNotFound',
  ].join('|')})$`,
  'i',
);
/** Some services omit the `error` object around their error. Gateways do too, but their codes are about routes. */
const BARE_CODE = /^(\w*(not_?found|not_?exist))$/i;

/**
 * Whether Azure reports that the resource of a request does not exist: a 404 with an Azure error, of any code, about this resource or one
 * of its parents. An unknown subscription, type or api-version does not prove that the resource is absent.
 */
export function isAbsent(asked: Asked, answer: RawAnswer): boolean {
  if (answer.status !== 404) return false;
  const { body } = opened(answer);
  if (!isArmErrorBody(body)) return false;
  const inner = memberIgnoringCase(body, 'error');
  const error = isRecord(inner) ? inner : body;
  const code = textMember(error, 'code')!;
  const message = textMember(error, 'message') ?? '';
  if (OF_SOMETHING_ELSE.test(code) || (error === body && !BARE_CODE.test(code))) return false;
  return isAbout(pathOf(asked.url), message);
}

/**
 * Azure Resource Manager's own two messages name the missing resource: the requested one or a parent (true of all 454 recorded ones). The
 * types of a nested resource stand between its names, or before them.
 */
function isAbout(path: string, message: string): boolean {
  const resource = /^The Resource '([^']+)' under resource group '([^']+)' was not found/.exec(message);
  const group = resource?.[2] ?? /^Resource group '([^']+)' could not be found/.exec(message)?.[1];
  if (group === undefined) return true;
  const segments = plain(path).split('/');
  if (segments[segments.indexOf('resourcegroups') + 1] !== group.toLowerCase()) return false;
  const named = (resource?.[1] ?? '').toLowerCase().split('/').filter((segment) => segment !== '');
  return named.every((segment) => segments.includes(segment));
}

function expectMember(asked: Asked, answer: RawAnswer, body: Struct, need: NeededMember): void {
  if (!hasMember(body, need)) throw foreign(answer, asked, `its member "${need.path}" is no ${need.is}`);
}

function hasMember(body: Struct, { path, is }: NeededMember): boolean {
  const value = path.split('/').reduce<unknown>((inner, name) => memberIgnoringCase(inner, name), body);
  return is === 'list' ? Array.isArray(value) : is === 'object' ? isRecord(value) : typeof value === 'string' && value !== '';
}

function contentTypeOf({ headers }: RawAnswer): string | undefined {
  return textBefore(headers['content-type'] ?? '', ';').trim().toLowerCase() || undefined;
}

function isJsonType(type: string): boolean {
  return /^(application|text)\/([\w.-]+\+)?json$/.test(type);
}

/** The path of a URL, without its query. */
function pathOf(url: string): string {
  return textBefore(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? url, /[?#]/);
}

function plain(path: string): string {
  let text = path;
  try {
    text = decodeURIComponent(path);
  } catch {
    // Invalid encoding: the text is compared undecoded.
  }
  return withoutTrailingSlashes(text.toLowerCase());
}
