import type { Fleet } from './fleet';

/** Measurements of `bench/shards.mjs --kubernetes real --speed 20`, to which rates of the model are fitted. */
export interface Run {
  readonly fleet: Pick<Fleet, 'objects' | 'replicas'>;
  /** Until all were Ready. */
  readonly seconds: number;
  /** The most that a replica which was not killed had, in MiB. */
  readonly replicaMiB: number;
  readonly apiServerMiB: number;
  readonly storageMiB: number;
  readonly apiRequestsPerObject: number;
  /** Until a namespace of a killed replica was looked after, the median. Absent: of a build whose lists began late. */
  readonly takeOverSeconds?: number;
}

/** Two cores, one replica killed in the middle; the first two of an earlier build, the first and third with other work beside them. */
export const RUNS: readonly Run[] = [
  {
    fleet: { objects: 1_500, replicas: 3 },
    seconds: 51,
    replicaMiB: 168,
    apiServerMiB: 762,
    storageMiB: 46.7,
    apiRequestsPerObject: 10.2,
    takeOverSeconds: 17.6,
  },
  {
    fleet: { objects: 20_000, replicas: 3 },
    seconds: 465,
    replicaMiB: 323.5,
    apiServerMiB: 2_720,
    storageMiB: 568,
    apiRequestsPerObject: 8.8,
  },
  {
    fleet: { objects: 10_000, replicas: 3 },
    seconds: 570,
    replicaMiB: 265,
    apiServerMiB: 1_555,
    storageMiB: 289.6,
    apiRequestsPerObject: 9.2,
    takeOverSeconds: 20.2,
  },
  {
    fleet: { objects: 50_000, replicas: 3 },
    seconds: 2_139,
    replicaMiB: 549,
    apiServerMiB: 3_871,
    storageMiB: 631.8,
    apiRequestsPerObject: 8.1,
    takeOverSeconds: 24.2,
  },
];
