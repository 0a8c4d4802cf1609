import { isDeepStrictEqual } from 'node:util';
import { childListOf, namesOf, type ChildList } from './child-lists';
import type { Faults } from './faults';
import type { Random } from './random';
import { secretText } from './secret-text';

export const SUBSCRIPTION = '11111111-1111-1111-1111-111111111111';
export const ENDPOINT = 'https://arm.test';

/** Longest time in ms that the invariants wait for a process that cannot poll its operation. */
export const WAITS_WITHOUT_A_SIGN = 300_000;

type Body = Readonly<Record<string, unknown>>;

interface Operation {
  readonly id: string;
  readonly of: 'PUT' | 'DELETE';
  readonly until: number;
  /** With which code it ends, if not well. */
  readonly fails?: string;
  /** Azure does not know its URL any more. */
  readonly lost: boolean;
  /** On whose behalf it was begun. */
  readonly by: string;
}

export interface Resource {
  readonly path: string;
  body: Body;
  /** Properties that Azure adds: ids that are new with each creation. */
  readonly own: Body;
  readonly createdAt: string;
  state: string;
  operation?: Operation | undefined;
  /** Reads show what was before, until then. */
  stale?: { readonly until: number; readonly bodyOf: Body | undefined };
  /** When somebody last heard of it, or of its operation; -Infinity: whoever has begun it follows it no longer. */
  heardAt: number;
  /**
   * Since when it has been heard of again, after a time without a sign; -Infinity: its operation has been followed from its beginning;
   * Infinity: whoever hears of it just now has not come to its end.
   */
  heardSince: number;
  /** A read has shown something old since the last operation began. */
  misled: boolean;
  /** When it, or a child in it, last became another one. */
  changedAt: number;
  /** No object has asked for it. */
  readonly isHandmade?: boolean;
  /** How many PUTs were answered with what became of it, since nothing gets lost any more. */
  delivered?: number;
}

/** A request as Azure reads it. */
export interface AzureRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly url: string;
  /** As it arrives: without dot segments, and decoded. */
  readonly path: string;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In the place of a body. */
  readonly text?: string;
  /** Is called when the answer has reached the process as Azure gave it. */
  readonly received?: (() => void) | undefined;
}

/** Azure Resource Manager: resources in trees, operations that take their time, reads that lag behind. Time is Azure's own. */
export class AzureModel {
  public readonly resources = new Map<string, Resource>();
  /** How an operation ended, for those who ask later. */
  private readonly ended = new Map<
    string,
    { readonly status: string; readonly code?: string; readonly lost: boolean; readonly of: Operation['of'] }
  >();
  private numbers = 0;
  public constructor(private readonly random: Random, private readonly faults: Faults, private readonly now: () => number) {}

  /** Called for each PUT that is taken. */
  public onPut: (path: string) => void = () => undefined;
  /** Called when a resource has become another one, or has gone. */
  public onChange: (path: string, resource: Resource | undefined, at: number) => void = () => undefined;
  /** Answers what is asked of many resources at once; undefined: that is not. */
  public rows: (request: AzureRequest) => Answer | undefined = () => undefined;
  /** Called when a PUT of a parent takes a child with it that was there before. */
  public onChildLost: (child: Resource, parent: string, by: string) => void = () => undefined;

  public find(path: string): Resource | undefined {
    this.progress();
    return this.resources.get(path.toLowerCase());
  }

  /** Whether an operation that creates or changes the resource runs. */
  public isChanging(path: string): Operation | undefined {
    const operation = this.find(path)?.operation;
    return operation?.of === 'PUT' ? operation : undefined;
  }

  /** `by`: the uid of the object that the request is for. */
  public answer(request: AzureRequest, by: string): Answer {
    this.progress();
    const { method, body, path } = request;
    const rows = this.rows(request);
    if (rows) return rows;
    if (path.startsWith('/operations/')) return this.poll(path.slice('/operations/'.length));
    switch (method) {
      case 'PUT':
        return this.put(path, body as Body, by, request.ifMatch);
      case 'DELETE':
        return this.remove(path, by);
      case 'POST':
        return this.keys(path);
      default:
        return this.read(path);
    }
  }

  /** Another client changes a resource; returns whether a resource accepts the change. */
  public meddle(path: string, change: (body: Body) => Body): boolean {
    const resource = this.find(path);
    if (!resource || resource.operation) return false;
    resource.body = change(resource.body);
    this.onChange(path, resource, this.now());
    return true;
  }

