import type { Condition, KubernetesObject } from '../../engine/kubernetes';
import { versionOf } from '../../engine/resolve/kind-of';
import { ownerOf } from '../../engine/resolve/owner';
import { POLLER_TOKEN } from '../../src/azure/annotations';
import { objectKeyOf } from '../../src/object-id';
import { appliedKeyOf, namespaceOf } from '../manifests/manifests';

export type State = 'ready' | 'working' | 'waiting' | 'warning' | 'error' | 'refused' | 'gone';

/** The known state of one Azure object of the files. */
export interface Entry {
  readonly key: string;
  readonly object: KubernetesObject;
  readonly state: State;
  readonly reason: string;
  readonly message: string;
  /** When it was applied, and when its state last changed; milliseconds since the epoch. */
  readonly since: number;
  readonly changed: number;
}

/** Reasons by which an object waits for another one, which is the normal order, and what it waits for. */
export const WAITS: ReadonlyMap<string, string> = new Map([
  ['WaitingForOwner', 'an owner'],
  ['ReferenceNotFound', 'a reference'],
  ['SecretNotFound', 'a Secret'],
  ['ConfigMapNotFound', 'a ConfigMap'],
]);

/** All Azure objects of the files with their states. */
export class Board {
  private readonly entries = new Map<string, Entry>();
  private last: number;

  public constructor(private readonly now: () => number = Date.now) {
    this.last = now();
  }

  /** An object of the files, before anything is known about it. */
  public expect(object: KubernetesObject): void {
    const now = this.now();
    this.entries.set(appliedKeyOf(object), {
      key: appliedKeyOf(object),
      object,
      state: 'working',
      reason: 'Pending',
      message: '',
      since: now,
      changed: now,
    });
  }

  public refuse(object: KubernetesObject, reason: string, message: string): void {
    this.change(appliedKeyOf(object), { object, state: 'refused', reason, message });
  }

  /** Takes an event of the cluster. Returns the entry when the event has news about an object of the files. */
  public see(object: KubernetesObject): Entry | undefined {
    const ready = object.status?.conditions?.find((condition) => condition.type === 'Ready');
    if (ready && isStale(ready, object)) return this.change(appliedKeyOf(object), { object, state: 'working', reason: 'Pending', message: '' });
    return this.change(appliedKeyOf(object), {
      object,
      state: stateOf(ready, object),
      reason: ready?.reason ?? 'Pending',
      message: ready?.message ?? '',
    });
  }

  public lose(object: KubernetesObject): Entry | undefined {
    return this.change(appliedKeyOf(object), { object, state: 'gone', reason: 'Deleted', message: 'the object was deleted' });
  }

  public list(): Entry[] {
    return [...this.entries.values()];
  }

  /** When anything changed last. */
  public get lastChange(): number {
    return this.last;
  }

  private change(key: string, news: Pick<Entry, 'object' | 'state' | 'reason' | 'message'>): Entry | undefined {
    const before = this.entries.get(key);
    if (!before) return undefined;
    const same = before.state === news.state && before.reason === news.reason && before.message === news.message;
    const entry = { ...before, ...news, changed: same ? before.changed : this.now() };
    this.entries.set(key, entry);
    if (same) return undefined;
    this.last = entry.changed;
    return entry;
  }
}

/** The key of the object that owns, by what the spec says. */
export function ownerKeyOf(object: KubernetesObject): string | undefined {
  const version = versionOf(object);
  try {
    const owner = version && ownerOf(object, version);
    return owner?.by === 'name' ? objectKeyOf({ ...owner, namespace: namespaceOf(object) }) : undefined;
  } catch {
    // An owner that is named in two ways: the controller says so in the condition.
    return undefined;
  }
}

/** A condition of an older generation says nothing about what is in the spec now. */
function isStale({ observedGeneration }: Condition, { metadata: { generation } }: KubernetesObject): boolean {
  return observedGeneration !== undefined && generation !== undefined && observedGeneration < generation;
}

function stateOf(ready: Condition | undefined, { metadata: { annotations } }: KubernetesObject): State {
  if (!ready) return 'working';
  if (ready.status === 'True') return 'ready';
  // The error of an earlier request stays until the operation of the next one has ended.
  if (ready.severity === 'Error') return annotations?.[POLLER_TOKEN] ? 'working' : 'error';
  if (ready.severity !== 'Warning') return 'working';
  return WAITS.has(ready.reason) ? 'waiting' : 'warning';
}
