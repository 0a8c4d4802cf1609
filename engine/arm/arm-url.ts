import { armTypeOf } from '../../src/azure/arm-id';
import { encodedSegment, quotedText, segmentProblem } from '../../src/azure/arm-segment';
import { withoutTrailingSlashes } from '../../src/azure/trailing-slashes';
import { textBefore } from '../../src/util/text-before';

/** The client refuses to send the token to this URL. */
export class ForeignUrlError extends Error {
  public constructor(
    public readonly host: string,
    endpoint: string,
  ) {
    super(
      `refused to send a request to ${host}: it is not part of the cloud ${new URL(endpoint).host}, and the token is for that one only`,
    );
    this.name = 'ForeignUrlError';
  }
}

/** The path would address another resource than the intended one. */
export class UnsafePathError extends Error {
  public constructor(path: string, problem: string) {
    super(`refused to send a request to ${quotedText(path)}: ${problem}. The ids that it is made of are in the object's spec and annotations: correct them there`);
    this.name = 'UnsafePathError';
  }
}

/** The origin of a URL and the method that it is used with. */
export interface UrlUse {
  /** Whether the URL comes from an answer (an operation or a next page) and is therefore encoded already. Absolute URLs always do. */
  readonly isFromAnswer?: boolean;
  readonly method?: string;
}

/**
 * The full URL of a request.
 *
 * Paths consist of ids that this program has built. Each segment is checked and encoded, and the path of the parsed URL is compared with
 * them, so that no name can change the path to that of another resource.
 *
 * An absolute URL comes from an answer or from the annotation with the resume token, which every user with write access to the object can
 * edit. If the client followed it blindly, one annotation could send the credential's bearer token to any host. So only the endpoint itself
 * and its subdomains over TLS are allowed (`westeurope.management.azure.com`: names below ARM's are ARM's regional front ends), and only
 * for GET.
 *
 * @throws ForeignUrlError, UnsafePathError
 */
export function armUrl(endpoint: string, url: string, apiVersion?: string, use: UrlUse = {}): string {
  const base = new URL(endpoint);
  // `//host/path` names another host, and URL parsers read backslashes as slashes: both are checked as absolute URLs.
  const isPath = /^\/(?![/\\])/.test(url);
  const full = isPath && !use.isFromAnswer ? built(base, url) : followed(base, url, isPath, use);
  if (!sameCloud(base, full)) throw new ForeignUrlError(full.host || full.protocol, endpoint);
  if (apiVersion !== undefined && !hasApiVersion(full)) {
    full.search += `${full.search ? '&' : '?'}api-version=${encodeURIComponent(apiVersion)}`;
  }
  full.hash = '';
  return full.href;
}

/**
 * The absolute URL of a path, for a program that needs one. No request is sent to it without the checks of `armUrl`. An absolute URL is
 * returned as it is.
 */
export function absoluteUrl(endpoint: string, url: string, { isFromAnswer = false }: UrlUse = {}): string {
  if (!url.startsWith('/')) return url;
  const [path, query] = cutAt(url, '?');
  const base = new URL(endpoint);
  const encoded = isFromAnswer ? path : path.split('/').map(encodedSegment).join('/');
  return `${base.origin}${prefixOf(base)}${encoded}${query === undefined ? '' : `?${query}`}`;
}

