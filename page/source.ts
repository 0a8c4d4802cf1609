import type { WirePlan } from './wire';
import type { EventFacts, Inspection, InspectionNode, Unread } from '../engine/inspect';
import type { KubernetesObject } from '../engine/kubernetes/types';

/** Events of objects, by uid. */
export interface ReadEvents {
  readonly events: ReadonlyMap<string, readonly EventFacts[]>;
  readonly unread: readonly Unread[];
}

/** A request to Azure that was answered, or not. */
export interface SentRequest {
  readonly method: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** HTTP status; undefined: there was no answer. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** The part of the path behind the resource, e.g. `/listKeys`. */
  readonly action?: string | undefined;
  readonly seconds?: number | undefined;
}

/** Where the page has its data from. */
export interface PageSource {
  /** What is shown, in a few words: `context production`. */
  readonly title: string;
  /** The last inspection; undefined: the first one is not complete. */
  readonly inspection: Inspection | undefined;
  /** Why the inspection gets no newer; undefined: it does. */
  readonly problem: string | undefined;
  /** Requests to Azure about a node, the newest first; absent: only events tell of them. */
  readonly requests?: ((node: InspectionNode) => readonly SentRequest[]) | undefined;
  /** Calls back after each new inspection and each change of the problem. The returned function ends it. */
  onChange(listener: () => void): () => void;
  /** The object of a node, as it was read. */
  object(node: InspectionNode): KubernetesObject | undefined;
  /** Events of some objects. */
  events(nodes: readonly InspectionNode[]): Promise<ReadEvents>;
  /** The request that the controller sends for the object of a node. */
  plan(node: InspectionNode): Promise<WirePlan>;
}
