import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Measurements of a process, and its garbage collection. */
export interface CollectedProcess {
  /** Processor time so far, in milliseconds. */
  cpuMs(): number;
  /** Bytes of all pages of the heap, whether they have objects or not. */
  heapBytes(): number;
  /** A full collection. Blocks the thread: 0.1 s with 1,000 objects, 0.4 s with 5,000 on a busy machine. */
  collect(): void;
}

const LOOK_EVERY_MS = 15_000;
/** Share of one core below which the process is at rest. */
const REST_SHARE = 0.2;
/** A collection, with those by which V8 follows it, takes 0.3 s of processor time. */
const SHORTEST_PAUSE_MS = 5 * 60_000;
/** Growth since the last collection that makes another one worth its time. */
const WORTH_BYTES = 12 * 1024 * 1024;

/**
 * Returns memory to the system when the controller comes to rest. V8 collects garbage while objects are made, and leaves holes between
 * those that live: when a thousand objects have been reconciled, half of the heap is neither needed nor returned. A collection makes V8
 * look whether more of them, which close the holes, are of use; without one it may never do it (docs/performance.md).
 */
export class CollectionAtRest {
  private cpuMs: number;
  private heapBytes: number;
  private sinceCollectionMs = Infinity;

  public constructor(private readonly process: CollectedProcess) {
    this.cpuMs = process.cpuMs();
    this.heapBytes = process.heapBytes();
  }

  /** To be called so many milliseconds after the last call. */
  public look(elapsedMs: number): void {
    const cpuMs = this.process.cpuMs();
    const isAtRest = cpuMs - this.cpuMs < elapsedMs * REST_SHARE;
    this.cpuMs = cpuMs;
    this.sinceCollectionMs += elapsedMs;
    const heapBytes = this.process.heapBytes();
    // V8 has returned memory by itself.
    this.heapBytes = Math.min(this.heapBytes, heapBytes);
    if (!isAtRest || this.sinceCollectionMs < SHORTEST_PAUSE_MS || heapBytes - this.heapBytes < WORTH_BYTES) return;
    this.process.collect();
    this.sinceCollectionMs = 0;
    this.heapBytes = this.process.heapBytes();
  }
}

/** Looks at this process until the signal aborts. */
export function collectAtRest(signal: AbortSignal): void {
  const collection = new CollectionAtRest(thisProcess);
  let lookedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    collection.look(now - lookedAt);
    lookedAt = now;
  }, LOOK_EVERY_MS).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}

const thisProcess: CollectedProcess = {
  cpuMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  heapBytes: () => getHeapStatistics().total_heap_size,
  collect: () => {
    // The function exists in contexts that are made while the flag is set; this one is garbage afterwards.
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    setFlagsFromString('--no-expose-gc');
  },
};
