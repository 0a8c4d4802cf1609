import type { Requests } from './request-cost';

/** Requests over time. */
export interface Load {
  readonly perHour: Requests;
  /** Requests per second when most objects are due: one sync period after objects that were created at once. */
  readonly peakPerSecond: Requests;
  /** The peak in percent of the refill rate of the token bucket. */
  readonly peakPercent: Requests;
}

/** Objects that share one token bucket: the objects of one principal in one subscription. */
export interface BucketReport {
  /** The subscription; absent: not known. */
  readonly subscription?: string | undefined;
  /** Whether the resources are above all subscriptions: management groups, and subscriptions themselves. */
  readonly tenant: boolean;
  /** The principal as it is reported to the user; absent: not known. */
  readonly principal?: string | undefined;
  /** `namespace/name` of the Secrets that contain the principal. */
  readonly secrets: readonly string[];
  /** Number of objects whose kind Azure Resource Manager serves. */
  readonly objects: number;
  /** Number of these objects whose policy is `skip`. */
  readonly onlyRead: number;
  /** Load of syncs that find nothing to change, with batch drift detection. */
  readonly steady: Load;
  /** Queries of these syncs to Azure Resource Graph, which count against a limit of its own. */
  readonly queriesPerHour: number;
  /** Load of the same objects under Azure Service Operator. */
  readonly aso: Load & { readonly putsPerHour: number; readonly restart: Phase };
  readonly firstCreation: Phase & {
    /** Length of the longest chain of dependencies, without the limits. */
    readonly criticalPathSeconds: number;
    readonly boundBy: 'critical path' | 'reads' | 'writes';
  };
  readonly restart: Phase;
  /** The shortest sync period whose peak is within the limits, even if each resource is read by itself. */
  readonly shortestSyncPeriodSeconds: number;
}

/** Requests that are sent as soon as the limits allow. */
export interface Phase {
  readonly requests: Requests;
  readonly seconds: number;
}

/** A subscription that several principals use. */
export interface SharedSubscription {
  readonly subscription: string;
  readonly principals: number;
  /** The peak in percent of the refill rate of all principals together. */
  readonly peakPercent: Requests;
}

export interface KindReport {
  readonly group: string;
  readonly kind: string;
  readonly objects: number;
  /** Seconds to create one resource, from recorded traffic; absent: none was recorded. */
  readonly seconds?: number;
  readonly create: Requests;
  readonly sync: Requests;
}

export interface CapacityReport {
  /** Absent: objects are never synced again. */
  readonly syncPeriodSeconds?: number;
  readonly objects: number;
  /** Objects without a resource in Azure Resource Manager: users in databases, Entra groups. */
  readonly elsewhere: number;
  readonly buckets: readonly BucketReport[];
  readonly shared: readonly SharedSubscription[];
  readonly kinds: readonly KindReport[];
  /** Seconds until all objects are Ready when no resource exists yet. */
  readonly readySeconds: number;
  readonly criticalPath: readonly string[];
  /** Number of resources whose type has no recorded time. */
  readonly guessed: number;
}
