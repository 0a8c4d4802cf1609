import {
  KubernetesError,
  type KubernetesListWatch,
  type KubernetesObject,
  type ResourceType,
  type Selection,
} from '../kubernetes/types';

/** A list of all pages. */
export interface CompleteList {
  readonly items: KubernetesObject[];
  readonly resourceVersion: string;
  readonly pages: number;
}

export interface ListAllOptions {
  /** Objects per page. */
  readonly pageSize: number;
  /** A page token expired in the middle of the list, which starts again. */
  readonly onRestart: () => void;
  /** Which objects of a page are kept; the others are dropped before the next page is requested. Default: all. */
  readonly keeps?: ((object: KubernetesObject) => boolean) | undefined;
}

/** Number of paged attempts before the list is requested in one piece. */
const PAGED_ATTEMPTS = 2;

/** Lists all objects page by page, and again from the first page where a page token expires. */
export async function listAll(
  api: Pick<KubernetesListWatch, 'list'>, type: ResourceType, selection: Selection, options: ListAllOptions, signal: AbortSignal,
): Promise<CompleteList> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const limit = attempt <= PAGED_ATTEMPTS ? options.pageSize : undefined;
      return await pages(api, type, { ...selection, limit }, options.keeps, signal);
    } catch (error) {
      const restart = error instanceof PageExpired && attempt <= PAGED_ATTEMPTS;
      if (!restart) throw error;
      options.onRestart();
    }
  }
}

async function pages(
  api: Pick<KubernetesListWatch, 'list'>,
  type: ResourceType,
  selection: Selection & { readonly limit: number | undefined },
  keeps: ListAllOptions['keeps'],
  signal: AbortSignal,
): Promise<CompleteList> {
  const items: KubernetesObject[] = [];
  let token: string | undefined;
  for (let count = 1; ; count += 1) {
    const page = await api.list(type, { ...selection, continue: token }, signal).catch((error: unknown) => {
      throw token && isGone(error) ? new PageExpired() : error;
    });
    for (const item of page.items) if (keeps?.(item) ?? true) items.push(item);
    token = page.continue;
    if (!token) return { items, resourceVersion: page.resourceVersion, pages: count };
  }
}

/** 410: `Gone` of a watch, `Expired` of a page token. */
export function isGone(error: unknown): boolean {
  return error instanceof KubernetesError && (error.status === 410 || error.reason === 'Gone' || error.reason === 'Expired');
}

class PageExpired extends Error {}
