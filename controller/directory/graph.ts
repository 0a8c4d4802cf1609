import { armErrorFrom } from '../azure/arm-error';
import { ArmError, type ArmClient, type ArmRequest } from '../azure/types';
import { KindError } from '../kinds';

type Members = Readonly<Record<string, unknown>>;

/** A group as Microsoft Graph answers it. */
export type Group = Members & { readonly id: string };

/** The groups of a directory, through Microsoft Graph v1.0. Methods throw ArmError with Graph's code and message. */
export class Groups {
  public constructor(private readonly client: ArmClient, private readonly signal: AbortSignal) {}

  /** Undefined: there is none (any more). */
  public async get(id: string): Promise<Group | undefined> {
    const response = await this.client.send({ method: 'GET', url: urlOf(id) }, this.signal);
    return response.status === 404 ? undefined : groupOf(this.checked({ method: 'GET', url: urlOf(id) }, response, 200));
  }

  /** Those of a name: the first page, which has more than anybody can choose from. */
  public async named(displayName: string): Promise<Group[]> {
    const filter = encodeURIComponent(`displayName eq '${displayName.replaceAll("'", "''")}'`);
    const request = { method: 'GET', url: `/v1.0/groups?$filter=${filter}` } as const;
    const response = await this.client.send(request, this.signal);
    if (response.status === 404) return [];
    const { value } = (this.checked(request, response, 200) ?? {}) as { value?: unknown };
    return (Array.isArray(value) ? value : []).map(groupOf);
  }

  public async create(body: Members): Promise<Group> {
    const request = { method: 'POST', url: '/v1.0/groups', body } as const;
    return groupOf(this.checked(request, await this.client.send(request, this.signal), 201));
  }

  public async update(id: string, changes: Members): Promise<void> {
    const request = { method: 'PATCH', url: urlOf(id), body: changes } as const;
    this.checked(request, await this.client.send(request, this.signal), 204, 200);
  }

  public async delete(id: string): Promise<void> {
    const request = { method: 'DELETE', url: urlOf(id) } as const;
    this.checked(request, await this.client.send(request, this.signal), 204, 200, 404);
  }

  private checked(request: ArmRequest, response: Awaited<ReturnType<ArmClient['send']>>, ...expected: readonly number[]): unknown {
    if (!expected.includes(response.status)) throw armErrorFrom(response, request);
    return response.body;
  }
}

/** The same error with what it was about. */
export function about(what: string, error: unknown): unknown {
  if (!(error instanceof ArmError)) return error;
  return new ArmError(error.code, `${what}: ${error.message}`, error.status, error.target, error.details, error.retryAfterSeconds, error.extra);
}

/** The id comes from an annotation, which anybody may have written: it is one segment and no more. */
function urlOf(id: string): string {
  return `/v1.0/groups/${encodeURIComponent(id)}`;
}

function groupOf(body: unknown): Group {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined;
  if (typeof id !== 'string' || id === '') throw new KindError('Microsoft Graph answered a group without id');
  return body as Group;
}
