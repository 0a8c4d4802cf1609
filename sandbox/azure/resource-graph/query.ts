import { resourceGraphTableOf } from '../../../src/azure/resource-graph-tables';
import { isRecord } from '../../../src/util/records';
import { presented } from '../arm/answers';
import { keyOf, RESOURCE_GROUP } from '../arm/arm-path';
import { AzureError } from '../arm/errors';
import type { Answer } from '../model/answer';
import { settle, type Simulation } from '../model/simulation';
import { type Json, type Resource } from '../model/store';

/** `<table> | where id in~ ('…', …) | order by id asc`: what a controller asks. Nothing else of the query language is played. */
const QUERY = /^\s*([a-z]+)\s*\|\s*where\s+id\s+in~\s*\(([^()]*)\)\s*(?:\|\s*order\s+by\s+id\s+asc\s*)?$/i;
/** A text without an end goes to the end of the query: where a pattern cannot match, it would be tried again from each quote. */
const TEXT = /'((?:[^'\\]|\\.?)*)(?:'|$)/g;
const PAGE = 1000;
/** Columns that every table has. */
const COLUMNS = ['kind', 'location', 'managedBy', 'sku', 'plan', 'properties', 'tags', 'identity', 'zones', 'extendedLocation'];

/**
 * Azure Resource Graph, as far as it is asked for the rows of resources by their ids: of the types that its tables are documented to have,
 * as they were some seconds ago.
 * @param maySee whether the caller may read a resource, by its id
 */
export function answerResourceGraph(simulation: Simulation, url: URL, text: string, maySee: (id: string) => boolean): Answer {
  try {
    if (!url.searchParams.get('api-version')) {
      throw refusal('MissingApiVersionParameter', 'The api-version query parameter (?api-version=) is required for all requests.');
    }
    settle(simulation);
    const { table, ids, subscriptions, skip, top } = parsed(text);
    const rows = ids.sort().flatMap((id) => {
      const resource = simulation.past.seen(keyOf(id));
      return resource && isIn(table, resource, subscriptions) && maySee(resource.id) ? [rowOf(simulation, resource)] : [];
    });
    const data = rows.slice(skip, skip + top);
    const more = skip + top < rows.length ? { $skipToken: String(skip + top) } : {};
    return {
      status: 200,
      body: { totalRecords: rows.length, count: data.length, data, facets: [], resultTruncated: 'false', ...more },
    };
  } catch (error) {
    if (error instanceof AzureError) return { status: error.status, body: error.body };
    throw error;
  }
}

function parsed(text: string): { table: string; ids: string[]; subscriptions: ReadonlySet<string>; skip: number; top: number } {
  const body = jsonOf(text);
  const [, table, list] = (typeof body.query === 'string' ? QUERY.exec(body.query) : undefined) ?? [];
  if (table === undefined || list === undefined) {
    throw refusal(
      'BadRequest',
      'The query is not supported by the simulator, which understands "<table> | where id in~ (\'<id>\', …) | order by id asc".',
    );
  }
  const options = isRecord(body.options) ? body.options : {};
  if (options.resultFormat !== undefined && options.resultFormat !== 'objectArray') {
    throw refusal('BadRequest', 'The simulator answers with resultFormat objectArray only.');
  }
  if (!Array.isArray(body.subscriptions) || body.subscriptions.length === 0) {
    throw refusal('BadRequest', 'The simulator needs the subscriptions to ask.');
  }
  return {
    table: table.toLowerCase(),
    ids: [...new Map([...list.matchAll(TEXT)].map(([, id = '']) => [keyOf(id), id])).values()],
    subscriptions: new Set(body.subscriptions.map((id) => String(id).toLowerCase())),
    skip: Number(options.$skipToken ?? 0) || 0,
    top: Math.min(PAGE, Math.max(1, Number(options.$top ?? PAGE) || PAGE)),
  };
}

function jsonOf(text: string): Json {
  try {
    const body: unknown = JSON.parse(text);
    if (isRecord(body)) return body;
  } catch {
    // The refusal is the same.
  }
  throw refusal('InvalidRequestContent', 'the content is not a JSON object');
}

function isIn(table: string, { id, type }: Resource, subscriptions: ReadonlySet<string>): boolean {
  return resourceGraphTableOf(type) === table && subscriptions.has(id.split('/')[2]?.toLowerCase() ?? '');
}

function rowOf(simulation: Simulation, resource: Resource): Json {
  const body = presented(simulation, resource);
  const [, , subscriptionId, word, resourceGroup = ''] = resource.id.split('/');
  const type = resource.type === RESOURCE_GROUP ? 'microsoft.resources/subscriptions/resourcegroups' : resource.type.toLowerCase();
  return {
    id: resource.id,
    name: resource.name,
    type,
    tenantId: simulation.tenantId,
    subscriptionId,
    resourceGroup: word?.toLowerCase() === 'resourcegroups' ? resourceGroup.toLowerCase() : '',
    // A member that a resource does not have is null in its row.
    ...Object.fromEntries(
      COLUMNS.map((name) => [name, body[name] ?? (name === 'location' || name === 'kind' || name === 'managedBy' ? '' : null)]),
    ),
  };
}

function refusal(code: string, message: string): AzureError {
  return new AzureError(400, code, message);
}
