import type { Change } from './change';

/** The last changes of one resource. */
export class History {
  private changes: Change[] = [];
  private forgotten = 0;

  public constructor(private readonly length: number) {}

  public add(change: Change): void {
    this.changes.push(change);
    // Trimming at twice the length keeps the cost of a change constant.
    const newestToForget = this.changes.length > 2 * this.length ? this.changes.at(-this.length - 1) : undefined;
    if (newestToForget) this.forget(newestToForget.resourceVersion);
  }

  /** The changes after a resourceVersion, or undefined when some of them are forgotten. */
  public after(resourceVersion: number): Change[] | undefined {
    if (resourceVersion < this.forgotten) return undefined;
    return this.changes.filter((change) => change.resourceVersion > resourceVersion);
  }

  /** Forgets the changes up to and with a resourceVersion. */
  public forget(resourceVersion: number): void {
    this.changes = this.changes.filter((change) => change.resourceVersion > resourceVersion);
    this.forgotten = Math.max(this.forgotten, resourceVersion);
  }
}
