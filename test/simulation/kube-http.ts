import type { Delivered, Page } from './delivered';
import { typeAt } from './kinds';
import type { KubeModel } from './kube-model';
import type { LinkOptions } from './link';
import { ListTroubles, type GivenTrouble } from './list-troubles';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../engine/kubernetes/types';

interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly contentType?: string;
  readonly accept?: string | undefined;
  readonly body?: string;
  readonly beforeSending?: () => void;
}

interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

interface HttpStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

interface DeleteOptions {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** The rest of a list that is sent in pages. */
interface Pages {
  readonly items: readonly KubernetesObject[];
  readonly version: number;
  readonly sent: number;
}

export interface KubeHttpOptions extends LinkOptions {
  readonly delivered: Delivered;
  /** Called for each object or patch that is sent. */
  readonly onSent: (object: KubernetesObject, verb: string, text: string) => void;
  /** Called when the API server makes the answer to a list with a label selector. */
  readonly onSelected?: ((type: ResourceType) => void) | undefined;
  /** Called when the API server gets a request that changes an object. */
  readonly onArrival?: ((object: KubernetesObject) => void) | undefined;
  /** Kinds that the cluster serves. */
  readonly types: readonly ResourceType[];
  /** Besides the troubles that faults make. */
  readonly listTrouble?: GivenTrouble | undefined;
}

const ENCODER = new TextEncoder();
/** The real connection gives up on an answer after this time. */
const LONGEST_ANSWER_MS = 30_000;

/** The connection of one process to the API server, as HTTP: slow, and now and then broken on the way there or back. */
export class KubeHttp {
  public readonly server = 'https://kube.test';
  private readonly texts = new WeakMap<KubernetesObject, string>();
  private readonly metadataTexts = new WeakMap<KubernetesObject, string>();
  private readonly pages = new Map<string, Pages>();
  private readonly troubles: ListTroubles;
  private tokens = 0;

  public constructor(private readonly model: KubeModel, private readonly options: KubeHttpOptions) {
    this.troubles = new ListTroubles({ ...options, given: options.listTrouble });
  }

  public invalidate(): void {
    // This server accepts all credentials.
  }

  public async request(request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer> {
    const { process } = this.options;
    signal?.throwIfAborted();
    if (request.method === 'GET' && /^\/apis?$/.test(request.path)) {
      return this.exchange('discover', () => discovery(request.path, this.options.types));
    }
    const [type, namespace, name, subresource] = typeAt(request.path);
    if (request.method === 'GET' && name === undefined) return this.list(type, namespace, request, signal);
    request.beforeSending?.();
    const sent = request.body === undefined ? undefined : JSON.parse(request.body) as KubernetesObject;
    let target: KubernetesObject | undefined;
    if (sent && request.method !== 'DELETE') {
      const metadata = { ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }), ...sent.metadata };
      target = { ...sent, kind: type.kind, metadata };
      this.options.onSent(target, request.method, request.body!);
    }
    const verb = subresource ?? { GET: 'get', POST: 'create', PUT: 'replace', PATCH: 'patch', DELETE: 'delete' }[request.method];
    if (type.kind === 'Event') return this.exchange(undefined, () => sent);
    let found: KubernetesObject | undefined;
    let hasArrived = false;
    const arrive = () => {
      if (target && !hasArrived) this.options.onArrival?.(target);
      hasArrived = true;
    };
    const answer = await this.exchange(
      `${verb} ${type.kind}/${name ?? sent!.metadata.name}`,
      () => {
        arrive();
        return (found = this.act(request, type, namespace, name, sent, subresource));
      },
    );
    // Refused before it was carried out.
    arrive();
    if (answer.status < 300 && process.alive && found) this.options.delivered.answered(type, found);
    return answer;
  }

  /** A watch: events come late, twice, or not at all until the next one; those of one type keep their order, those of several do not. */
  public async stream({ path, query = {}, accept }: HttpRequest, signal: AbortSignal): Promise<HttpStream> {
    const { process, random, faults } = this.options;
    const [type] = typeAt(path);
    await process.sleep(random.between(1, 20), signal);
    if (this.isCut) throw await this.lost();
    if (faults.strikes('lostWatches', 0.1)) {
      this.troubles.afterBrokenWatch(type.kind);
      return {
        status: 410,
        headers: {},
        body: once(JSON.stringify(statusOf(new KubernetesError(410, 'Expired', 'too old resource version')))),
      };
    }
    return {
      status: 200,
      headers: {},
      body: this.events(type, Number(query.resourceVersion), Number(query.timeoutSeconds) * 1_000, signal, query.labelSelector, accept),
    };
  }

