import { apiVersionOf } from '../../src/object-id';
import type { Clock } from '../clock';
import { systemClock } from '../clock';
import { appliedVersionOf } from './applied-version';
import { backoffDelay } from './backoff';
import type { Connection, HttpAnswer, HttpRequest } from './connection';
import { discoverTypes } from './discovery';
import { retryAfterOf } from './http-answer';
import { jsonLines, MalformedLineError } from './json-lines';
import { collectionPath, objectPath } from './resource-path';
import { errorOfAnswer, errorOfStatus } from './status-error';
import {
  KubernetesError,
  type DeletePreconditions,
  type Discovery,
  type KubernetesClient,
  type KubernetesListWatch,
  type KubernetesObject,
  type ListOptions,
  type ObjectList,
  type ObjectMeta,
  type PatchType,
  type ResourceType,
  type Selection,
  type WatchEvent,
  type WatchOptions,
} from './types';
import { KUBECTL_LAST_APPLIED } from '../../src/azure/annotations';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { isRecord } from '../../src/util/records';
import { NotLeadingError } from '../not-leading-error';

const METADATA = 'as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const METADATA_LIST = 'as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const FIELD_MANAGER = 'cdk8s-aso';
/** Reviews of access: questions that are sent as POST and store nothing. */
const REVIEWS = '/apis/authorization.k8s.io/';

const ATTEMPTS = 4;
const LONGEST_WAIT = 30_000;
const RETRY = { base: 250, max: 5_000, jitter: 0.5 };

/** Errors of a connection that was never established: the server has received nothing, so any request may be repeated. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

export interface RestClientOptions {
  readonly clock?: Clock;
  /** Aborts every running request. */
  readonly signal?: AbortSignal;
  /** Called just before each write; false: the request is not sent. Default: this process may write. */
  readonly mayWrite?: () => boolean;
  /** Called just before each write, besides `mayWrite`; an exception rejects the write, which is not sent. Default: none. */
  readonly fence?: () => void;
  /** Name of the owner of fields that server-side apply writes; default `cdk8s-aso`. */
  readonly fieldManager?: string;
  /**
   * Sends every write as a dry run: the API server answers what it would store, and stores nothing.
   * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#dry-run
   */
  readonly dryRun?: boolean;
}

/**
 * The Kubernetes API over one connection. Retries only what is safe: reads, requests that were never sent, and those that the server asks
 * to repeat.
 */
export class RestClient implements KubernetesClient, KubernetesListWatch {
  private readonly clock: Clock;

  public constructor(private readonly connection: Connection, private readonly options: RestClientOptions = {}) {
    this.clock = options.clock ?? systemClock;
  }

  /** A client on the same connection whose writes are dry runs. */
  public asDryRun(): RestClient {
    return new RestClient(this.connection, { ...this.options, dryRun: true });
  }

  /** A client on the same connection with another write permission. */
  public withMayWrite(mayWrite: () => boolean): RestClient {
    return new RestClient(this.connection, { ...this.options, mayWrite });
  }

  /** A client on the same connection that calls `fence` just before each write; an exception rejects the write, which is not sent. */
  public withFence(fence: () => void): RestClient {
    return new RestClient(this.connection, { ...this.options, fence });
  }

  public async get(type: ResourceType, name: string, namespace?: string): Promise<KubernetesObject | undefined> {
    try {
      return await this.object({ method: 'GET', path: objectPath(type, name, namespace) });
    } catch (error) {
      if (error instanceof KubernetesError && error.status === 404) return undefined;
      throw error;
    }
  }

  public create(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    return this.object({ method: 'POST', path: collectionPath(type, object.metadata.namespace), body: JSON.stringify(object) });
  }

  public replace(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    return this.object({
      method: 'PUT',
      path: objectPath(type, object.metadata.name, object.metadata.namespace),
      body: JSON.stringify(object),
    });
  }

  public replaceStatus(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    const path = `${objectPath(type, object.metadata.name, object.metadata.namespace)}/status`;
    return this.object({ method: 'PUT', path, body: JSON.stringify({ ...object, metadata: withoutRecords(object.metadata) }) });
  }

  public patch(
    type: ResourceType, name: string, namespace: string | undefined, patch: unknown, patchType: PatchType,
  ): Promise<KubernetesObject> {
    return this.patchAt(objectPath(type, name, namespace), patch, patchType);
  }

  /** PATCH on the status subresource. */
  public patchStatus(
    type: ResourceType, name: string, namespace: string | undefined, patch: unknown, patchType: PatchType,
  ): Promise<KubernetesObject> {
    return this.patchAt(`${objectPath(type, name, namespace)}/status`, patch, patchType);
  }

