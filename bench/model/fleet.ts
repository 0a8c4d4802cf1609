/** Clusters that are alike, each with replicas that share its namespaces. */
export interface Fleet {
  /** Azure objects in all clusters. */
  readonly objects: number;
  readonly clusters: number;
  /** Replicas of the controller in each cluster. */
  readonly replicas: number;
  /** Objects in a namespace, on average. */
  readonly objectsPerNamespace: number;
  /** Subscriptions of all clusters, each used by one principal of its own. */
  readonly subscriptions: number;
  /** Hours between two looks at an object. */
  readonly syncPeriodHours: number;
  /** The longest chain of resources, in seconds, as `cdk8s-aso graph` tells it. */
  readonly criticalPathSeconds: number;
  /** Seconds in which the objects are made. Default: all at once, so that it takes as long as they need to be Ready. */
  readonly madeInSeconds?: number;
}

export const MILLION: Fleet = {
  objects: 1_000_000,
  clusters: 100,
  replicas: 3,
  objectsPerNamespace: 33,
  subscriptions: 1_000,
  syncPeriodHours: 1,
  criticalPathSeconds: 137,
};
