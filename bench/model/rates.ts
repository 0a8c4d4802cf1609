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
  /** Assumed: queries to Resource Graph for each namespace and sync period, one for each of its tables. */
  readonly queriesPerNamespace: number;
  /** Requests to the API server until an object is Ready, of all replicas. */
  readonly apiRequestsPerObject: number;
  /** A replica's processor time until an object of its own is Ready, in seconds. */
  readonly processorSecondsPerObject: number;
  /** Assumed, for an object of another replica: its events are read, and left. */
  readonly foreignProcessorSecondsPerObject: number;
  /** The API server without objects, and for each object, while all become Ready. */
  readonly apiServerMiB: number;
  readonly apiServerMiBPerObject: number;
  /** The API server's processor time until an object is Ready, in seconds. */
  readonly apiServerSecondsPerObject: number;
  /** etcd's database, with an hour of events. */
  readonly storageKiBPerObject: number;
  /** … and the history of an object that became Ready in the last ten minutes, which is not compacted yet. */
  readonly historyKiBPerObject: number;
}

export const RATES: Rates = {
  replicaMiB: 150,
  replicaMiBPerObject: 0.018,
  writesPerObject: 1.06,
  readsPerObject: 0.51,
  restRequestsPerObject: 0.59,
  queriesPerNamespace: 10,
  apiRequestsPerObject: 9,
  processorSecondsPerObject: 0.0098,
  foreignProcessorSecondsPerObject: 0.001,
  apiServerMiB: 760,
  apiServerMiBPerObject: 0.072,
  apiServerSecondsPerObject: 0.024,
  storageKiBPerObject: 6.3,
  historyKiBPerObject: 23,
};