  /** Another client creates a resource in another one; returns whether a resource accepts it. */
  public plant(path: string, body: Body): boolean {
    const parent = this.find(parentOf(path)!);
    if (!parent || parent.operation || this.find(path) || this.busySibling(path)) return false;
    const createdAt = new Date(this.now()).toISOString();
    this.resources.set(path.toLowerCase(), {
      path,
      body,
      own: {},
      createdAt,
      changedAt: this.now(),
      state: 'Succeeded',
      heardAt: this.now(),
      heardSince: -Infinity,
      misled: false,
      isHandmade: true,
    });
    this.touched(path);
    return true;
  }

  /** Another client deletes a resource, with all resources in it. */
  public vanish(path: string): void {
    for (const below of this.tree(path)) {
      this.resources.delete(below.path.toLowerCase());
      this.onChange(below.path, undefined, this.now());
    }
    this.touched(path);
  }

  /** Whether a resource is what a body asks for, and reads show it as it is, but for the words. */
  public isAsSent(path: string, body: unknown): boolean {
    const resource = this.find(path);
    if (!resource || resource.operation || resource.stale || resource.misled || resource.state !== 'Succeeded') return false;
    return sameBody(resource.body, body) && !this.isSpeltAnew(resource);
  }

  /** Whether it is shown otherwise than it was sent. */
  public isSpeltAnew({ body }: Resource): boolean {
    const { accessTier, minimumTlsVersion } = (body.properties ?? {}) as Body;
    return accessTier !== undefined || minimumTlsVersion !== undefined;
  }

  /** Answer of a read without lag. */
  public shown({ body, own, path, createdAt, state }: Resource): Body {
    // Azure's own ways: what it never gives back, what it spells otherwise, and what no catalog knows yet.
    const {
      administratorLoginPassword: _,
      accessTier: __,
      minimumTlsVersion,
      ...properties
    } = (body.properties ?? {}) as Record<string, unknown>;
    const spelt = minimumTlsVersion === undefined ? {} : { minimumTlsVersion: `${String(minimumTlsVersion)} or newer` };
    const later = { introducedLater: { mode: 'auto' } };
    const { key: ___, ...ids } = own;
    const inside = { ...properties, ...spelt, ...later, ...ids, provisioningState: state };
    return this.withChildren(path, {
      ...body,
      ...later,
      id: path,
      name: path.split('/').pop(),
      systemData: { createdAt },
      properties: inside,
    });
  }

  /** The children that are returned as a part of their parent; a read that lags behind shows them as they are. */
  private withChildren(path: string, body: Body): Body {
    const list = childListOf(path);
    if (!list) return body;
    const children = this.childrenOf(path, list).map((child) => this.shown(child));
    const etag = `W/"${this.resources.get(path.toLowerCase())?.changedAt}"`;
    return { ...body, etag, properties: { ...(body.properties as Body), [list.property]: children } };
  }

  private childrenOf(path: string, { collection }: ChildList): Resource[] {
    const begin = `${path}/${collection}/`.toLowerCase();
    return [...this.resources].filter(([name]) => name.startsWith(begin)).map(([, resource]) => resource);
  }

  /** A PUT of a parent leaves only the children that it names. */
  private replaceChildren(path: string, list: ChildList, body: Body, by: string): Body {
    const { [list.property]: given, ...properties } = (body.properties ?? {}) as Record<string, unknown>;
    const named = namesOf(given);
    for (const child of this.childrenOf(path, list)) {
      if (named.has(child.path.split('/').pop()!.toLowerCase())) continue;
      this.onChildLost(child, path, by);
      this.vanish(child.path);
    }
    return { ...body, properties };
  }

  /** The body of a parent changes with its children. */
  private touched(path: string): void {
    const parent = parentOf(path);
    const above = parent === undefined ? undefined : this.resources.get(parent.toLowerCase());
    if (!above || !childListOf(above.path)) return;
    above.changedAt = Math.max(this.now(), above.changedAt + 1);
    this.onChange(above.path, above, this.now());
  }

