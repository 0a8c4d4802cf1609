/** The costs of an object, as runs of the benches have them (`runs.ts`). */
export interface Rates {
  /** A replica without objects, with the 25 kinds of the benches. */
  readonly replicaMiB: number;
  /** … for each object that it owns, at most, while all become Ready. */
  readonly replicaMiBPerObject: number;
  /** Requests to Azure until an object is Ready: PUT and POST, and GET. */
  readonly writesPerObject: number;
  readonly readsPerObject: number;
  /** Requests to Azure at rest for each object and sync period: GET and POST. */
  readonly restRequestsPerObject: number;
  /** Queries to Resource Graph for each namespace and sync period: one for each of its tables. */
  readonly queriesPerNamespace: number;
  /** Requests to the API server until an object is Ready, of all replicas. */
  readonly apiRequestsPerObject: number;
  /** KiB that each replica receives from it meanwhile: watches deliver all objects to each replica. */
  readonly apiKiBPerObject: number;
  /** A replica's processor time until an object of its own is Ready, in seconds. */
  readonly processorSecondsPerObject: number;
  /** … for an object of another replica: its events are read, and left. */
  readonly foreignProcessorSecondsPerObject: number;
  /** The API server without objects, and for each object and served version, while all become Ready. */
  readonly apiServerMiB: number;
  readonly apiServerMiBPerObjectAndVersion: number;
  /** The API server's processor time until an object is Ready, in seconds. */
  readonly apiServerSecondsPerObject: number;
  /** etcd's database, with the history that is not compacted yet and an hour of events. */
  readonly storageKiBPerObject: number;
  /** Time to list the objects of a replica that has died, after its Lease has ended, in seconds an object. */
  readonly listSecondsPerObject: number;
}

export const RATES: Rates = {
  replicaMiB: 110,
  replicaMiBPerObject: 0.03,
  writesPerObject: 1.06,
  readsPerObject: 0.58,
  restRequestsPerObject: 0.59,
  queriesPerNamespace: 10,
  apiRequestsPerObject: 10.2,
  apiKiBPerObject: 28,
  processorSecondsPerObject: 0.0094,
  foreignProcessorSecondsPerObject: 0.001,
  apiServerMiB: 600,
  apiServerMiBPerObjectAndVersion: 0.1,
  apiServerSecondsPerObject: 0.02,
  storageKiBPerObject: 20,
  listSecondsPerObject: 0.0001,
};
