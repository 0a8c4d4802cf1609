import { QueueFullError } from './errors';

/** Waiting items, served round robin by namespace: a namespace with many jobs delays another namespace by one or two of them at most. */
export class NamespaceQueue<T> {
  /** Items by namespace; the next namespace to serve is first. */
  private readonly waiting = new Map<string, T[]>();
  private count = 0;

  public constructor(private readonly longest: number) {}

  public get length(): number {
    return this.count;
  }

  /** @throws QueueFullError */
  public add(namespace: string, item: T): void {
    const own = this.waiting.get(namespace) ?? [];
    if (own.length >= this.longest) throw new QueueFullError(namespace, own.length);
    own.push(item);
    this.waiting.set(namespace, own);
    this.count += 1;
  }

  /** The next item of the first namespace that may run one; that namespace moves to the end. */
  public take(mayRun: (namespace: string) => boolean): { readonly namespace: string; readonly item: T } | undefined {
    for (const [namespace, own] of this.waiting) {
      if (!mayRun(namespace)) continue;
      const item = own.shift()!;
      this.waiting.delete(namespace);
      if (own.length > 0) this.waiting.set(namespace, own);
      this.count -= 1;
      return { namespace, item };
    }
    return undefined;
  }

  public remove(namespace: string, item: T): boolean {
    const own = this.waiting.get(namespace) ?? [];
    const at = own.indexOf(item);
    if (at < 0) return false;
    own.splice(at, 1);
    if (own.length === 0) this.waiting.delete(namespace);
    this.count -= 1;
    return true;
  }

  public clear(): T[] {
    const all = [...this.waiting.values()].flat();
    this.waiting.clear();
    this.count = 0;
    return all;
  }
}
