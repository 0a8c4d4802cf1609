import { ArmError, type ArmClient, type ArmRequest, type ArmResponse } from '../../../engine/arm/types';

/** Azure's answer for a missing resource. */
export const NOT_FOUND = { status: 404, body: { error: { code: 'ResourceNotFound', message: 'not found' } } } as const;
export const SUBSCRIPTION = '11111111-1111-1111-1111-111111111111';

interface Resource {
  body: Record<string, unknown>;
  /** Polls until it is done. */
  polls: number;
}

/** A little Azure: resources at paths, operations that end after some polls. Counts creations. */
export class FakeAzure implements ArmClient {
  public readonly subscriptionId = SUBSCRIPTION;
  public readonly endpoint = 'https://arm.test';
  public readonly requests: string[] = [];
  public readonly bodies: unknown[] = [];
  public readonly resources = new Map<string, Resource>();
  /** Creations, by path: what must happen once. */
  public readonly created = new Map<string, number>();
  public readonly updated = new Map<string, number>();
  /** Polls that an operation takes; 0: done at once. */
  public polls = 0;
  /** Properties that Azure shows whatever is sent, by path in lower case: states. */
  public readonly states = new Map<string, Record<string, unknown>>();
  /** Answers to PUTs have no `id`, as those of a storage account's services: the resource has to be read. */
  public answersWithoutId = false;
  /** Resources tell when they were made, where there is a clock. */
  public now?: () => number;
  /** Answers instead of Azure. */
  public intercept: (request: ArmRequest) => Partial<ArmResponse> | undefined = () => undefined;
  /** Called before Azure has seen the request, and after. Throws to be a lost request, or a lost answer. */
  public before: (request: ArmRequest) => void = () => undefined;
  public after: (request: ArmRequest) => void = () => undefined;

  public async send(request: ArmRequest): Promise<ArmResponse> {
    const path = pathOf(request.url);
    this.requests.push(`${request.method} ${path}`);
    this.before(request);
    const given = this.intercept(request);
    const answer = response(given ? completed(request.method, path, given) : signed(this.answer(request, path)));
    this.after(request);
    return answer;
  }

  /** Another client changes a resource. */
  public meddle(path: string, body: Record<string, unknown>): void {
    const resource = this.resources.get(path.toLowerCase())!;
    resource.body = { ...resource.body, ...body };
  }

  public count(method: string, ending = ''): number {
    return this.requests.filter((request) => request.startsWith(method) && request.endsWith(ending)).length;
  }

  private answer({ method, url, body }: ArmRequest, path: string): Partial<ArmResponse> {
    if (path.startsWith('/operations')) return this.operation(path.slice('/operations'.length));
    const resource = this.resources.get(path.toLowerCase());
    switch (method) {
      case 'PUT': {
        this.bodies.push(body);
        const counter = resource ? this.updated : this.created;
        counter.set(path, (counter.get(path) ?? 0) + 1);
        const systemData = resource ? resource.body.systemData : this.now && { createdAt: new Date(this.now()).toISOString() };
        this.resources.set(path.toLowerCase(), {
          body: { ...(body as object), id: path, ...(systemData ? { systemData } : {}) },
          polls: this.polls,
        });
        const state = this.polls > 0 ? { headers: { 'azure-asyncoperation': `https://arm.test/operations${path}` } } : {};
        const { id, ...shown } = this.shown(path);
        const name = path.split('/').at(-1);
        return { status: resource ? 200 : 201, body: this.answersWithoutId ? { ...shown, name } : { id, ...shown }, ...state };
      }
      case 'GET':
        if (!resource) return NOT_FOUND;
        if (resource.polls > 0 && url.includes('api-version')) resource.polls -= 1;
        return { status: 200, body: this.shown(path) };
      case 'DELETE':
        if (!resource) return { status: 204 };
        this.resources.delete(path.toLowerCase());
        return { status: 200 };
      default:
        return { status: 405, body: { error: { code: 'MethodNotAllowed', message: method } } };
    }
  }

  private operation(path: string): Partial<ArmResponse> {
    const resource = this.resources.get(path.toLowerCase());
    if (!resource) return { status: 404, body: { error: { code: 'OperationNotFound', message: 'not found' } } };
    if (resource.polls > 0) resource.polls -= 1;
    return { status: 200, body: { status: resource.polls > 0 ? 'InProgress' : 'Succeeded' } };
  }

  private shown(path: string): Record<string, unknown> {
    const { body, polls } = this.resources.get(path.toLowerCase())!;
    const properties = { ...emptyLists(path), ...(body.properties as object), provisioningState: polls > 0 ? 'Creating' : 'Succeeded' };
    Object.assign(properties, polls > 0 ? {} : this.states.get(path.toLowerCase()));
    return { id: path, ...body, properties };
  }
}

/** Lists of children that Azure shows even where they are empty. */
const LISTS: Readonly<Record<string, string>> = {
  virtualnetworks: 'subnets', routetables: 'routes', networksecuritygroups: 'securityRules', loadbalancers: 'inboundNatRules',
};

function emptyLists(path: string): Record<string, unknown> {
  const list = LISTS[path.split('/').at(-2)?.toLowerCase() ?? ''];
  return list ? { [list]: [] } : {};
}

/** As Azure Resource Manager marks each of its answers; what a test answers in its place has no mark unless it gives one. */
function signed({ headers, ...answer }: Partial<ArmResponse>): Partial<ArmResponse> {
  return { ...answer, headers: { 'x-ms-request-id': 'fake', ...headers } };
}

/** Tests write of a resource what they are about; the id is the one that was asked for. An answer with a `text` is left as it is. */
function completed(method: string, path: string, given: Partial<ArmResponse>): Partial<ArmResponse> {
  const { body, text, status = 200 } = given;
  const isShort =
    method === 'GET'
    && status === 200
    && text === undefined
    && typeof body === 'object'
    && body !== null
    && !('value' in body)
    && !path.startsWith('/operations');
  return isShort ? { ...given, body: { id: path, properties: {}, ...body } } : given;
}

export function noAnswer(): never {
  throw new ArmError('UnknownError', 'connection reset', undefined, undefined, undefined, undefined, { unstructured: true });
}

function pathOf(url: string): string {
  return url.replace(/^https:\/\/arm\.test/, '').split('?')[0]!;
}

function response({
  status = 200,
  headers = {},
  body,
  text = body === undefined ? '' : JSON.stringify(body),
}: Partial<ArmResponse>): ArmResponse {
  return { status, headers, body, text };
}
