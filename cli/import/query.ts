import type { FailedSource, FoundIds } from './found-ids';
import { quoted, resourceGraphRows } from './resource-graph';
import { describeArmError } from '../../engine/arm/arm-error';
import { ArmError, type ArmClient } from '../../engine/arm/types';
import { listItems } from '../../engine/import/list-items';
import { isRecord, type JsonObject, memberIgnoringCase } from '../../src/util/records';
import { UsageError } from '../output/usage-error';

const API_VERSION = '2021-04-01';

/**
 * The ids of a subscription's resources that fit a query: terms `type=`, `name=`, `location=` and `tag.NAME=`, each with `*` for any text,
 * all of which have to hold. Asks Azure Resource Graph, and where it does not answer, lists the subscription.
 * @throws UsageError for a query that cannot be read
 */
export async function idsOfQuery(
  query: string, subscription: string | undefined, client: ArmClient, signal?: AbortSignal,
): Promise<FoundIds> {
  const terms = query.split(/[\s,]+/).filter((term) => term !== '').map(termOf);
  if (terms.length === 0) throw new UsageError('import: the query is empty; give for example "type=Microsoft.Storage/* tag.team=shop"');
  if (subscription === undefined) throw new UsageError('import: --query needs a subscription: give --subscription or AZURE_SUBSCRIPTION_ID');
  const filter = terms.map(({ filter: one }) => one).filter((one) => one !== undefined);
  const rows = await resourceGraphRows(filter, subscription, client, signal);
  const { items, failed } = rows ? { items: rows, failed: [] } : await listed(subscription, client, signal);
  const ids = items.filter((item) => terms.every(({ fits }) => fits(item))).map(({ id }) => id).filter((id) => typeof id === 'string');
  return { ids, failed };
}

async function listed(
  subscription: string, client: ArmClient, signal: AbortSignal | undefined,
): Promise<{ readonly items: JsonObject[]; readonly failed: FailedSource[] }> {
  const items: JsonObject[] = [];
  const url = `/subscriptions/${subscription}/resources`;
  try {
    for await (const item of listItems(client, url, API_VERSION, signal)) items.push(item);
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    return { items, failed: [{ id: url, why: describeArmError(error) }] };
  }
  return { items, failed: [] };
}

interface Term {
  /** A condition for Resource Graph that holds of all that fits, and may hold of more. */
  readonly filter: string | undefined;
  fits(item: JsonObject): boolean;
}

function termOf(term: string): Term {
  const [, name, tag, wanted] = /^(type|name|location|tag\.([^=]+))=(.+)$/i.exec(term) ?? [];
  if (name === undefined || wanted === undefined) {
    throw new UsageError(`import: the query's term ${JSON.stringify(term)} is none of type=, name=, location=, tag.NAME=`);
  }
  const fits = wildcard(name.toLowerCase() === 'location' ? wanted.replace(/\s/g, '') : wanted);
  const fitsItem = (item: JsonObject) => {
    const tags = memberIgnoringCase(item, 'tags');
    const tagged = isRecord(tags) && tag !== undefined ? memberIgnoringCase(tags, tag) : undefined;
    const value = tag === undefined ? memberIgnoringCase(item, name.toLowerCase()) : tagged;
    return typeof value === 'string' && fits(value);
  };
  return { fits: fitsItem, filter: tag === undefined ? conditionOf(name.toLowerCase(), wanted) : taggedWith(tag) };
}

/** Names with other characters stand otherwise in the text of all tags. */
function taggedWith(name: string): string | undefined {
  return /^[\w.-]+$/.test(name) ? `tostring(tags) contains ${quoted(name)}` : undefined;
}

/** Locations have spaces for people, and none in Azure. */
function conditionOf(column: string, pattern: string): string | undefined {
  if (column === 'location') return undefined;
  if (!pattern.includes('*')) return `${column} =~ ${quoted(pattern)}`;
  const [start = '', ...parts] = pattern.split('*');
  const conditions = parts.filter((part) => part !== '').map((part) => `${column} contains ${quoted(part)}`);
  if (start !== '') conditions.unshift(`${column} startswith ${quoted(start)}`);
  return conditions.length === 0 ? undefined : conditions.join(' and ');
}

/** `*` stands for any text; without regard to case, as Azure compares. Takes linear time for each part. */
function wildcard(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  return (text) => {
    const value = text.toLowerCase();
    if (rest.length === 0) return value === first;
    if (!value.startsWith(first)) return false;
    let at = first.length;
    for (const part of rest.slice(0, -1)) {
      const found = value.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    const last = rest.at(-1)!;
    return value.length - last.length >= at && value.endsWith(last);
  };
}
