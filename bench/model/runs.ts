import type { Fleet } from './fleet';

/** Measurements of `bench/shards.mjs --kubernetes real --speed 20`, to which rates of the model are fitted. */
export interface Run {
  readonly fleet: Pick<Fleet, 'objects' | 'replicas'>;
  /** The most that a replica which was not killed had, in MiB. */
  readonly replicaMiB: number;
  readonly apiServerMiB: number;
  readonly storageMiB: number;
  readonly apiRequestsPerObject: number;
  /** Until a namespace of a killed replica was looked after, the median. */
  readonly takeOverSeconds: number;
}

/** Two cores, one replica killed in the middle; the first two with a load of 7 to 8 from other work. */
export const RUNS: readonly Run[] = [
  {
    fleet: { objects: 1_500, replicas: 3 },
    replicaMiB: 168,
    apiServerMiB: 762,
    storageMiB: 46.7,
    apiRequestsPerObject: 10.2,
    takeOverSeconds: 17.6,
  },
  {
    fleet: { objects: 5_000, replicas: 3 },
    replicaMiB: 213,
    apiServerMiB: 1_659,
    storageMiB: 151.5,
    apiRequestsPerObject: 9.5,
    takeOverSeconds: 25.2,
  },
  {
    fleet: { objects: 20_000, replicas: 3 },
    replicaMiB: 323.5,
    apiServerMiB: 2_720,
    storageMiB: 568,
    apiRequestsPerObject: 8.8,
    takeOverSeconds: 45.4,
  },
];