/** Queries after paths of ids; only this program writes them: `api-version=2022-08-01&deleteSubscriptions=true`. */
const QUERY = /^[\w$.-]+=[^/?#&\\\s]*(&[\w$.-]+=[^/?#&\\\s]*)*$/;

/** The path prefix of an endpoint, e.g. that of a gateway. */
function prefixOf({ pathname }: URL): string {
  return withoutTrailingSlashes(pathname);
}

/** Builds the URL for a path of ids. */
function built(base: URL, url: string): URL {
  const [path, query] = cutAt(url, '?');
  const segments = path.split('/').slice(1);
  for (const segment of segments) {
    const problem = segmentProblem(segment);
    if (problem !== undefined) throw new UnsafePathError(path, `its segment ${quotedText(segment)} ${problem}`);
  }
  if (query !== undefined && !QUERY.test(query)) throw new UnsafePathError(path, 'what follows the "?" is no query');
  const prefix = prefixOf(base);
  const full = new URL(`${base.origin}${prefix}/${segments.map(encodedSegment).join('/')}${query === undefined ? '' : `?${query}`}`);
  expectPath(full, `${prefix}/${segments.join('/')}`, (text) => text);
  return full;
}

/** Builds the URL for a link of an answer. Azure's encoding is kept; `..` segments are rejected. */
function followed(base: URL, url: string, isPath: boolean, { method = 'GET' }: UrlUse): URL {
  const full = parse(isPath ? `${base.origin}${prefixOf(base)}${url}` : url, base);
  if (method !== 'GET') {
    throw new UnsafePathError(full.pathname, `it comes from an answer of Azure, and those are only read, not sent ${method}`);
  }
  if (/[\\\p{Cc}]/u.test(url)) throw new UnsafePathError(full.pathname, 'it has a backslash or a control character');
  const written = cutAt(url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, ''), /[?#]/)[0];
  if (sameCloud(base, full)) {
    expectPath(full, `${isPath ? prefixOf(base) : ''}${written === '' ? '/' : written}`, (text) => decodedOr(text, full.pathname));
  }
  return full;
}

/** Compares the path of the request with the intended path, segment by segment. */
function expectPath({ pathname }: URL, meant: string, reading: (segment: string) => string): void {
  const sent = pathname.split('/').map((segment) => decodedOr(segment, pathname));
  const expected = meant.split('/').map(reading);
  const climbs = sent.some((segment) => segment === '.' || segment === '..');
  if (climbs || sent.length !== expected.length || sent.some((segment, index) => segment !== expected[index])) {
    throw new UnsafePathError(meant, `as a URL it would be ${quotedText(pathname)}`);
  }
}

function decodedOr(segment: string, path: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new UnsafePathError(path, 'a percent sign in it encodes nothing');
  }
}

function cutAt(text: string, mark: string | RegExp): [string, string | undefined] {
  const at = typeof mark === 'string' ? text.indexOf(mark) : text.search(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** A URL for messages: without the query, which contains signatures for operations, but with the api-version. */
export function redactedUrl(url: string): string {
  const [path = url, query] = url.split('?', 2);
  const version = query && new URLSearchParams(query).get('api-version');
  return version ? `${path}?api-version=${version}` : path;
}

/**
 * ARM type of the resource that a URL addresses (`Microsoft.Storage/storageAccounts`), for metrics; `unknown` when the path is not an ARM
 * id.
 */
export function armTypeOfUrl(url: string): string {
  const path = url.startsWith('/') ? textBefore(url, '?') : pathOf(url);
  const segments = path.split('/');
  const provider = segments.map((segment) => segment.toLowerCase()).lastIndexOf('providers');
  // The path of an action (`…/listKeys`) has one segment more than an id.
  const odd = provider >= 0 && (segments.length - provider) % 2 === 1;
  return armTypeOf(path) ?? (odd ? armTypeOf(segments.slice(0, -1).join('/')) : undefined) ?? 'unknown';
}

function sameCloud(base: URL, url: URL): boolean {
  if (url.username || url.password) return false;
  if (url.origin === base.origin) return true;
  return url.protocol === 'https:' && base.protocol === 'https:' && url.port === base.port && url.hostname.endsWith(`.${base.hostname}`);
}

function parse(url: string, base: URL): URL {
  try {
    return new URL(url, base);
  } catch {
    throw new ForeignUrlError('a URL that cannot be read', base.href);
  }
}

function pathOf(url: string): string {
  try {
    return new URL(url).pathname;
  } catch {
    return url;
  }
}

function hasApiVersion(url: URL): boolean {
  return [...url.searchParams.keys()].some((key) => key.toLowerCase() === 'api-version');
}
