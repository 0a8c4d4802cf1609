import { readObject } from '../../engine/arm/arm-reader';
import { ArmError, type ArmClient, type ArmRequest } from '../../engine/arm/types';
import { isRecord, type JsonObject } from '../../src/util/records';

const URL = '/providers/Microsoft.ResourceGraph/resources';
const API_VERSION = '2021-03-01';
const ROWS_OF_A_PAGE = 1000;
/** A million resources; a subscription has fewer. */
const MOST_PAGES = 1000;

/**
 * The resources of a subscription as Azure Resource Graph has them, with id, name, type, location and tags; undefined where it does not
 * answer: without rights, busy, not registered, or with rows that cannot be read.
 * @param conditions all of which hold
 * @see https://learn.microsoft.com/rest/api/azureresourcegraph/resourcegraph/resources/resources
 */
export async function resourceGraphRows(
  conditions: readonly string[], subscription: string, client: ArmClient, signal?: AbortSignal,
): Promise<JsonObject[] | undefined> {
  const where = conditions.map((condition) => ` | where ${condition}`).join('');
  const query = `resources${where} | project id, name, type, location, tags | order by id asc`;
  const rows: JsonObject[] = [];
  const tokens = new Set<string>();
  let token: string | undefined;
  do {
    const page = await pageOf({ subscriptions: [subscription], query, options: optionsFrom(token) }, client, signal);
    if (!page) return undefined;
    rows.push(...page.rows);
    token = page.token;
    if (token !== undefined && (tokens.has(token) || tokens.size === MOST_PAGES)) return undefined;
    if (token !== undefined) tokens.add(token);
  } while (token !== undefined);
  return rows;
}

interface Page {
  readonly rows: readonly JsonObject[];
  readonly token: string | undefined;
}

function optionsFrom(token: string | undefined): object {
  return { resultFormat: 'objectArray', $top: ROWS_OF_A_PAGE, ...(token === undefined ? {} : { $skipToken: token }) };
}

async function pageOf(question: object, client: ArmClient, signal: AbortSignal | undefined): Promise<Page | undefined> {
  const request: ArmRequest = { method: 'POST', url: URL, apiVersion: API_VERSION, body: question };
  try {
    const body = readObject(request, await client.send(request, signal));
    if (!Array.isArray(body.data)) return undefined;
    // Rows that were cut off by a limit of the query are lost without a word elsewhere.
    const next = typeof body.$skipToken === 'string' && body.$skipToken !== '' ? body.$skipToken : undefined;
    if (String(body.resultTruncated).toLowerCase() === 'true' && next === undefined) return undefined;
    return { rows: body.data.filter(isRecord), token: next };
  } catch (error) {
    if (error instanceof ArmError) return undefined;
    throw error;
  }
}

/** A text of the query language. */
export function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