  public async delete(type: ResourceType, name: string, namespace?: string, preconditions?: DeletePreconditions): Promise<void> {
    // The API server reads the options of a DELETE from its body, and from the query only where there is no body.
    const dryRun = this.options.dryRun ? { dryRun: ['All'] } : {};
    const body = preconditions && JSON.stringify({ apiVersion: 'v1', kind: 'DeleteOptions', preconditions, ...dryRun });
    await this.send({ method: 'DELETE', path: objectPath(type, name, namespace), ...(body && { body }) });
  }

  public async discover(): Promise<ResourceType[]> {
    return (await this.discovery()).types;
  }

  /** Discovery that also reports groups that did not answer. `groups` limits it when the server is queried group by group. */
  public discovery(groups?: (group: string) => boolean): Promise<Discovery> {
    return discoverTypes((path, accept) => this.read(path, accept), groups);
  }

  /** Requests a token of a service account (TokenRequest). */
  public async createToken(
    namespace: string, serviceAccount: string, audience: string, expirationSeconds: number,
  ): Promise<{ readonly token: string; readonly expirationTimestamp: string }> {
    const account = objectPath({ group: '', version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true }, serviceAccount, namespace);
    const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [audience], expirationSeconds } });
    const answer = parsed(await this.send({ method: 'POST', path: `${account}/token`, body })) as { status?: { token?: string; expirationTimestamp?: string } };
    const { token = '', expirationTimestamp = '' } = answer.status ?? {};
    return { token, expirationTimestamp };
  }

  /** The time of the API server, to the second, in milliseconds since the epoch; undefined where its answer has no date. */
  public async serverTime(): Promise<number | undefined> {
    const { headers } = await this.send({ method: 'GET', path: '/version' });
    const time = Date.parse(headers.date ?? '');
    return Number.isNaN(time) ? undefined : time;
  }

  public async list(type: ResourceType, options: ListOptions, signal?: AbortSignal): Promise<ObjectList> {
    const answer = await this.send({
      method: 'GET',
      path: collectionPath(type, options.namespace),
      query: { ...selectors(options), limit: options.limit, continue: options.continue },
      accept: options.metadataOnly ? `application/json;${METADATA_LIST}, application/json` : undefined,
    }, signal);
    const list = parsed(answer) as { metadata?: { resourceVersion?: string; continue?: unknown }; items?: unknown } | null;
    const malformed = (what: string) =>
      new KubernetesError(0, 'Malformed', `the list of ${type.plural} that ${this.connection.server} answered ${what}`);
    if (typeof list?.metadata?.resourceVersion !== 'string') throw malformed('has no resourceVersion');
    const { items, metadata: { resourceVersion, continue: next } } = list;
    const objects = items ?? [];
    if (!Array.isArray(objects) || !objects.every(isStored)) throw malformed('has items that are no objects');
    return {
      resourceVersion,
      continue: typeof next === 'string' && next !== '' ? next : undefined,
      items: objects.map((item) => normalized(type, item, options.metadataOnly)),
    };
  }

  public async *watch(type: ResourceType, options: WatchOptions, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    const request: HttpRequest = {
      method: 'GET',
      path: collectionPath(type, options.namespace),
      query: {
        ...selectors(options),
        watch: true,
        allowWatchBookmarks: true,
        resourceVersion: options.resourceVersion,
        timeoutSeconds: options.timeoutSeconds,
      },
      accept: options.metadataOnly ? `application/json;${METADATA}, application/json` : undefined,
    };
    const stream = await this.connection.stream(request, signal);
    if (stream.status !== 200) {
      if (stream.status === 401) this.connection.invalidate();
      throw errorOfAnswer(request, { status: stream.status, text: await startOf(stream.body) });
    }
    try {
      for await (const line of jsonLines(stream.body)) {
        const { type: kind, object } = (line ?? {}) as { type?: string; object?: unknown };
        if (kind === 'ERROR') throw errorOfStatus(object);
        // A bookmark has a resourceVersion and no name.
        if (!isEventType(kind) || !hasMetadata(object) || (kind !== 'BOOKMARK' && !isStored(object))) throw new MalformedEventError();
        yield { type: kind, object: normalized(type, object, options.metadataOnly) };
      }
    } catch (error) {
      if (error instanceof MalformedLineError || error instanceof MalformedEventError) {
        throw new KubernetesError(0, 'Malformed', `the watch of ${type.plural}: ${error.message}`);
      }
      throw error;
    }
  }

  private patchAt(path: string, patch: unknown, patchType: PatchType): Promise<KubernetesObject> {
    const apply = patchType === 'application/apply-patch+yaml' ? { fieldManager: this.options.fieldManager ?? FIELD_MANAGER, force: true } : undefined;
    return this.object({ method: 'PATCH', path, ...(apply && { query: apply }), contentType: patchType, body: JSON.stringify(patch) });
  }

  private async object(request: HttpRequest): Promise<KubernetesObject> {
    return parsed(await this.send(request)) as KubernetesObject;
  }

  private async read(path: string, accept?: string): Promise<unknown> {
    return parsed(await this.send({ method: 'GET', path, accept }));
  }

  private async send(request: HttpRequest, signal = this.options.signal): Promise<HttpAnswer> {
    let refreshed = false;
    const guarded = this.guarded(request);
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.connection.request(guarded, signal).catch((error: KubernetesError | NotLeadingError) => error);
      if (!(outcome instanceof Error) && outcome.status < 400) return outcome;
      if (!(outcome instanceof Error) && outcome.status === 401 && !refreshed) {
        // The token may just have expired: retries once with a new one. A refused request has no effect, so this is safe for every method.
        refreshed = true;
        this.connection.invalidate();
        continue;
      }
      const wait = attempt < ATTEMPTS && !signal?.aborted ? this.waitBeforeRetry(request, outcome, attempt) : undefined;
      if (wait === undefined) throw outcome instanceof Error ? outcome : errorOfAnswer(request, outcome);
      await this.clock.sleep(wait, signal);
    }
  }

  private guarded(request: HttpRequest): HttpRequest {
    const { mayWrite, fence, dryRun } = this.options;
    if (request.method === 'GET' || request.path.startsWith(REVIEWS)) return request;
    const write = dryRun ? { ...request, query: { ...request.query, dryRun: 'All' } } : request;
    if (!mayWrite && !fence) return write;
    return {
      ...write,
      beforeSending: () => {
        if (mayWrite?.() === false) throw new NotLeadingError();
        fence?.();
      },
    };
  }

  private waitBeforeRetry(request: HttpRequest, outcome: HttpAnswer | Error, attempt: number): number | undefined {
    const delay = backoffDelay(attempt, RETRY, () => this.clock.random());
    if (outcome instanceof Error) {
      const safe = request.method === 'GET' || (outcome instanceof KubernetesError && NEVER_SENT.has(outcome.reason));
      return safe ? delay : undefined;
    }
    const asked = retryAfterOf(outcome.headers, this.clock.now());
    if (asked === undefined || asked > LONGEST_WAIT) return undefined;
    if (outcome.status === 429 || (request.method === 'GET' && outcome.status === 503)) return Math.max(asked, delay);
    return undefined;
  }
}

