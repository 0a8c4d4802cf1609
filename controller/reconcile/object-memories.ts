import { NO_RETRIES, type RetryCounters } from './core/backoff';
import type { LastWriteKnowledge } from './core/observed';
import { sharedKeyOf } from './object-key';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import type { ObjectId } from '../../src/object-id';

/** State that this process keeps about an object besides the object itself. */
export interface ObjectMemory {
  readonly uid: string;
  /** A moment of `CacheFreshnessGuard` at which the object was in its current state. */
  since: number;
  /** Generation and deletion timestamp at that moment. */
  version?: string;
  knowledge: LastWriteKnowledge;
  counters: RetryCounters;
  /** When a read has shown that there is no resource, in milliseconds since the epoch; undefined: none has, or a PUT was sent since. */
  absentAt?: number | undefined;
}

/** The memories of all objects; an object that was recreated under the same name gets a new one. */
export class ObjectMemories {
  private readonly memories = new Map<string, ObjectMemory>();

  /** @param moment returns the present moment of `CacheFreshnessGuard` */
  public constructor(private readonly moment: () => number) {}

  public get(key: ObjectId): ObjectMemory | undefined {
    return this.memories.get(sharedKeyOf(key));
  }

  /** The memory of an object; created if absent. */
  public of(key: ObjectId, object: KubernetesObject): ObjectMemory {
    const name = sharedKeyOf(key);
    const uid = object.metadata.uid ?? '';
    const known = this.memories.get(name);
    if (known?.uid === uid) return known;
    const memory: ObjectMemory = { uid, since: this.moment(), knowledge: 'first', counters: NO_RETRIES };
    this.confirmAnew(memory, object);
    this.memories.set(name, memory);
    return memory;
  }

  public delete(key: ObjectId): void {
    this.memories.delete(sharedKeyOf(key));
  }

  /** Once the object has changed, the objects that its decisions depend on are confirmed again. */
  public confirmAnew(memory: ObjectMemory, { metadata: { generation, deletionTimestamp } }: KubernetesObject): void {
    const version = `${generation} ${deletionTimestamp}`;
    if (memory.version === version) return;
    Object.assign(memory, { version, since: this.moment() });
  }
}
