/** The namespaces whose objects an informer keeps. A filter never changes: another choice is another filter. */
export interface NamespaceFilter {
  keeps(namespace: string): boolean;
}

/** Filters that were in force since the last list of an informer: more makes it list again. */
const MOST_FILTERS = 16;

/**
 * The namespaces of which all objects are in memory: those that the last list and every filter since have kept. A namespace that a filter
 * has left out in between is not covered, even if the present filter keeps it again.
 */
export class Coverage {
  private readonly filters: readonly NamespaceFilter[];

  public constructor(...filters: readonly NamespaceFilter[]) {
    this.filters = filters.filter((filter, index) => filters.indexOf(filter) === index);
  }

  public covers(namespace: string): boolean {
    return this.filters.every((filter) => filter.keeps(namespace));
  }

  public within(filter: NamespaceFilter): Coverage {
    return new Coverage(...this.filters, filter);
  }

  /** Whether a new list should take the place of so many filters. */
  public get isLong(): boolean {
    return this.filters.length >= MOST_FILTERS;
  }
}