  private async *events(
    type: ResourceType, from: number, milliseconds: number, signal: AbortSignal, selector: unknown, accept: string | undefined,
  ): AsyncIterable<Uint8Array> {
    const { process, faults, delivered } = this.options;
    let last = from;
    const ends = process.elapsed() + milliseconds;
    for (;;) {
      const news = this.model.since(type, last);
      if (news.length > 0) {
        await process.sleep(this.lateness(), signal);
        if (this.isCut || faults.strikes('lostWatches', 0.03)) throw new KubernetesError(0, 'NoAnswer', 'the connection broke');
        for (const { version, ...event } of news) {
          last = version;
          if (!isSelected(event.object, selector)) continue;
          if (selector === undefined) delivered.deliver(type, event.type, event.object);
          const line = ENCODER.encode(`{"type":"${event.type}","object":${this.representation(event.object, accept)}}\n`);
          yield line;
          if (faults.strikes('duplicates', 0.1)) yield line;
        }
        continue;
      }
      if (process.elapsed() >= ends) {
        // As a server does right before it ends a watch.
        if (!faults.has('lostWatches')) {
          yield ENCODER.encode(`{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"${Math.max(this.model.version, last)}"}}}\n`);
        }
        return;
      }
      await this.nextWrite(type, Math.max(ends - process.elapsed(), 1), signal);
      if (signal.aborted) return;
    }
  }

  private get isCut(): boolean {
    const { cut } = this.options.process;
    return cut.has('kube') || cut.has('answers');
  }

  private lateness(): number {
    const { random, faults } = this.options;
    return faults.strikes('staleCaches', 0.15) ? random.between(1_000, 45_000) : random.between(1, 30);
  }

