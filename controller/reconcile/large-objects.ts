import type { KubernetesObject } from '../../engine/kubernetes/types';

/** Size in characters from which an object is large. Objects that people write have some thousands. */
export const LARGE = 100_000;
/** Cost of a value besides its text. Characters. */
const VALUE_COST = 8;

/**
 * Limits the concurrent reconciles of large objects, in each namespace and in all. A reconcile reads, compares and writes the object
 * several times, each time blocking the event loop. Many of them at once would delay every other reconcile, and add up in memory.
 */
export class LargeObjects {
  private readonly sizes = new WeakMap<KubernetesObject, boolean>();
  private readonly running = new Map<string, number>();
  private total = 0;

  /**
   * @param perNamespace concurrent reconciles of large objects of one namespace
   * @param inAll concurrent reconciles of large objects in all
   */
  public constructor(private readonly perNamespace = 1, private readonly inAll = 4) {}

  /** Whether a reconcile on the object may begin now. */
  public mayBegin(object: KubernetesObject): boolean {
    if (this.total < this.inAll && (this.running.get(namespaceOf(object)) ?? 0) < this.perNamespace) return true;
    return !this.isLarge(object);
  }

  /** Counts a reconcile of the object; returns the function that ends it, or undefined where the object is not large. */
  public begin(object: KubernetesObject): (() => void) | undefined {
    if (!this.isLarge(object)) return undefined;
    const namespace = namespaceOf(object);
    this.count(namespace, 1);
    return () => this.count(namespace, -1);
  }

  private count(namespace: string, by: 1 | -1): void {
    this.total += by;
    const running = (this.running.get(namespace) ?? 0) + by;
    if (running === 0) this.running.delete(namespace);
    else this.running.set(namespace, running);
  }

  private isLarge(object: KubernetesObject): boolean {
    let large = this.sizes.get(object);
    if (large === undefined) this.sizes.set(object, (large = isLarger(object, LARGE)));
    return large;
  }
}

/** Whether a JSON value has more characters; stops counting there. */
function isLarger(value: unknown, most: number): boolean {
  let left = most;
  const open: unknown[] = [value];
  while (open.length > 0 && left >= 0) {
    const next = open.pop();
    left -= VALUE_COST;
    if (typeof next === 'string') {
      left -= next.length;
    } else if (Array.isArray(next)) {
      if (next.length * VALUE_COST > left) return true;
      for (const element of next) open.push(element);
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, member] of Object.entries(next)) {
        left -= key.length;
        open.push(member);
      }
    }
  }
  return left < 0;
}

function namespaceOf({ metadata }: KubernetesObject): string {
  return metadata.namespace ?? '';
}