  private put(path: string, given: Body, by: string, ifMatch: string | undefined): Answer {
    let body = given;
    if (body.location === 'nowhere') return refusal(400, 'LocationRequired', 'The location property is required for this definition.');
    const parent = parentOf(path);
    if (parent) {
      const above = this.resources.get(parent.toLowerCase());
      if (!above || above.state === 'Deleting' || above.state === 'Creating') {
        return refusal(
          404,
          parent.split('/').length === 5 ? 'ResourceGroupNotFound' : 'ParentResourceNotFound',
          `"${parent}" could not be found.`,
        );
      }
    }
    const old = this.resources.get(path.toLowerCase());
    if (old?.operation) return refusal(409, 'AnotherOperationInProgress', `Another operation on "${path}" is in progress.`);
    const busy = this.busySibling(path);
    if (busy) return refusal(409, busyCodeOf(path), `"${busy.path}" is being written.`);
    const list = childListOf(path);
    if (list && ifMatch !== undefined && ifMatch !== '*' && ifMatch !== (old && this.shown(old).etag)) {
      return refusal(412, 'PreconditionFailed', 'The etag has changed.');
    }
    if (list) body = this.replaceChildren(path, list, body, by);
    const created = !old;
    const before = old && this.shown(old);
    const createdAt = new Date(this.now()).toISOString();
    const resource: Resource = old ?? {
      path,
      body,
      own: this.ownOf(path),
      createdAt,
      changedAt: this.now(),
      state: 'Succeeded',
      heardAt: this.now(),
      heardSince: -Infinity,
      misled: false,
    };
    if (this.faults.strikes('staleReads', 0.3)) {
      resource.stale = { until: this.now() + this.random.between(100, 12_000), bodyOf: before };
    }
    resource.misled = false;
    resource.body = body;
    resource.changedAt = Math.max(this.now(), resource.changedAt + 1);
    this.resources.set(path.toLowerCase(), resource);
    this.touched(path);
    const begun = this.begin(resource, 'PUT', by, created ? 'Creating' : 'Updating');
    if (this.faults.isOver && (created || !resource.operation)) resource.delivered = (resource.delivered ?? 0) + 1;
    this.onPut(path);
    // Some services answer with what there was, as long as they are at it.
    const isLazy = before && resource.operation && this.faults.strikes('lazyAnswers', 0.5);
    const shown = isLazy
      ? { ...before, properties: { ...(before.properties as Body), provisioningState: resource.state } }
      : this.shown(resource);
    return { status: created ? 201 : 200, body: shown, headers: begun };
  }

  /** A resource beside this one whose operation keeps it from being written. */
  public busySibling(path: string): Resource | undefined {
    const line = lineOf(path);
    if (line === undefined) return undefined;
    this.progress();
    const name = path.toLowerCase();
    return [...this.resources.values()].find(
      (other) => other.operation && lineOf(other.path) === line && other.path.toLowerCase() !== name,
    );
  }

  private remove(path: string, by: string): Answer {
    const resource = this.resources.get(path.toLowerCase());
    if (!resource) return { status: 204 };
    if (resource.operation?.of === 'DELETE') return refusal(409, 'Conflict', 'The resource is being deleted.');
    if (resource.operation) return refusal(409, 'AnotherOperationInProgress', `Another operation on "${path}" is in progress.`);
    const busy = this.busySibling(path);
    if (busy) return refusal(409, busyCodeOf(path), `"${busy.path}" is being written.`);
    const { 'azure-asyncoperation': location, ...headers } = this.begin(resource, 'DELETE', by, 'Deleting');
    if (location) return { status: 202, headers: { ...headers, location } };
    this.vanish(path);
    return { status: 200 };
  }

  private keys(path: string): Answer {
    const resource = this.resources.get(path.replace(/\/listKeys$/i, '').toLowerCase());
    if (!resource) return refusal(404, 'ResourceNotFound', `"${path}" was not found.`);
    return { status: 200, body: { keys: [{ keyName: 'key1', value: resource.own.key }] } };
  }

  private read(path: string): Answer {
    const resource = this.resources.get(path.toLowerCase());
    if (!resource) return refusal(404, 'ResourceNotFound', `"${path}" was not found.`);
    if (resource.stale && resource.stale.until > this.now() && this.faults.has('staleReads')) {
      resource.misled = true;
      if (!resource.stale.bodyOf) return refusal(404, 'ResourceNotFound', `"${path}" was not found.`);
      return { status: 200, body: this.withChildren(path, resource.stale.bodyOf) };
    }
    return { status: 200, body: this.shown(resource), received: () => this.heard(resource) };
  }

  private heard(resource: Resource): void {
    if (this.now() - resource.heardAt >= WAITS_WITHOUT_A_SIGN) resource.heardSince = Infinity;
    resource.heardAt = this.now();
  }

