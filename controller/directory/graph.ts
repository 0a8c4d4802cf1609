import { armErrorFrom, foreign, isUnreadable, unreadable } from '../../engine/arm/arm-error';
import { isAbsent, readObject, readPage } from '../../engine/arm/arm-reader';
import { ArmError, type ArmClient, type ArmRequest, type RawAnswer } from '../../engine/arm/types';
import { KindError } from '../../engine/kinds';
import { RESOURCE_ID } from '../../src/azure/annotations';
import { quotedText } from '../../src/azure/arm-segment';
import { UUID } from '../../src/azure/uuid';
import type { Struct } from '../../src/util/records';

/** Of a list of groups with one name. */
const MOST_PAGES = 10;

type Members = Readonly<Record<string, unknown>>;

/** A group as Microsoft Graph answers it. */
export type Group = Members & { readonly id: string };

/** The groups of a directory, through Microsoft Graph v1.0. Methods throw ArmError with Graph's code and message. */
export class Groups {
  public constructor(private readonly client: ArmClient, private readonly signal: AbortSignal) {}

  /** Undefined: the directory has no such group (any more). */
  public async get(id: string): Promise<Group | undefined> {
    const request = { method: 'GET', url: urlOf(id) } as const;
    const response = await this.client.send(request, this.signal);
    if (isAbsent(request, response)) return undefined;
    const group = groupOf(request, response, readObject(request, response));
    if (group.id.toLowerCase() !== id.toLowerCase()) throw foreign(response, request, 'it is another group');
    return group;
  }

  /** The groups of a name. */
  public async named(displayName: string): Promise<Group[]> {
    const filter = encodeURIComponent(`displayName eq '${displayName.replaceAll("'", "''")}'`);
    const groups: Group[] = [];
    let url: string | undefined = `/v1.0/groups?$filter=${filter}`;
    for (let page = 0; url !== undefined; page += 1) {
      if (page >= MOST_PAGES) {
        throw new KindError(`more than ${groups.length} groups have the displayName ${quotedText(displayName)}: choose another name`);
      }
      const request = { method: 'GET', url, isFromAnswer: page > 0 } as const;
      const response: RawAnswer = await this.client.send(request, this.signal);
      const { items, next } = readPage(request, response, 'value', '@odata.nextLink');
      groups.push(...items.map((item) => groupOf(request, response, item)));
      url = next;
    }
    return groups;
  }

  public async create(body: Members): Promise<Group> {
    const request = { method: 'POST', url: '/v1.0/groups', body } as const;
    const response = await this.client.send(request, this.signal);
    return groupOf(request, response, readObject(request, response, [201]));
  }

  public async update(id: string, changes: Members): Promise<void> {
    const request = { method: 'PATCH', url: urlOf(id), body: changes } as const;
    expectStatus(request, await this.client.send(request, this.signal), [200, 204]);
  }

  public async delete(id: string): Promise<void> {
    const request = { method: 'DELETE', url: urlOf(id) } as const;
    const response = await this.client.send(request, this.signal);
    if (!isAbsent(request, response)) expectStatus(request, response, [200, 204]);
  }
}

/** A change and a deletion are answered without a body of interest; an HTML page instead does not come from Graph. */
function expectStatus(request: ArmRequest, response: RawAnswer, expected: readonly number[]): void {
  if (!expected.includes(response.status)) throw armErrorFrom(response, request);
  if (isUnreadable(response)) throw unreadable(response, request);
}

/** Adds the subject to the error's message. */
export function about(what: string, error: unknown): unknown {
  if (!(error instanceof ArmError)) return error;
  return new ArmError(
    error.code,
    `${what}: ${error.message}`,
    error.status,
    error.target,
    error.details,
    error.retryAfterSeconds,
    error.extra,
  );
}

/**
 * The ID comes from an annotation, which any editor of the object can write. IDs of the directory are UUIDs; no other text gets into a URL.
 */
function urlOf(id: string): string {
  if (UUID.test(id)) return `/v1.0/groups/${id}`;
  throw new KindError(`annotation ${RESOURCE_ID} holds ${quotedText(id)}, which is no id of a group (a UUID), so no request is sent: write the group's object id, or remove the annotation`, 'Error');
}

function groupOf(request: ArmRequest, response: RawAnswer, body: Struct): Group {
  const { id } = body;
  if (typeof id !== 'string' || !UUID.test(id)) throw foreign(response, request, 'it has no group with an id');
  return body as Group;
}
