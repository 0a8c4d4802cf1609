import type { KubernetesObject } from '../../engine/kubernetes/types';

/** Characters from which on an object is large. Those that people write have some thousands. */
export const LARGE = 100_000;
/** What a value costs besides its text. */
const VALUE_COST = 8;

/**
 * Large objects have their reconciles one after the other, in each namespace and among all: a reconcile reads, compares and writes the object several times,
 * and each time nothing else runs on the event loop. Many at once would add up before each step of everybody else's reconcile, and in memory.
 */
export class LargeObjects {
  private readonly sizes = new WeakMap<KubernetesObject, boolean>();
  private readonly running = new Map<string, number>();
  private total = 0;

  /**
   * @param perNamespace reconciles on large objects of one namespace at a time
   * @param inAll reconciles on large objects at a time
   */
  public constructor(private readonly perNamespace = 1, private readonly inAll = 4) {}

  /** Whether a reconcile on the object may begin now. */
  public mayBegin(object: KubernetesObject): boolean {
    if (this.total < this.inAll && (this.running.get(namespaceOf(object)) ?? 0) < this.perNamespace) return true;
    return !this.isLarge(object);
  }

  /** Counts a reconcile on the object; answers what ends it, and undefined where the object is not large. */
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

/** Whether a JSON value has more characters; looked at no further than that. */
function isLarger(value: unknown, most: number): boolean {
  let left = most;
  const open: unknown[] = [value];
  while (open.length > 0 && left >= 0) {
    const next = open.pop();
    left -= VALUE_COST;
    if (typeof next === 'string') {left -= next.length;} else if (Array.isArray(next)) {
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
