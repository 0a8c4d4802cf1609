import type { Cause, EventFacts, InspectionNode, NodeState } from '../engine/inspect/types';

/**
 * What the server sends to the page, as JSON. Times are in milliseconds since the epoch; texts are without secrets. Members that an
 * inspection has too are its members; types alone are imported, so nothing of the engine gets into the page.
 */

/** One object, as the tree shows it. Its message is shortened. */
export interface WireNode
  extends Pick<InspectionNode, 'key' | 'group' | 'kind' | 'namespace' | 'name' | 'state' | 'severity' | 'reason' | 'message' | 'since'> {
  /** Key of the owner, if it is one of the nodes. */
  readonly owner?: string | undefined;
  /** A short id of the root cause, the same as that of its `WireCause`; absent: it is settled. */
  readonly cause?: string | undefined;
}

/** A root cause. */
export interface WireCause extends Pick<Cause, 'severity' | 'text' | 'node'> {
  readonly id: string;
  readonly title: string;
  /** Number of nodes that are not Ready because of it. */
  readonly count: number;
}

/** What is known besides the nodes. */
export interface WireSummary {
  /** `context production`: what is shown. */
  readonly title: string;
  /** Time of the data. */
  readonly asOf: number;
  /** Why the data gets no newer; absent: it is up to date. */
  readonly problem?: string | undefined;
  readonly controllers: readonly string[];
  /** Lines about what could not be read. */
  readonly unread: readonly string[];
  /** The most urgent first. */
  readonly causes: readonly WireCause[];
  /** Number of causes that `causes` leaves out. */
  readonly moreCauses: number;
}

/** All nodes, at a version. */
export interface WireSnapshot {
  /** Identifies the run of the server: versions of different runs cannot be compared. */
  readonly epoch: string;
  readonly version: number;
  readonly summary: WireSummary;
  readonly nodes: readonly WireNode[];
}

/** The differences from the version that the page has. */
export interface WireDelta {
  readonly version: number;
  /** Absent: unchanged. */
  readonly summary?: WireSummary | undefined;
  readonly changed: readonly WireNode[];
  readonly removed: readonly string[];
}

/** A title, with the key of its node where it is one. */
export interface WireLink {
  readonly title: string;
  readonly key?: string | undefined;
  readonly state?: NodeState | undefined;
  /** What there is to say about it. */
  readonly note?: string | undefined;
}

export interface WireCondition {
  readonly type: string;
  readonly status: string;
  readonly severity: string;
  readonly reason: string;
  readonly message: string;
  readonly since?: string | undefined;
  readonly observedGeneration?: number | undefined;
}

export type WireEvent = Pick<EventFacts, 'type' | 'reason' | 'message' | 'count' | 'last' | 'source'>;

/** A failed request to Azure about the object, as an event has it. */
export interface WireRequest extends Pick<EventFacts, 'status' | 'code' | 'requestId' | 'count'> {
  readonly at: number;
  /** Absent where only an event tells of the request. */
  readonly method?: string | undefined;
}

/** What the controller would send for an object. */
export interface WirePlan {
  /** `PUT /subscriptions/…?api-version=…`, its body, and notes; absent: there is a problem. */
  readonly text?: string | undefined;
  readonly problems: readonly string[];
}

/** One object with all that is known about it. */
export interface WireDetail {
  readonly node: WireNode;
  /** Whole, unlike that of the node. */
  readonly message: string;
  readonly cause?: { readonly text: string; readonly waiting: number } | undefined;
  /** From the object to its cause; empty: the object itself is the cause. */
  readonly chain: readonly WireLink[];
  readonly next?: { readonly text: string; readonly before?: number | undefined } | undefined;
  readonly advice?: {
    readonly text: string;
    readonly commands: readonly string[];
    readonly document?: { readonly title: string; readonly url: string } | undefined;
  } | undefined;
  /** Further things that it waits for. */
  readonly waits: readonly WireLink[];
  readonly conditions: readonly WireCondition[];
  readonly facts: readonly { readonly label: string; readonly text: string }[];
  /** The nearest first. */
  readonly owners: readonly WireLink[];
  readonly children: readonly WireLink[];
  readonly moreChildren: number;
  readonly references: readonly WireLink[];
  /** The objects that refer to it. */
  readonly usedBy: readonly WireLink[];
  readonly moreUsedBy: number;
  readonly events: readonly WireEvent[];
  readonly requests: readonly WireRequest[];
  /** Whether the requests are all of a process, not just those that failed. */
  readonly hasAllRequests?: boolean;
  /** Lines about what could not be read. */
  readonly unread: readonly string[];
  readonly yaml: string;
}
