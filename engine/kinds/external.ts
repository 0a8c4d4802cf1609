import type { Body } from './types';
import type { KindVersion } from '../../src/catalog';
import type { ResolvedCredential } from '../credentials/types';
import type { KubernetesObject } from '../kubernetes/types';
import type { ObjectLookup } from '../resolve/types';

/** What code of a kind behind another door than Azure Resource Manager may look at. */
export interface ExternalContext {
  readonly object: KubernetesObject;
  readonly version: KindVersion;
  readonly lookup: ObjectLookup;
  /** The object's credential; asked for only where a token is needed. Throws CredentialError. */
  readonly credential: () => ResolvedCredential;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How many times faster than Azure's the time of the environment is: for a simulated one. */
  readonly timeScale: number;
  /** A creation may have been asked for before this reconcile, and its answer lost: the intent was stored before. */
  readonly mayBeCreated: boolean;
}

/** A failure after which annotations change, e.g. because nothing can have been created. */
export class ExternalFailure extends Error {
  public constructor(public override readonly cause: unknown, public readonly annotations: Readonly<Record<string, string | undefined>>) {
    super(cause instanceof Error ? cause.message : String(cause));
    this.name = 'ExternalFailure';
  }
}

/** A thing as it is now. */
export interface ExternalState {
  /** Without conditions. */
  readonly status: Body;
  /** Annotations to set (undefined: to remove): what identifies the thing. Stored before anything else happens. */
  readonly annotations?: Readonly<Record<string, string | undefined>>;
  /** It was found to be gone: the reconcile ends here, and the next one makes it anew. */
  readonly isGone?: boolean;
}

export type ExternalObservation =
  | { readonly found: true; readonly state: ExternalState }
  /** `message`: what is missing where, for a condition. */
  | { readonly found: false; readonly message: string };

/**
 * A kind that is reconciled without Azure Resource Manager: a user inside a database server, a group of a directory. Members throw KindError,
 * ResolutionError, CredentialError or ArmError; no text of an error holds a secret.
 */
export interface ExternalKind {
  /** Members of the status without which the API server takes no condition. */
  readonly initialStatus?: Body;
  /** Annotations to store before `ensure`, so that a lost answer to a creation can be recognized; none: they are there. */
  readonly intent?: (object: KubernetesObject, now: number) => Readonly<Record<string, string>>;
  /** Makes the thing what the spec says. Idempotent. */
  readonly ensure: (context: ExternalContext) => Promise<ExternalState>;
  /** Looks without changing anything. */
  readonly look: (context: ExternalContext) => Promise<ExternalObservation>;
  /** Removes the thing; nothing happens where there is none. */
  readonly remove: (context: ExternalContext) => Promise<void>;
}

/** The code of a kind without ARM; undefined: this controller leaves the kind alone. */
export type ExternalKinds = (group: string, kind: string) => ExternalKind | undefined;
