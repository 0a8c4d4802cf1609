import { ApiError } from '../api-error';
import type { SandboxClock } from '../clock';
import { forbidden } from '../field-error';
import type { StoredObject } from '../objects';
import type { Answer, ApiRequest, TextAnswer } from './answer';
import { json, refusal, text, warned } from './answer';
import { mediaType, parseBody } from './body';
import { Discovery, aggregatedVersion } from './discovery';
import { OPENAPI_V2, OPENAPI_V2_PROTOBUF, openApiDocument, openApiIndex } from './openapi';
import { representationFor } from './representation';
import type { Representation } from './representation';
import { deleteOptions, flag, listLimit, writeOptions } from './request-options';
import { review } from './reviews';
import { routeOf } from './route';
import { SERVER_VERSION } from './version';
import { watch } from './watch';
import { PATCH_TYPES, STRATEGIC_MERGE_PATCH } from '../operations/patches';
import type { Target, Written } from '../operations/request';
import type { Writer } from '../operations/writer';
import { storageName } from '../resources/definition';
import type { Registry } from '../resources/registry';
import { fieldSelector, labelSelector } from '../selectors';
import type { Predicate } from '../selectors';
import type { ServiceAccountTokens } from '../service-account-tokens';
import { Pages } from '../storage/pages';
import type { Store } from '../storage/store';

const WELL_KNOWN_PATHS = [
  '/.well-known/openid-configuration', '/api', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/openid/v1/jwks', '/readyz',
  '/version',
];

/** How long a watch lives when its client does not say. */
const DEFAULT_WATCH_SECONDS = 3600;

/** The Kubernetes API as a function from request to answer. */
export class Api {
  private readonly discovery: Discovery;
  private readonly pages = new Pages();

