import type { Body, KindContext, KindHooks } from './types';
import type { BodyChange } from '../../src/catalog';
import type { Classification } from '../arm/types';

/**
 * The behaviour of a kind beyond the catalog (docs/spec/extensions.md#hooks). Each kind has one file, `behaviour/<service>/<kind>.ts`, with
 * the names of `src/services`; `all-kinds.ts` lists them. For a kind without a file the catalog alone decides.
 */
export interface KindBehaviour extends Omit<KindHooks, 'preCheck' | 'adjust'> {
  /** Evidence that Azure requires this: issues and pull requests, or files of ASO's source at the catalog's release (`v2/api/…`). */
  readonly evidence: readonly string[];
  /** States in which no PUT is sent, in the order in which they are read. */
  readonly stateGates?: readonly StateGate[];
  /** Errors with another classification; the first match wins. */
  readonly errors?: readonly ErrorAdjustment[];
  /** The resource and its children of which Azure accepts one write at a time. The parent's file has the rule. */
  readonly serialWrites?: SerialWrites;
  /** Changes the converted body before it is sent. `catalog/overlays/body-changes.yaml` has the place in the body. */
  readonly bodyChange?: BodyChanger;
  /** Whether Azure honours `If-Match` with the resource's `etag`. Default: true for all of Microsoft.Network (`body-changes.ts`). */
  readonly takesIfMatch?: boolean;
}

/** A state of the resource or of its owner in which Azure refuses changes (docs/spec/extensions.md#state-gates). */
export interface StateGate {
  readonly of: 'own' | 'owner';
  /** Path of the state in the ARM body. */
  readonly path: string;
  /** States in which changes are sent, ignoring case; an absent state counts as one. */
  readonly pass?: readonly string[];
  /** Like `pass`, but case-sensitive. */
  readonly passExactly?: readonly string[];
  /** States in which no change is sent; every other state passes. */
  readonly block?: readonly string[];
}

/** Errors of Azure and their new classification (docs/spec/extensions.md#error-adjustments). Codes and texts are compared exactly. */
export interface ErrorAdjustment {
  /** Matches any of these codes; absent: any code. */
  readonly codes?: readonly string[];
  /** The message must contain all of these. */
  readonly message?: readonly (string | RegExp)[];
  readonly become: Partial<Pick<Classification, 'severity' | 'retry'>>;
}

/** Resources of which Azure rejects concurrent writes, because each write changes their parent. */
export interface SerialWrites {
  /** ARM type of the kind. */
  readonly parent: string;
  /** Types below the parent of which only one resource is written at a time, without any other write of this rule. */
  readonly alone: readonly string[];
  /** Types below the parent whose resources may be written at the same time, but not with other types of this rule. */
  readonly together?: readonly string[];
  /** Whether the parent's own writes exclude all others too. */
  readonly itself: boolean;
}

/** A change of the converted body right before it is sent (docs/spec/extensions.md#body-changes). */
export interface BodyChanger {
  /** The value of `how` in the catalog. */
  readonly how: BodyChange['how'];
  /** @param existing reads the resource */
  readonly change: (body: Body, change: BodyChange, context: KindContext, existing: () => Promise<unknown>) => Promise<Body>;
  /** The body that Azure is expected to return. Default: the result of `change` for Azure's answer. */
  readonly expected?: (body: Body, change: BodyChange) => Body;
}
