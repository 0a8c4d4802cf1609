import { isRecord } from '../../../src/util/records';
import { AzureError } from '../arm/errors';
import { textOf, type Fault } from '../http/faults';
import type { Answer } from '../model/answer';
import type { DirectoryGroup } from '../model/directory-group';
import type { Simulation } from '../model/simulation';
import { type Json } from '../model/store';

const GROUPS = /^\/v1\.0\/groups(?:\/([^/]+))?\/?$/;
const WRITABLE = [
  'displayName',
  'mailNickname',
  'description',
  'groupTypes',
  'securityEnabled',
  'mailEnabled',
  'isAssignableToRole',
  'membershipRule',
  'membershipRuleProcessingState',
];
const REQUIRED = ['displayName', 'mailNickname', 'mailEnabled', 'securityEnabled'];
/** As Graph has it: https://learn.microsoft.com/graph/api/group-post-groups */
const LENGTHS: Readonly<Record<string, number>> = { displayName: 256, mailNickname: 64 };

export function isGraph(path: string): boolean {
  return path === '/v1.0' || path.startsWith('/v1.0/');
}

/** Microsoft Graph, as far as groups go: the answer to one request whose token is in order. */
export function answerGraph(simulation: Simulation, method: string, url: URL, text: string, fault?: Fault): Answer {
  try {
    if (fault?.status !== undefined) return refusalOf(fault);
    const [, id] = GROUPS.exec(url.pathname) ?? [];
    if (!GROUPS.test(url.pathname)) throw badRequest(`Resource not found for the segment '${url.pathname.split('/')[2] ?? ''}'.`);
    if (id === undefined) {
      if (method === 'GET') return list(simulation, url.searchParams.get('$filter'));
      if (method === 'POST') return create(simulation, bodyOf(text));
    } else {
      const group = existing(simulation, decodeURIComponent(id));
      if (method === 'GET') return { status: 200, body: formatGroup(simulation, 'groups/$entity', group) };
      if (method === 'PATCH') return update(simulation, group, bodyOf(text));
      if (method === 'DELETE') return remove(simulation, group);
    }
    throw new AzureError(405, 'Request_BadRequest', `The OData request is not supported: ${method}.`);
  } catch (error) {
    if (error instanceof AzureError) return { status: error.status, body: error.body, headers: error.headers };
    throw error;
  }
}

function list(simulation: Simulation, filter: string | null): Answer {
  const wanted = filter === null ? [] : conditionsOf(filter);
  const value = [...simulation.groups.values()].filter((group) => wanted.every(([name, text]) => sameText(group[name], text)));
  return { status: 200, body: { '@odata.context': `${simulation.baseUrl}/v1.0/$metadata#groups`, value } };
}

/** `a eq 'x' and b eq 'y'`; quotation marks inside a text are doubled. */
function conditionsOf(filter: string): [name: string, text: string][] {
  const condition = /\s*(displayName|mailNickname)\s+eq\s+'((?:[^']|'')*)'\s*(?:$|and\s)/y;
  const found: [string, string][] = [];
  while (condition.lastIndex < filter.length) {
    const match = condition.exec(filter);
    if (!match) {
      throw new AzureError(
        400,
        'BadRequest',
        'Invalid filter clause: the sandbox compares displayName and mailNickname with eq, joined by and.',
      );
    }
    const [, name = '', quoted = ''] = match;
    found.push([name, quoted.replaceAll("''", "'")]);
  }
  return found;
}

function create(simulation: Simulation, body: Json): Answer {
  const missing = REQUIRED.find((name) => body[name] === undefined || body[name] === '');
  if (missing) throw badRequest(`A value is required for property '${missing}' of resource 'Group'.`);
  checkMembers(body);
  const types = typesOf(body);
  if (types.includes('DynamicMembership') && !body.membershipRule) {
    throw badRequest("A value is required for property 'membershipRule' of resource 'Group'.");
  }
  const id = simulation.values.uuid('group', String(body.displayName), simulation.groupsMade.count++);
  const known = Object.fromEntries(WRITABLE.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));
  const group: DirectoryGroup = {
    description: null,
    isAssignableToRole: null,
    groupTypes: types,
    ...known,
    id,
    displayName: String(body.displayName),
    createdDateTime: new Date(simulation.clock.now()).toISOString().replace(/\.\d{3}Z$/, 'Z'),
    deletedDateTime: null,
    creationOptions: [],
  };
  return {
    status: 201,
    body: formatGroup(simulation, 'groups/$entity', group),
    headers: { Location: `${simulation.baseUrl}/v1.0/groups/${id}` },
    created: true,
    finish: () => simulation.groups.set(id, group),
  };
}

function update(simulation: Simulation, group: DirectoryGroup, body: Json): Answer {
  checkMembers(body);
  if (body.isAssignableToRole !== undefined && Boolean(body.isAssignableToRole) !== Boolean(group.isAssignableToRole)) {
    throw badRequest("Property 'isAssignableToRole' is immutable and cannot be changed after creation.");
  }
  if (body.mailEnabled !== undefined && body.mailEnabled !== group.mailEnabled) {
    throw badRequest("Property 'mailEnabled' is read-only and cannot be set.");
  }
  const changes = Object.fromEntries(WRITABLE.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));
  simulation.groups.set(group.id, { ...group, ...changes });
  return { status: 204 };
}

function remove(simulation: Simulation, group: DirectoryGroup): Answer {
  simulation.groups.delete(group.id);
  return { status: 204 };
}

function existing(simulation: Simulation, id: string): DirectoryGroup {
  const found = simulation.groups.get(id.toLowerCase());
  if (found) return found;
  throw new AzureError(
    404,
    'Request_ResourceNotFound',
    `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`,
  );
}

function checkMembers(body: Json): void {
  const unknown = Object.keys(body).find((name) => !WRITABLE.includes(name) && !name.startsWith('@odata.'));
  if (unknown) throw badRequest(`Property '${unknown}' does not exist on type 'microsoft.graph.group'.`);
  for (const [name, longest] of Object.entries(LENGTHS)) {
    const value = body[name];
    if (value !== undefined && (typeof value !== 'string' || value === '' || value.length > longest)) {
      throw badRequest(`Invalid value specified for property '${name}' of resource 'Group'.`);
    }
  }
  if (typeof body.mailNickname === 'string' && /[@()\\[\]";:<>, ]/.test(body.mailNickname)) {
    throw badRequest("Invalid value specified for property 'mailNickname' of resource 'Group'.");
  }
}

function typesOf({ groupTypes }: Json): string[] {
  return Array.isArray(groupTypes) ? groupTypes.map(String) : [];
}

function bodyOf(text: string): Json {
  try {
    const body: unknown = JSON.parse(text);
    if (isRecord(body)) return body;
  } catch {
    // told below
  }
  throw badRequest('Unable to read JSON request payload. Please ensure Content-Type header is set and payload is of valid JSON format.');
}

function formatGroup(simulation: Simulation, context: string, group: DirectoryGroup): Json {
  return { '@odata.context': `${simulation.baseUrl}/v1.0/$metadata#${context}`, ...group };
}

function sameText(value: unknown, text: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === text.toLowerCase();
}

function badRequest(message: string): AzureError {
  return new AzureError(400, 'Request_BadRequest', message);
}

function refusalOf(fault: Fault): Answer {
  const headers: Record<string, string> = fault.retryAfter === undefined ? {} : { 'Retry-After': String(fault.retryAfter) };
  return { status: fault.status!, headers: { ...headers, ...fault.headers }, body: { error: textOf(fault) } };
}
