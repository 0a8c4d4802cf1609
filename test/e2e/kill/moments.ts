import { createHash } from 'node:crypto';

/**
 * When a controller is killed. `start`: at its n-th request to Kubernetes, while it lists. `work`: at the n-th request that changes
 * something in
 * Kubernetes or goes to Azure. `time`: so many milliseconds after it has listed everything, where nobody can count its requests.
 */
export interface Moment {
  readonly of: 'start' | 'work' | 'time';
  readonly after: number;
  /** Whether the request at which it dies is still carried out. */
  readonly arrives: boolean;
}

/** Numbers from 0 to 1 that a seed gives, everywhere the same ones. */
export function randomNumbers(seed: number): () => number {
  let drawn = 0;
  return () => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE() / 2 ** 32;
}

/** One in ten dies before it has begun. `most`: the longest life, in requests. */
export function momentsOf(seed: number, count: number, most: number): Moment[] {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () => {
    const [kind, length, arrives] = [random(), random(), random()];
    const of = kind < 0.1 ? 'start' : 'work';
    return { of, after: 1 + Math.floor(length * (of === 'start' ? 400 : most)), arrives: arrives < 0.5 };
  });
}
