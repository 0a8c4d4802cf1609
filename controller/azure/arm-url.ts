import { armTypeOf } from '../../src/azure/arm-id';

/** A URL that the token must not be sent to. */
export class ForeignUrlError extends Error {
  public constructor(
    public readonly host: string,
    endpoint: string,
  ) {
    super(`refused to send a request to ${host}: it is not part of the cloud ${new URL(endpoint).host}, and the token is for that one only`);
    this.name = 'ForeignUrlError';
  }
}

/**
 * The full URL of a request.
 *
 * Paths go to the endpoint. An absolute URL comes from an answer or from the annotation that holds the resume token, which whoever may edit
 * the object may edit: were it followed blindly, one annotation would hand the credential's bearer token to any host. So only the endpoint
 * itself and its own subdomains over TLS (`westeurope.management.azure.com`: names below ARM's are ARM's regional front ends) are let through.
 */
export function armUrl(endpoint: string, url: string, apiVersion?: string): string {
  const base = new URL(endpoint);
  // `//host/path` names another host, and backslashes count as slashes to URL parsers: both are judged as absolute URLs.
  const path = /^\/(?![/\\])/.test(url);
  const full = path ? new URL(base.origin + base.pathname.replace(/\/+$/, '') + url.replaceAll('#', '%23')) : parse(url, base);
  if (!sameCloud(base, full)) throw new ForeignUrlError(full.host || full.protocol, endpoint);
  if (apiVersion !== undefined && !hasApiVersion(full)) full.search += `${full.search ? '&' : '?'}api-version=${encodeURIComponent(apiVersion)}`;
  full.hash = '';
  return full.href;
}

/** For messages: without the query, where operations carry signatures; the api-version stays. */
export function redactedUrl(url: string): string {
  const [path, query] = url.split('?', 2);
  const version = query && new URLSearchParams(query).get('api-version');
  return version ? `${path}?api-version=${version}` : path;
}

/** ARM type of the resource that a URL addresses (`Microsoft.Storage/storageAccounts`), for metrics; `unknown` for what is no ARM id. */
export function armTypeOfUrl(url: string): string {
  const path = url.startsWith('/') ? url.split('?', 1)[0] : pathOf(url);
  const segments = path.split('/');
  const provider = segments.map((segment) => segment.toLowerCase()).lastIndexOf('providers');
  // An action (`…/listKeys`) is one segment more than an id has.
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
