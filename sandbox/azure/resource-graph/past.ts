import type { Resource } from '../model/store';

interface Version {
  readonly at: number;
  /** Undefined: it was gone. */
  readonly resource?: Resource | undefined;
}

/** How resources were a while ago: Azure Resource Graph shows them late. */
export class Past {
  private readonly versions = new Map<string, readonly Version[]>();

  /** @param now milliseconds; @param lag milliseconds by which everything is seen late */
  public constructor(private readonly now: () => number, private readonly lag: number) {}

  /** A resource has changed. */
  public changed(id: string, resource: Resource | undefined): void {
    const seen = this.now() - this.lag;
    const versions = this.versions.get(id) ?? [];
    // Only the newest of those that are seen already is of use.
    const last = versions.filter(({ at }) => at <= seen).at(-1);
    const kept = [...(last ? [last] : []), ...versions.filter(({ at }) => at > seen)];
    this.versions.set(id, [...kept, { at: this.now(), resource }]);
  }

  /** The resource as it is seen now. `id` in lower case. */
  public seen(id: string): Resource | undefined {
    const seen = this.now() - this.lag;
    return this.versions.get(id)?.filter(({ at }) => at <= seen).at(-1)?.resource;
  }
}