  private poll(id: string): Answer {
    const changing = [...this.resources.values()].find(({ operation }) => operation?.id === id);
    const received = changing && (() => this.heard(changing));
    const running = changing?.operation;
    const ended = this.ended.get(id);
    if (running?.lost || ended?.lost || !(running ?? ended)) return refusal(404, 'OperationNotFound', 'The operation is not known.');
    if (running?.of === 'DELETE') return { status: 202, headers: { location: `${ENDPOINT}/operations/${id}` }, received };
    if (running) return { status: 200, body: { status: 'InProgress' }, received };
    // `Location` tells the end by its HTTP status, `Azure-AsyncOperation` by its body.
    if (ended!.of === 'DELETE') return ended!.code ? refusal(409, ended!.code, 'The operation has failed.') : { status: 204 };
    return {
      status: 200,
      body: { status: ended!.status, ...(ended!.code ? { error: { code: ended!.code, message: 'The operation has failed.' } } : {}) },
    };
  }

  /** Begins an operation, or has done it already; answers the headers that tell where to ask. */
  private begin(resource: Resource, of: Operation['of'], by: string, state: string): Record<string, string> {
    if (!this.random.chance(0.6)) {
      resource.state = 'Succeeded';
      resource.operation = undefined;
      this.onChange(resource.path, resource, this.now());
      return {};
    }
    resource.heardAt = this.now();
    resource.heardSince = -Infinity;
    const longest = this.faults.strikes('slowOperations', 0.3) ? 2_400_000 : 90_000;
    const id = `op-${(this.numbers += 1)}`;
    resource.state = state;
    resource.operation = {
      id,
      of,
      by,
      until: this.now() + this.random.between(500, longest),
      lost: this.faults.strikes('lostOperations', 0.2),
      ...(this.faults.strikes('failedOperations', 0.2)
        ? { fails: this.random.pick(['InternalServerError', 'AllocationFailed', 'Conflict']) }
        : {}),
    };
    this.onChange(resource.path, resource, this.now());
    const wait: Record<string, string> = this.random.chance(0.3) ? { 'retry-after': String(this.random.between(1, 20)) } : {};
    // Some services only show it in the resource itself.
    if (of === 'PUT' && this.random.chance(0.3)) return wait;
    return { ...wait, 'azure-asyncoperation': `${ENDPOINT}/operations/${id}` };
  }

  private progress(): void {
    for (const resource of [...this.resources.values()]) {
      const { operation } = resource;
      if (!operation || operation.until > this.now()) continue;
      const { id, fails, lost, of } = operation;
      resource.operation = undefined;
      resource.state = fails ? 'Failed' : 'Succeeded';
      this.ended.set(id, { status: resource.state, lost, of, ...(fails ? { code: fails } : {}) });
      if (of === 'DELETE' && !fails) this.vanish(resource.path);
      else this.onChange(resource.path, resource, operation.until);
    }
  }

  private tree(path: string): Resource[] {
    const root = path.toLowerCase();
    return [...this.resources].filter(([name]) => name === root || name.startsWith(`${root}/`)).map(([, resource]) => resource);
  }

  private ownOf(path: string): Body {
    const number = (this.numbers += 1).toString(16).padStart(12, '0');
    const lower = path.toLowerCase();
    if (lower.includes('/federatedidentitycredentials/')) return {};
    if (lower.includes('/userassignedidentities/')) {
      return { principalId: `99999999-0000-0000-0000-${number}`, clientId: `88888888-0000-0000-0000-${number}`, tenantId: SUBSCRIPTION };
    }
    // The name begins with the namespace, and the secret tells where it belongs.
    return lower.includes('/storageaccounts/') ? { key: secretText(path.split('/').pop()!.slice(0, 1), `key-${number}`) } : {};
  }
}

export function parentOf(path: string): string | undefined {
  const parts = path.split('/');
  const provider = parts.findIndex((part) => part.toLowerCase() === 'providers');
  if (provider < 0) return undefined;
  return parts.slice(0, parts.length - provider > 4 ? -2 : provider).join('/');
}

/** Resources of one line are written one at a time. */
export function lineOf(path: string): string | undefined {
  const lower = path.toLowerCase();
  return (
    /^(.*)\/federatedidentitycredentials\/[^/]+$/.exec(lower)?.[1]
    ?? /^.*\/(?:virtualnetworks|routetables)\/[^/]+(?=\/(?:subnets|routes)\/[^/]+$|$)/.exec(lower)?.[0]
  );
}

function busyCodeOf(path: string): string {
  const isFederation = path.toLowerCase().includes('/federatedidentitycredentials/');
  return isFederation ? 'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity' : 'AnotherOperationInProgress';
}

export function refusal(status: number, code: string, message: string): Answer {
  return { status, body: { error: { code, message } } };
}

export function sameBody(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
}
