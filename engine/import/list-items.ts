import type { JsonObject } from '../../src/util/records';
import { readPage } from '../arm/arm-reader';
import { ArmError, type ArmClient, type ArmRequest } from '../arm/types';

/** A list that goes on longer than this never ends, or is not one of a single resource. */
const MOST_PAGES = 1000;

/**
 * The elements of a list of Azure, page by page.
 * @throws ArmError for an answer that is no page, and for a list that has no end: what it had so far has been given out
 */
export async function* listItems(
  client: Pick<ArmClient, 'send'>, url: string, apiVersion: string, signal?: AbortSignal,
): AsyncGenerator<JsonObject> {
  let request: ArmRequest = { method: 'GET', url, apiVersion };
  const links = new Set<string>();
  for (;;) {
    const page = readPage(request, await client.send(request, signal));
    yield* page.items;
    if (page.next === undefined) return;
    if (links.has(page.next) || links.size === MOST_PAGES) throw new ArmError('EndlessList', `the list has no end after ${links.size + 1} pages`);
    links.add(page.next);
    request = { method: 'GET', url: page.next, apiVersion };
  }
}
