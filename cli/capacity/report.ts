import type { Requests } from './request-cost';

/** Requests in the course of time. */
export interface Load {
  readonly perHour: Requests;
  /** When most objects are due: those that were all made at once, a sync period later. */
  readonly peakPerSecond: Requests;
  /** Percent of what comes back of the token bucket, at the peak. */
  readonly peakPercent: Requests;
}

/** Objects that share one token bucket: those of one principal in one subscription. */
export interface BucketReport {
  /** The subscription; absent: not known. */
  readonly subscription?: string;
  /** Above all subscriptions: management groups, subscriptions themselves. */
  readonly tenant: boolean;
  /** The principal, as people call it; absent: not known. */
  readonly principal?: string;
  /** `namespace/name` of the Secrets that name it. */
  readonly secrets: readonly string[];
  /** Objects whose kind is of Azure Resource Manager. */
  readonly objects: number;
  /** Of these: the policy is `skip`. */
  readonly onlyRead: number;
  /** Syncs that find nothing to change, with batch drift detection. */
  readonly steady: Load;
  /** Of these syncs: queries to Azure Resource Graph, which count against a limit of its own. */
  readonly queriesPerHour: number;
  /** The same under Azure Service Operator. */
  readonly aso: Load & { readonly putsPerHour: number; readonly restart: Phase };
  readonly firstCreation: Phase & {
    /** What the chain of waiting resources takes, without the limits. */
    readonly criticalPathSeconds: number;
    readonly boundBy: 'critical path' | 'reads' | 'writes';
  };
  readonly restart: Phase;
  /** The shortest sync period whose peak is within the limits, even if each resource is read by itself. */
  readonly shortestSyncPeriodSeconds: number;
}

/** Something that is to be done as soon as possible. */
export interface Phase {
  readonly requests: Requests;
  readonly seconds: number;
}

/** A subscription that several principals use. */
export interface SharedSubscription {
  readonly subscription: string;
  readonly principals: number;
  /** Percent of what comes back of the limits of all principals together, at the peak. */
  readonly peakPercent: Requests;
}

export interface KindReport {
  readonly group: string;
  readonly kind: string;
  readonly objects: number;
  /** To create one, by recorded traffic; absent: none was recorded. */
  readonly seconds?: number;
  readonly create: Requests;
  readonly sync: Requests;
}

export interface CapacityReport {
  /** Absent: never. */
  readonly syncPeriodSeconds?: number;
  readonly objects: number;
  /** Objects that Azure Resource Manager knows nothing of: users in databases, groups of Entra. */
  readonly elsewhere: number;
  readonly buckets: readonly BucketReport[];
  readonly shared: readonly SharedSubscription[];
  readonly kinds: readonly KindReport[];
  /** Until all is Ready that is in none of the subscriptions yet. */
  readonly readySeconds: number;
  readonly criticalPath: readonly string[];
  /** Resources of a type of which no time was recorded. */
  readonly guessed: number;
}