  public constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly writer: Writer,
    private readonly clock: SandboxClock,
    private readonly bookmarkInterval: number,
    private readonly tokens: ServiceAccountTokens,
  ) {
    this.discovery = new Discovery(registry);
  }

  /** Never throws: a refusal is an answer. */
  public handle(request: ApiRequest): Answer {
    try {
      return this.wellKnown(request) ?? this.serviceAccountToken(request) ?? this.resource(request);
    } catch (error) {
      return refusal(error);
    }
  }

  private wellKnown(request: ApiRequest): Answer | undefined {
    const segments = request.path.split('/').filter(Boolean);
    const [first, group = '', version = ''] = segments;
    if (first === undefined) return json({ paths: this.paths() });
    if (first === 'version') return json(SERVER_VERSION);
    if (first === 'healthz' || first === 'livez' || first === 'readyz') return text('ok');
    if (request.path === '/.well-known/openid-configuration') return json(this.tokens.configuration);
    if (request.path === '/openid/v1/jwks') return json({ keys: this.tokens.jwks });
    if (first === 'openapi') return this.openApi(request, segments);
    if ((first === 'api' || first === 'apis') && segments.length === 1) return this.groups(first, request.headers.accept ?? '');
    if (first === 'apis' && segments.length === 2) return found(this.discovery.group(group));
    if (first === 'apis' && segments.length === 3) return found(this.discovery.resources(group, version));
    if (first === 'api' && segments.length === 2) return found(this.discovery.resources('', group));
    return first === 'api' || first === 'apis' ? undefined : found(undefined);
  }

  /** `GET /`: clients find out by it whether an address is an API server. */
  private paths(): string[] {
    const groups = [...this.registry.groups].flatMap(([group, versions]) =>
      group === '' ? versions.map((version) => `/api/${version}`) : ['', ...versions].map((version) => `/apis/${group}/${version}`.replace(/\/$/, '')));
    return [...WELL_KNOWN_PATHS, ...groups].sort();
  }

  /** The subresource `token` of a service account. */
  private serviceAccountToken(request: ApiRequest): Answer | undefined {
    const account = /^(\/api\/v1\/namespaces\/[^/]+\/serviceaccounts\/[^/]+)\/token$/.exec(request.path)?.[1];
    if (!account) return undefined;
    if (request.method !== 'POST') throw ApiError.methodNotAllowed();
    const { definition, namespace, name } = routeOf(this.registry, account.split('/').filter(Boolean).map(decoded));
    const stored = this.store.get(storageName(definition), namespace, name);
    if (!stored) throw ApiError.notFound(definition, name);
    return json(this.tokens.request(stored, this.body(request)), 201);
  }

  private groups(first: 'api' | 'apis', accept: string): Answer {
    const version = aggregatedVersion(accept);
    if (!version) return json(first === 'api' ? this.discovery.coreVersions : this.discovery.groups);
    const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    return json(this.discovery.aggregated(first === 'api', version), 200, undefined, contentType);
  }

  private openApi({ headers }: ApiRequest, [, edition, ...path]: readonly string[]): Answer {
    if (edition === 'v2') {
      const accept = headers.accept ?? '';
      if (!accept.includes('protobuf')) return json(OPENAPI_V2);
      return { code: 200, contentType: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf', body: OPENAPI_V2_PROTOBUF };
    }
    if (edition !== 'v3') throw ApiError.noSuchResource();
    return found(path.length === 0 ? openApiIndex(this.registry) : openApiDocument(this.registry, path.join('/')));
  }

  private resource(request: ApiRequest): Answer {
    const target = routeOf(this.registry, request.path.split('/').filter(Boolean).map(decoded));
    const { deprecationWarning } = target.version;
    if (deprecationWarning === undefined) return this.of(target, request);
    try {
      return warned(this.of(target, request), [deprecationWarning]);
    } catch (error) {
      return warned(refusal(error), [deprecationWarning]);
    }
  }

  private of(target: Target, request: ApiRequest): Answer {
    const { method, query } = request;
    if (target.definition.virtual) {
      if (method !== 'POST') throw ApiError.methodNotAllowed();
      return json(review(target, this.body(request), { store: this.store, tokens: this.tokens }), 201);
    }
    const representation = representationFor(target, {
      accept: request.headers.accept ?? '', includeObject: query.get('includeObject'), now: () => this.clock.now(),
    });
    switch (method) {
      case 'GET':
        return flag(query, 'watch')
          ? this.watch(target, representation, query)
          : target.name
            ? this.get(target, representation)
            : this.list(target, representation, query);
      case 'POST':
        if (target.name) throw ApiError.methodNotAllowed();
        return this.written(representation, this.writer.create(target, this.body(request), writeOptions(request)));
      case 'PUT':
        if (!target.name) throw ApiError.methodNotAllowed();
        return this.written(representation, this.writer.update(target, this.body(request), writeOptions(request)));
      case 'PATCH': return this.patch(target, representation, request);
      case 'DELETE': return target.name ? this.delete(target, representation, request) : this.deleteCollection(target, representation, request);
      default: throw ApiError.methodNotAllowed();
    }
  }

  private get({ definition, namespace, name }: Target, representation: Representation): Answer {
    const object = this.store.get(storageName(definition), namespace, name);
    if (!object) throw ApiError.notFound(definition, name);
    return json(representation.one(object));
  }

  private list(target: Target, representation: Representation, query: URLSearchParams): Answer {
    const limit = listLimit(query);
    const token = query.get('continue');
    const wanted = query.get('resourceVersion') ?? '';
    if (Number(wanted) > this.store.resourceVersion) {
      throw new ApiError(504, 'Timeout', `Too large resource version: ${wanted}, current: ${this.store.resourceVersion}`, {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1,
      });
    }
    const page = token ? this.pages.next(token, limit) : this.pages.first(this.select(target, query), this.store.resourceVersion, limit);
    return { code: 200, contentType: representation.contentType, body: representation.list(page) };
  }

  private select(target: Target, query: URLSearchParams): StoredObject[] {
    const matches = predicate(target, query);
    return this.store.list(storageName(target.definition), target.namespace || undefined).filter(matches);
  }

  private watch(target: Target, representation: Representation, query: URLSearchParams): Answer {
    const resourceVersion = query.get('resourceVersion') ?? '';
    if (query.has('sendInitialEvents') && query.get('resourceVersionMatch') !== 'NotOlderThan') {
      const error = forbidden('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
      throw ApiError.invalid('meta.k8s.io', 'ListOptions', '', [error]);
    }
    if (!/^\d*$/.test(resourceVersion)) {
      throw ApiError.noNumber(resourceVersion, `resourceVersion: Invalid value: ${JSON.stringify(resourceVersion)}: `);
    }
    return watch({ store: this.store, registry: this.registry, clock: this.clock }, target, representation, {
      matches: predicate(target, query),
      resourceVersion,
      bookmarks: flag(query, 'allowWatchBookmarks'),
      sendInitialEvents: flag(query, 'sendInitialEvents'),
      timeoutSeconds: Number(query.get('timeoutSeconds')) || DEFAULT_WATCH_SECONDS,
      bookmarkInterval: this.bookmarkInterval,
    });
  }

  private patch(target: Target, representation: Representation, request: ApiRequest): Answer {
    if (!target.name) throw ApiError.methodNotAllowed();
    const type = mediaType(request.headers['content-type']);
    const known = PATCH_TYPES.filter((one) => !target.definition.custom || one !== STRATEGIC_MERGE_PATCH);
    if (!known.includes(type)) throw ApiError.unsupportedMediaType(known);
    return this.written(representation, this.writer.patch(target, type, parseBody(type, request.body), writeOptions(request)));
  }

  private delete(target: Target, representation: Representation, request: ApiRequest): Answer {
    const { definition, namespace, name } = target;
    const last = this.writer.delete(target, deleteOptions(request));
    if (this.store.get(storageName(definition), namespace, name)) return json(representation.one(last));
    const details = { name, ...(definition.group && { group: definition.group }), kind: definition.plural, uid: last.metadata.uid };
    return json({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
  }

  private deleteCollection(target: Target, representation: Representation, request: ApiRequest): Answer {
    const options = deleteOptions(request);
    const objects = this.select(target, request.query);
    for (const { metadata } of objects) {
      this.writer.delete({ ...target, namespace: metadata.namespace ?? '', name: metadata.name }, options);
    }
    return {
      code: 200,
      contentType: representation.contentType,
      body: representation.list({ items: objects, resourceVersion: String(this.store.resourceVersion) }),
    };
  }

  private written(representation: Representation, { object, created, warnings }: Written): TextAnswer {
    return warned(json(representation.one(object), created ? 201 : 200), warnings);
  }

  private body({ headers, body }: ApiRequest): unknown {
    return parseBody(mediaType(headers['content-type']), body);
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw ApiError.badRequest(`the path of the request is not properly encoded: ${segment}`);
  }
}

function found(document: object | undefined): Answer {
  if (!document) throw ApiError.noSuchResource();
  return json(document);
}

function predicate({ definition, name }: Target, query: URLSearchParams): Predicate {
  const labels = labelSelector(query.get('labelSelector'));
  const fields = fieldSelector(query.get('fieldSelector'), definition);
  return (object) => (!name || object.metadata.name === name) && labels(object) && fields(object);
}
