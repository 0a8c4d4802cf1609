import { readPage } from '../../engine/arm/arm-reader';
import type { ArmClient, ArmRequest } from '../../engine/arm/types';
import type { Struct } from '../../src/util/records';

/** The newest stable one. */
const RESOURCE_GRAPH_VERSION = '2022-10-01';
const RESOURCE_GRAPH = '/providers/Microsoft.ResourceGraph/resources';
/** Longer lists are not read: single reads cost less then. */
const MOST_PAGES = 20;

/** Called for every request with its number of rows. */
export type OnAnswer = (rows: number) => void;

/**
 * Queries Azure Resource Graph for the rows of resources in one subscription. A resource without a row is not in the table, or the
 * principal may not read it.
 * @throws ArmError
 * @see https://learn.microsoft.com/rest/api/azureresourcegraph/resourcegraph/resources/resources
 */
export async function rowsOfTable(
  client: ArmClient, table: string, subscriptionId: string, ids: readonly string[], onAnswer: OnAnswer, signal?: AbortSignal,
): Promise<Struct[]> {
  const query = `${table} | where id in~ (${ids.map(quoted).join(', ')}) | order by id asc`;
  const rows: Struct[] = [];
  let token: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const options = { resultFormat: 'objectArray', $top: 1000, ...(token === undefined ? {} : { $skipToken: token }) };
    const request: ArmRequest = {
      method: 'POST',
      url: RESOURCE_GRAPH,
      apiVersion: RESOURCE_GRAPH_VERSION,
      body: { subscriptions: [subscriptionId], query, options },
    };
    const { items, body } = readPage(request, await client.send(request, signal), 'data', '');
    onAnswer(items.length);
    rows.push(...items);
    token = typeof body.$skipToken === 'string' && body.$skipToken !== '' ? body.$skipToken : undefined;
    if (token === undefined) return rows;
  }
  throw new TooManyPages(RESOURCE_GRAPH);
}

/**
 * Asks for all resources of a collection.
 * @throws ArmError, TooManyPages
 */
export async function rowsOfList(
  client: ArmClient,
  url: string,
  apiVersion: string,
  onAnswer: OnAnswer,
  signal?: AbortSignal,
): Promise<Struct[]> {
  const rows: Struct[] = [];
  let next: string | undefined = url;
  for (let page = 0; page < MOST_PAGES && next !== undefined; page += 1) {
    const request: ArmRequest = { method: 'GET', url: next, apiVersion, isFromAnswer: page > 0 };
    const { items, next: following } = readPage(request, await client.send(request, signal));
    onAnswer(items.length);
    rows.push(...items);
    next = following;
  }
  if (next !== undefined) throw new TooManyPages(url);
  return rows;
}

/** A list has too many rows to be worthwhile. */
export class TooManyPages extends Error {
  public constructor(url: string) {
    super(`${url} has more than ${MOST_PAGES} pages`);
    this.name = 'TooManyPages';
  }
}

/** A text of the query language: ids cannot hold quotes, but they come from annotations. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;
}
