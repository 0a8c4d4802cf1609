import type { Body, KindContext, KindHooks } from './types';
import type { BodyChange } from '../../src/catalog';
import type { Classification } from '../arm/types';

/**
 * All that a kind does beyond the catalog (docs/spec/extensions.md#hooks). Each kind has one file, `behaviour/<service>/<kind>.ts`, with the names
 * of `src/services`; `all-kinds.ts` lists them. A kind without a file is driven by the catalog alone.
 */
export interface KindBehaviour extends Omit<KindHooks, 'preCheck' | 'adjust'> {
  /** Where it was seen that Azure needs this: issues and pull requests, or files of ASO's source at the catalog's release (`v2/api/…`). */
  readonly evidence: readonly string[];
  /** States in which no PUT is sent, in the order in which they are read. */
  readonly stateGates?: readonly StateGate[];
  /** Errors that become something else; the first that fits counts. */
  readonly errors?: readonly ErrorAdjustment[];
  /** The resource and those below it of which Azure takes one write at a time. The rule is in the parent's file. */
  readonly serialWrites?: SerialWrites;
  /** Changes the converted body before it is sent. `catalog/overlays/body-changes.yaml` has the place in the body. */
  readonly bodyChange?: BodyChanger;
  /** Azure honours `If-Match` with the resource's `etag`. Default: all of Microsoft.Network does (`body-changes.ts`). */
  readonly takesIfMatch?: boolean;
}

/** A state of the resource or of its owner in which Azure refuses changes (docs/spec/extensions.md#state-gates). */
export interface StateGate {
  readonly of: 'own' | 'owner';
  /** In the ARM body. */
  readonly path: string;
  /** Lets these through, whatever their case, and an absent state. */
  readonly pass?: readonly string[];
  /** The same, but the case counts. */
  readonly passExactly?: readonly string[];
  /** Lets everything through but these. */
  readonly block?: readonly string[];
}

/** Errors of Azure, and what they become (docs/spec/extensions.md#error-adjustments). Codes and texts are compared exactly. */
export interface ErrorAdjustment {
  /** Any of these codes; absent: any code. */
  readonly codes?: readonly string[];
  /** All of these are in the message. */
  readonly message?: readonly (string | RegExp)[];
  readonly become: Partial<Pick<Classification, 'severity' | 'retry'>>;
}

/** Resources of which Azure refuses to have several written at a time, because each write changes their parent. */
export interface SerialWrites {
  /** ARM type of the kind. */
  readonly parent: string;
  /** Types below the parent of which only one is written at a time, and nothing else of this rule with it. */
  readonly alone: readonly string[];
  /** Types below the parent that may be written at the same time as each other, but not as the others of this rule. */
  readonly together?: readonly string[];
  /** Whether the parent's own writes go alone too. */
  readonly itself: boolean;
}

/** A change of the converted body right before it is sent (docs/spec/extensions.md#body-changes). */
export interface BodyChanger {
  /** The same as in the catalog. */
  readonly how: BodyChange['how'];
  /** @param existing reads the resource */
  readonly change: (body: Body, change: BodyChange, context: KindContext, existing: () => Promise<unknown>) => Promise<Body>;
  /** The body as Azure is expected to show it. Default: as `change` makes it from Azure's answer. */
  readonly expected?: (body: Body, change: BodyChange) => Body;
}