  private nextWrite(type: ResourceType, within: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancelTimer();
        cancelWait();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const cancelTimer = this.options.process.schedule(within, done);
      const cancelWait = this.model.onceWritten(type, done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  /** A list: whole or in pages; late, refused, or with a page that fails. */
  private async list(
    type: ResourceType,
    namespace: string | undefined,
    { query = {}, accept }: HttpRequest,
    signal?: AbortSignal,
  ): Promise<HttpAnswer> {
    const { process, delivered } = this.options;
    const trouble = this.troubles.of(type.kind);
    if (trouble.refusal) return this.exchange(`list ${type.kind}`, () => { throw trouble.refusal; });
    if (trouble.delayMs > 0) {
      await process.sleep(Math.min(trouble.delayMs, LONGEST_ANSWER_MS), signal);
      if (trouble.delayMs > LONGEST_ANSWER_MS) {
        throw new KubernetesError(0, 'UND_ERR_HEADERS_TIMEOUT', `no answer to the list of ${type.plural}`);
      }
    }
    const name = /^metadata\.name=(.+)$/.exec(String(query.fieldSelector ?? ''))?.[1];
    let page: Page | undefined;
    const { labelSelector: selector } = query;
    const answer = await this.exchange(`list ${type.kind}`, () => {
      if (selector !== undefined) this.options.onSelected?.(type);
      // In pieces only for a reader that asks for them.
      page = name === undefined
        ? this.page(type, query.continue as string | undefined, query.limit === undefined ? Infinity : trouble.pageSize)
        : { items: [this.model.get(type, namespace, name)].filter((item) => item !== undefined), version: this.model.version };
      const next = page.next === undefined ? '' : `,"continue":"${page.next}"`;
      const items = page.items.filter((item) => isSelected(item, selector));
      return `{"metadata":{"resourceVersion":"${page.version}"${next}},"items":[${items.map((item) => this.representation(item, accept)).join(',')}]}`;
    });
    if (trouble.isCut && answer.status === 200) return { ...answer, text: answer.text.slice(0, answer.text.length / 2) };
    // Objects that a selector leaves out are not gone.
    if (answer.status !== 200 || !process.alive || selector !== undefined) return answer;
    if (name === undefined) delivered.listed(type, page!);
    else for (const item of page!.items) delivered.answered(type, item);
    return answer;
  }

  private page(type: ResourceType, token: string | undefined, size: number): Page {
    const known = token === undefined ? undefined : this.pages.get(token);
    if (token !== undefined && (!known || this.options.faults.strikes('lateLists', 0.1))) {
      throw new KubernetesError(410, 'Expired', 'the continue token is too old');
    }
    const { items, version, sent } = known ?? { items: this.model.all(type), version: this.model.version, sent: 0 };
    const upTo = Math.min(sent + size, items.length);
    const next = upTo < items.length ? `token-${(this.tokens += 1)}` : undefined;
    if (next) this.pages.set(next, { items, version, sent: upTo });
    return { items: items.slice(sent, upTo), version, token, next };
  }

  private act(
    { method, contentType }: HttpRequest,
    type: ResourceType,
    namespace: string | undefined,
    name: string | undefined,
    sent: KubernetesObject | undefined,
    subresource?: string,
  ): KubernetesObject | undefined {
    const { model } = this;
    switch (method) {
      case 'GET': {
        const found = model.get(type, namespace, name!);
        if (!found) throw new KubernetesError(404, 'NotFound', `${type.plural} "${name}" not found`);
        return found;
      }
      case 'POST':
        return model.create(type, withKind(type, sent!), 'controller');
      case 'PUT':
        return subresource === 'status'
          ? model.replaceStatus(type, sent!, 'controller')
          : model.replace(type, withKind(type, sent!), 'controller');
      case 'PATCH':
        if (contentType !== 'application/merge-patch+json') throw new Error(`not played: ${contentType}`);
        return model.patch(type, namespace, name!, sent as { readonly metadata: object }, 'controller');
      default: {
        if (type.kind !== 'Lease') throw new Error('the controller deletes no objects');
        const { uid, resourceVersion } = (sent as unknown as DeleteOptions | undefined)?.preconditions ?? {};
        const { metadata } = model.get(type, namespace, name!) ?? {};
        const isOther = metadata && ((uid ?? metadata.uid) !== metadata.uid
          || (resourceVersion ?? metadata.resourceVersion) !== metadata.resourceVersion);
        if (isOther) throw new KubernetesError(409, 'Conflict', 'the precondition fails');
        model.delete(type, namespace, name!, 'controller');
        return undefined;
      }
    }
  }

  private async exchange(what: string | undefined, act: () => unknown): Promise<HttpAnswer> {
    const { process, random, faults, mayDie, log } = this.options;
    mayDie();
    await process.goesOn();
    await process.onTheWay(random.between(1, faults.strikes('kubeErrors', 0.05) ? 3_000 : 15));
    if (process.cut.has('kube')) throw await this.lost();
    if (faults.strikes('kubeErrors', 0.02)) return refused(new KubernetesError(500, 'InternalError', 'etcdserver: request timed out'));
    if (faults.strikes('kubeLost', 0.02)) throw await this.lost();
    let answer: HttpAnswer;
    try {
      const value = act();
      answer = { status: 200, headers: {}, text: typeof value === 'string' ? value : value === undefined ? '{}' : this.textOf(value as KubernetesObject) };
    } catch (error) {
      if (!(error instanceof KubernetesError)) throw error;
      answer = refused(error);
    }
    if (what !== undefined) log(`kube ${what}${answer.status < 300 ? '' : `: ${answer.text.slice(0, 80)}`}`);
    mayDie();
    await process.goesOn();
    await process.sleep(random.between(1, 15));
    if (this.isCut || faults.strikes('kubeLost', 0.02)) throw await this.lost();
    return answer;
  }

  private async lost(): Promise<KubernetesError> {
    await this.options.process.sleep(this.options.random.between(10, 30_000));
    return new KubernetesError(0, 'NoAnswer', 'socket hang up');
  }

  /** The object, or its metadata alone where the reader accepts that. */
  private representation(object: KubernetesObject, accept: string | undefined): string {
    if (!accept?.includes('PartialObjectMetadata')) return this.textOf(object);
    const known = this.metadataTexts.get(object);
    if (known !== undefined) return known;
    const text = JSON.stringify({ apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: object.metadata });
    this.metadataTexts.set(object, text);
    return text;
  }

  /** Objects of the model never change, so their texts need not be made anew. */
  private textOf(object: KubernetesObject): string {
    const known = this.texts.get(object);
    if (known !== undefined) return known;
    const text = JSON.stringify(object);
    this.texts.set(object, text);
    return text;
  }
}

function withKind({ group, version, kind }: ResourceType, object: KubernetesObject): KubernetesObject {
  return { ...object, apiVersion: group === '' ? version : `${group}/${version}`, kind };
}

/** `name=value`, which is all that is asked for. */
function isSelected({ metadata: { labels = {} } }: KubernetesObject, selector: unknown): boolean {
  if (selector === undefined) return true;
  const [label, value] = String(selector).split('=');
  return value === undefined ? Object.hasOwn(labels, label!) : labels[label!] === value;
}

function statusOf({ status, reason, message }: KubernetesError): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, reason, message };
}

function refused(error: KubernetesError): HttpAnswer {
  return { status: error.status, headers: {}, text: JSON.stringify(statusOf(error)) };
}

async function *once(text: string): AsyncIterable<Uint8Array> {
  yield ENCODER.encode(text);
}

/** All kinds that the cluster serves, in one answer. */
function discovery(path: string, served: readonly ResourceType[]): string {
  const groups = new Map<string, ResourceType[]>();
  for (const type of served.filter(({ group }) => (group === '') === (path === '/api'))) {
    groups.set(type.group, [...(groups.get(type.group) ?? []), type]);
  }
  const items = [...groups].map(([name, types]) => ({
    metadata: { name },
    versions: [...new Set(types.map(({ version }) => version))].map((version) => ({
      version,
      resources: types.filter((type) => type.version === version).map(({ plural, kind, namespaced }) => (
        { resource: plural, responseKind: { kind }, scope: namespaced ? 'Namespaced' : 'Cluster' })),
    })),
  }));
  return JSON.stringify({ kind: 'APIGroupDiscoveryList', items });
}
