import type { Body } from './types';
import type { KindVersion } from '../../src/catalog';
import type { ResolvedCredential } from '../credentials/types';
import type { KubernetesObject } from '../kubernetes/types';
import type { ObjectLookup } from '../resolve/types';

/** The context for code of a kind that is not managed through Azure Resource Manager. */
export interface ExternalContext {
  readonly object: KubernetesObject;
  readonly version: KindVersion;
  readonly lookup: ObjectLookup;
  /** The object's credential; called only when a token is needed. Throws CredentialError. */
  readonly credential: () => ResolvedCredential;
  readonly signal: AbortSignal;
  /** Throws where another replica looks after the object; called just before each request. Default: none does. */
  readonly fence?: (() => void) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Speed of the environment's time relative to Azure's: above 1 in a simulation. */
  readonly timeScale: number;
  /** Whether an earlier reconcile may have requested the creation and lost the response: it stored its intent before. */
  readonly mayBeCreated: boolean;
}

/** A failure that also changes annotations, e.g. because nothing can have been created. */
export class ExternalFailure extends Error {
  public constructor(public override readonly cause: unknown, public readonly annotations: Readonly<Record<string, string | undefined>>) {
    super(cause instanceof Error ? cause.message : String(cause));
    this.name = 'ExternalFailure';
  }
}

/** The current state of an external resource. */
export interface ExternalState {
  /** The status without conditions. */
  readonly status: Body;
  /** Annotations that identify the resource (undefined: remove the annotation). Stored before any further step. */
  readonly annotations?: Readonly<Record<string, string | undefined>>;
  /** The resource is gone: this reconcile ends, and the next one creates it again. */
  readonly isGone?: boolean;
}

export type ExternalObservation =
  | { readonly found: true; readonly state: ExternalState }
  /** `message`: the missing resource and its place, for a condition. */
  | { readonly found: false; readonly message: string };

/**
 * A kind that is reconciled without Azure Resource Manager: a user in a database server, a group of a directory. Members throw KindError,
 * ResolutionError, CredentialError or ArmError; no error message contains a secret.
 */
export interface ExternalKind {
  /** Whether the owner may be named by its ARM id. Default: it has to be an object of the same namespace. */
  readonly takesOwnerByArmId?: true;
  /** Whether `remove` has work to do although the owner is gone. Default: the resource goes with its owner. */
  readonly outlivesOwner?: true;
  /** Members of the status that the API server requires before it accepts conditions. */
  readonly initialStatus?: Body;
  /** Annotations to store before `ensure`, so that a creation whose response was lost can be recognised; empty: already stored. */
  readonly intent?: (object: KubernetesObject, now: number) => Readonly<Record<string, string>>;
  /** Creates or updates the resource according to the spec. Idempotent. */
  readonly ensure: (context: ExternalContext) => Promise<ExternalState>;
  /** Reads the resource without changing it. */
  readonly observe: (context: ExternalContext) => Promise<ExternalObservation>;
  /** Deletes the resource; does nothing if it does not exist. */
  readonly remove: (context: ExternalContext) => Promise<void>;
}

/** The code of a kind without ARM; undefined: this controller does not reconcile the kind. */
export type ExternalKinds = (group: string, kind: string) => ExternalKind | undefined;
