import { randomUUID } from 'node:crypto';
import { setNewest } from '../../../src/util/set-newest';
import { ApiError } from '../api-error';
import type { StoredObject } from '../objects';

export interface Page {
  readonly items: readonly StoredObject[];
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

interface Rest {
  readonly items: readonly StoredObject[];
  readonly resourceVersion: string;
}

const MOST_OPEN_LISTS = 200;

/** Lists in pages: every page of a list shows the state of its first one. */
export class Pages {
  private readonly open = new Map<string, Rest>();

  public first(items: readonly StoredObject[], resourceVersion: number, limit: number): Page {
    return this.page({ items, resourceVersion: String(resourceVersion) }, limit);
  }

  /** @throws ApiError 410 for a token that is too old. */
  public next(token: string, limit: number): Page {
    const rest = this.open.get(token);
    if (!rest && !isToken(token)) throw ApiError.badRequest('invalid continue token: continue key is not valid');
    if (!rest) throw ApiError.expired('The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.');
    return this.page(rest, limit);
  }

  /** Forgets the open lists, as a server does when the history is compacted. */
  public expire(): void {
    this.open.clear();
  }

  private page({ items, resourceVersion }: Rest, limit: number): Page {
    if (limit <= 0 || items.length <= limit) return { items, resourceVersion };
    const token = Buffer.from(JSON.stringify({ v: 'sandbox', rv: Number(resourceVersion), start: randomUUID() })).toString('base64url');
    const rest = items.slice(limit);
    setNewest(this.open, token, { items: rest, resourceVersion }, MOST_OPEN_LISTS);
    return { items: items.slice(0, limit), resourceVersion, continue: token, remainingItemCount: rest.length };
  }
}

function isToken(text: string): boolean {
  try {
    return typeof JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) === 'object';
  } catch {
    return false;
  }
}
