import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';
import type { ClusterReader } from '../cluster/reader';

/** An object that is transferred. */
export interface Item {
  /** `group/Kind/name`. */
  readonly key: string;
  /** In the version in which the object was applied. */
  readonly type: ResourceType;
  readonly name: string;
  readonly uid: string;
  /** `metadata.generation` of the object when its copy was found to be equal, just before the hand-over. */
  readonly generation?: number | undefined;
  /** The annotation `reconcile-policy` before the transfer. */
  readonly policy?: string | undefined;
  /** The annotation `adopt` before the transfer. */
  readonly adopt?: string | undefined;
  /** Keys of the items that it needs: its owner, and what it refers to. */
  readonly needs: readonly string[];
}

/** Steps of a transfer, in their order. A journal names the last one that was completed. */
export const PHASES = ['planned', 'held', 'applied', 'handed-over', 'removed'] as const;
export type Phase = (typeof PHASES)[number];

/** The state of a transfer, in a ConfigMap of the namespace that is left. */
export interface Journal {
  readonly fromNamespace: string;
  readonly toNamespace: string;
  /** URL of the API server of the target. */
  readonly toServer: string;
  readonly startedAt: string;
  readonly phase: Phase;
  /** The hand-over excludes the way back, and the other way round; so each is on record before its first write. */
  readonly begun?: 'hand-over' | 'undo';
  readonly items: readonly Item[];
  /** Secrets and ConfigMaps that are copied, as `Kind/name`. */
  readonly values: readonly string[];
}

/** The value of the annotation `transferred-from` of an item's copy. */
export function markOf({ fromNamespace }: Pick<Journal, 'fromNamespace'>, { uid }: Pick<Item, 'uid'>): string {
  return `${fromNamespace}/${uid}`;
}

/** The objects of the namespace that is left, and what they need. */
export interface Selection {
  readonly items: readonly Item[];
  readonly objects: ReadonlyMap<string, KubernetesObject>;
  /** Secrets and ConfigMaps that the objects read and no Azure object writes, as `Kind/name`. */
  readonly values: readonly string[];
}

/** The input of the checks before a transfer. */
export interface CheckOptions {
  readonly from: ClusterReader;
  readonly to: ClusterReader;
  readonly fromNamespace: string;
  readonly toNamespace: string;
  /** All Azure objects of the namespace that is left, also those that are not selected. */
  readonly all: readonly KubernetesObject[];
  readonly selection: Selection;
  readonly copyValues: boolean;
  /** Whether objects that a deployer applies may be transferred. */
  readonly allowManaged: boolean;
  readonly now: number;
}

/** A reason against a transfer, or a fact that the user has to know. */
export interface TransferFinding {
  readonly severity: 'error' | 'warning' | 'info';
  readonly object: string;
  readonly message: string;
  readonly fix: string;
}
