import type { Fleet } from './fleet';
import type { Rates } from './rates';
import { ARM_REQUEST_LIMITS, type RequestBucket } from '../../src/azure/arm-request-limits';

export type Bound =
  | 'the longest chain' | 'writes to Azure' | 'reads of Azure' | "the controller's processor" | "the API server's processor";

/** The needs of a fleet, while it is made and at rest. */
export interface Prediction {
  /** Of one cluster. */
  readonly objects: number;
  readonly namespaces: number;
  /** Of the replica with most. */
  readonly objectsOfReplica: number;
  readonly replicaMiB: number;
  readonly apiServerMiB: number;
  readonly storageMiB: number;
  /** All is applied at once: until all is Ready, and the bounds of it. */
  readonly readySeconds: number;
  readonly bounds: Readonly<Record<Bound, number>>;
  /** Requests to Azure until then, of the whole fleet. */
  readonly azureRequests: number;
  /** A controller that starts anew reads everything once. */
  readonly restartSeconds: number;
  /** At rest, in one subscription. */
  readonly restRequestsPerSecond: number;
  /** By one principal, to Resource Graph. */
  readonly queriesPerSecond: number;
  /** Requests to the API server of one cluster, of all replicas: until all is Ready, and about Leases at any time. */
  readonly apiRequestsPerSecond: number;
  readonly leaseRequestsPerSecond: number;
  readonly leaseWritesPerSecond: number;
  /** From the crash of a replica until its objects are looked after. */
  readonly takeOverSeconds: number;
}

/**
 * `docs/sharding.md`: until a Lease counts as ended, from its last renewal; until a list shows it; until a change of the members is acted
 * upon; and the change itself, on busy processors. Caches are filled meanwhile.
 */
const TAKE_OVER_SECONDS = { lease: 15, renewal: 2, list: 0.5, debounce: 1, change: 1.5 };
/** The API server compacts every five minutes what is older than that. */
const HISTORY_SECONDS = 600;
/** Each replica reads the group's Lease, lists the others and writes its own in two seconds; all together write the group's. */
const LEASES = { requestsPerReplica: 1.5, writesPerReplica: 0.5, writesPerCluster: 0.5 };
/** A replica uses one core: JavaScript runs in one thread. */
const CORES_OF_REPLICA = 1;
const CORES_OF_API_SERVER = 4;
const SYNC_SECONDS = 3_600;

export function predict(fleet: Fleet, rates: Rates): Prediction {
  const objects = fleet.objects / fleet.clusters;
  const namespaces = Math.ceil(objects / fleet.objectsPerNamespace);
  const objectsOfReplica = Math.round(objects * largestShare(namespaces, fleet.replicas));
  const inSubscription = fleet.objects / fleet.subscriptions;
  const { reads, writes } = ARM_REQUEST_LIMITS;
  const bounds = {
    'the longest chain': fleet.criticalPathSeconds,
    'writes to Azure': secondsOf(inSubscription * rates.writesPerObject, writes),
    'reads of Azure': secondsOf(inSubscription * rates.readsPerObject, reads),
    "the controller's processor": (
      objectsOfReplica * rates.processorSecondsPerObject + (objects - objectsOfReplica) * rates.foreignProcessorSecondsPerObject
    ) / CORES_OF_REPLICA,
    "the API server's processor": objects * rates.apiServerSecondsPerObject / CORES_OF_API_SERVER,
  };
  const readySeconds = Math.max(...Object.values(bounds));
  const madeInSeconds = Math.max(readySeconds, fleet.madeInSeconds ?? 0);
  const historyKiB = rates.historyKiBPerObject * Math.min(1, HISTORY_SECONDS / madeInSeconds);
  const apiRequests = objects * rates.apiRequestsPerObject;
  const syncSeconds = fleet.syncPeriodHours * SYNC_SECONDS;
  return {
    objects,
    namespaces,
    objectsOfReplica,
    replicaMiB: rates.replicaMiB + objectsOfReplica * rates.replicaMiBPerObject,
    apiServerMiB: rates.apiServerMiB + objects * rates.apiServerMiBPerObject,
    storageMiB: objects * (rates.storageKiBPerObject + historyKiB) / 1024,
    readySeconds,
    bounds,
    azureRequests: fleet.objects * (rates.readsPerObject + rates.writesPerObject),
    restartSeconds: secondsOf(inSubscription, reads),
    restRequestsPerSecond: inSubscription * rates.restRequestsPerObject / syncSeconds,
    queriesPerSecond: inSubscription / fleet.objectsPerNamespace * rates.queriesPerNamespace / syncSeconds,
    apiRequestsPerSecond: apiRequests / readySeconds,
    leaseRequestsPerSecond: fleet.replicas * LEASES.requestsPerReplica + LEASES.writesPerCluster,
    leaseWritesPerSecond: fleet.replicas * LEASES.writesPerReplica + LEASES.writesPerCluster,
    takeOverSeconds: Object.values(TAKE_OVER_SECONDS).reduce((sum, seconds) => sum + seconds),
  };
}

/** Until a bucket that is full at first has let so many requests pass. */
function secondsOf(requests: number, { size, refillPerSecond }: RequestBucket): number {
  return Math.max(0, requests - size) / refillPerSecond;
}

/**
 * The part of the namespaces that the replica with most has, as chance has it: two standard deviations above the mean, since each
 * namespace falls to each replica with the same probability.
 */
function largestShare(namespaces: number, replicas: number): number {
  if (replicas === 1) return 1;
  const [mean, variance] = [1 / replicas, 1 / replicas * (1 - 1 / replicas) / namespaces];
  return Math.min(1, mean + 2 * Math.sqrt(variance));
}
