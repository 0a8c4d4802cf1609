import { describeArmError } from '../../engine/arm/arm-error';
import { readPage } from '../../engine/arm/arm-reader';
import { ArmError, type ArmClient, type ArmRequest } from '../../engine/arm/types';
import { memberIgnoringCase, type JsonObject } from '../../engine/convert/json';
import { isRecord } from '../../src/util/records';
import { UsageError } from '../output/usage-error';

const API_VERSION = '2021-04-01';

/**
 * The ids of a subscription's resources that fit a query: terms `type=`, `name=`, `location=` and `tag.NAME=`, each with `*` for any text,
 * all of which have to hold.
 * @throws UsageError for a query that cannot be read, or where the subscription does not list its resources
 */
export async function idsOfQuery(query: string, subscription: string | undefined, client: ArmClient): Promise<string[]> {
  const terms = query.split(/[\s,]+/).filter((term) => term !== '').map(termOf);
  if (terms.length === 0) throw new UsageError('import: the query is empty; give for example "type=Microsoft.Storage/* tag.team=shop"');
  if (subscription === undefined) throw new UsageError('import: --query needs a subscription: give --subscription or AZURE_SUBSCRIPTION_ID');
  const ids: string[] = [];
  let request: ArmRequest | undefined = { method: 'GET', url: `/subscriptions/${subscription}/resources`, apiVersion: API_VERSION };
  try {
    while (request) {
      const page = readPage(request, await client.send(request));
      for (const item of page.items) {
        if (typeof item.id === 'string' && terms.every((fits) => fits(item))) ids.push(item.id);
      }
      request = page.next === undefined ? undefined : { ...request, url: page.next };
    }
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    throw new UsageError(`import: the resources of the subscription ${subscription} cannot be listed: ${describeArmError(error)}`);
  }
  return ids;
}

type Fits = (item: JsonObject) => boolean;

function termOf(term: string): Fits {
  const [, name, tag, wanted] = /^(type|name|location|tag\.([^=]+))=(.+)$/i.exec(term) ?? [];
  if (name === undefined || wanted === undefined) {
    throw new UsageError(`import: the query's term ${JSON.stringify(term)} is none of type=, name=, location=, tag.NAME=`);
  }
  const fits = wildcard(name.toLowerCase() === 'location' ? wanted.replace(/\s/g, '') : wanted);
  return (item) => {
    const tags = memberIgnoringCase(item, 'tags');
    const tagged = isRecord(tags) && tag !== undefined ? memberIgnoringCase(tags, tag) : undefined;
    const value = tag === undefined ? memberIgnoringCase(item, name.toLowerCase()) : tagged;
    return typeof value === 'string' && fits(value);
  };
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
