import type { KubernetesObject } from '../../engine/kubernetes';
import type { ObjectId, WrittenObjectId } from '../../src/object-id';

/** An object that `compose` built for a claim. */
export interface RenderedObject {
  /** The object as cdk8s renders it. Its namespace is the claim's unless the definition names another; cluster-scoped kinds have none. */
  readonly manifest: KubernetesObject;
  /** Construct path, for messages, e.g. `team-a/orders/data`. */
  readonly path: string;
  /** Order: 0 first. An object has a higher number than its owner, than what its spec reads, and than what it depends on. */
  readonly wave: number;
  /** CEL over `self` that gives a boolean, from the readiness conditions of the composition. */
  readonly readiness?: string;
}

/** A value of the claim's status. */
export type RenderedValue =
  | { readonly value: string | number | boolean }
  /** A CEL expression over `self`, an object of the composition. */
  | { readonly object: WrittenObjectId; readonly cel: string }
  | { readonly configMap: { readonly namespace: string; readonly name: string; readonly key: string } };

/** The result of `compose` for one claim. */
export interface RenderedClaim {
  /** In the order of their construct paths' creation. */
  readonly objects: readonly RenderedObject[];
  readonly outputs: Readonly<Record<string, RenderedValue>>;
  readonly links: Readonly<Record<string, string>>;
  /** Lines that `compose` wrote to the console, at most 100. */
  readonly logs: readonly string[];
}

/** A problem of a value in the spec. */
export interface SpecIssue {
  /** Path in the object, e.g. `spec.queues[0].name`. */
  readonly path: string;
  readonly message: string;
}

/** A place in the bundle's code; lines and columns from 1. */
export interface BundlePosition {
  readonly line: number;
  readonly column: number;
}

type OtherReason =
  | 'TooManyObjects'
  | 'TooLarge'
  | 'KindNotDeclared'
  | 'DuplicateObject'
  | 'TooSlow'
  | 'TooMuchMemory'
  | 'NotDeterministic'
  | 'TooManyReads'
  /** An object that `compose` reads is not known now. */
  | 'CacheNotSynced'
  | 'KindNotServed';

/**
 * The reason why a claim has no objects. All but `InvalidSpec` and those of objects that are read are mistakes of the definition, or claims
 * that ask too much of it.
 */
export type ComposeProblem =
  | { readonly reason: 'InvalidSpec'; readonly issues: readonly SpecIssue[] }
  | {
    /** `compose` threw an error, validations of constructs failed, or the result is none that the cluster could take. */
    readonly reason: 'ComposeFailed';
    readonly message: string;
    /** The first construct that the message is about. */
    readonly path?: string;
    /** The stack of the error inside the bundle, innermost first. */
    readonly stack?: readonly BundlePosition[];
  }
  | {
    readonly reason: OtherReason;
    readonly message: string;
  };

/** An object that `compose` has read, as it was then. */
export interface ObjectRead extends ObjectId {
  /** Of all that `compose` can see but the status; `absent`: there was no object. */
  readonly digest: string;
  /** Of the status, where `compose` has looked at it. */
  readonly statusDigest?: string | undefined;
}

export type ComposeResult = (
  | { readonly rendered: RenderedClaim; readonly problem?: undefined }
  | { readonly problem: ComposeProblem; readonly rendered?: undefined }
) & {
  /** The objects that `compose` has read. Another result is possible only when one of these, or the claim, has changed. */
  readonly reads: readonly ObjectRead[];
};

/** The result of the conversion of one spec. */
export type ConvertResult =
  | { readonly spec: unknown; readonly problem?: undefined }
  | { readonly problem: ComposeProblem; readonly spec?: undefined };