/**
 * Without managed fields and the manifest of `kubectl apply`. The API server takes only the status of such a write, and keeps the managed
 * fields that it has. The other annotations stay: the conversion between versions may need them.
 * @see https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#status-subresource
 */
function withoutRecords(metadata: ObjectMeta): ObjectMeta {
  const { managedFields, ...rest } = metadata as ObjectMeta & { managedFields?: unknown };
  const { annotations } = rest;
  if (annotations?.[KUBECTL_LAST_APPLIED] === undefined) return rest;
  const { [KUBECTL_LAST_APPLIED]: _, ...others } = annotations;
  return { ...rest, annotations: others };
}

function selectors(selection: Selection): Record<string, string | undefined> {
  return { fieldSelector: selection.fieldSelector, labelSelector: selection.labelSelector };
}

function isEventType(text: string | undefined): text is WatchEvent['type'] {
  return text === 'ADDED' || text === 'MODIFIED' || text === 'DELETED' || text === 'BOOKMARK';
}

function parsed(answer: HttpAnswer): unknown {
  try {
    return JSON.parse(answer.text);
  } catch {
    throw new KubernetesError(
      answer.status,
      'Malformed',
      `HTTP ${answer.status} with a body of ${answer.text.length} characters that is no JSON`,
    );
  }
}

/** A line of a watch that is JSON but not an event. */
class MalformedEventError extends Error {
  public constructor() {
    super('a line is no event of an object');
    this.name = 'MalformedEventError';
  }
}

function hasMetadata(value: unknown): value is KubernetesObject {
  return isRecord(value) && isRecord(value.metadata);
}

/** Whether the value identifies an object. A proxy in front of the API server may answer anything. */
function isStored(value: unknown): value is KubernetesObject {
  return hasMetadata(value) && typeof value.metadata.name === 'string' && value.metadata.name !== '';
}

/** The beginning of an error's body: enough for a Status, limited in case the body never ends. */
async function startOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    if (length > 65_536) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

/**
 * Adds apiVersion and kind, which items of built-in lists lack and metadata-only items have from PartialObjectMetadata. Azure objects get
 * the apiVersion in which they were last written.
 */
function normalized(type: ResourceType, object: KubernetesObject, metadataOnly = false): KubernetesObject {
  const { managedFields, ...metadata } = object.metadata as KubernetesObject['metadata'] & { managedFields?: unknown };
  const applied = mayBeInCatalog(type.group) && !metadataOnly ? appliedVersionOf(type, object) : undefined;
  const identity = { apiVersion: applied ?? apiVersionOf(type), kind: type.kind, metadata };
  return metadataOnly ? identity : { ...object, ...identity };
}
