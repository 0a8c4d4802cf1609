import type { ComposeProblem, ConvertResult, RenderedClaim } from './types';
import type { ObjectId } from '../../src/object-id';
import type { ComposeLimits } from '../../src/platform-api';
import type { ApiFacts } from '../definition/api-facts';

/** Input of all jobs of a thread: its `workerData`. A thread serves one bundle only. */
export interface ThreadData {
  readonly bundleFile: string;
  /** A directory from which cdk8s, constructs and cdk8s-aso are resolved. Undefined: the package of the program. */
  readonly modulesFrom?: string;
}

/** A claim as it is in the cluster. */
export interface ClaimObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly creationTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
}

export interface ComposeJob {
  /** `ClaimObject` as JSON: depth and size were checked when it was made. */
  readonly claim: string;
  readonly limits: Required<ComposeLimits>;
  /** Composes twice, and compares. */
  readonly twice: boolean;
  /** JSON of the objects that are known to be read, by key; null where there is none. */
  readonly reads: string;
}

/** An object that `compose` has looked at. */
export interface UsedRead {
  readonly key: string;
  /** Whether it has looked at the status. */
  readonly status: boolean;
}

/** The result of one run of `compose`. */
export interface ComposeRun {
  readonly rendered?: RenderedClaim;
  readonly problem?: ComposeProblem;
  readonly used: readonly UsedRead[];
  /** Objects that `compose` asks for and that are not in `reads`: there is no other result, and it has to run again. */
  readonly needs?: readonly ObjectId[];
  /** Duration of the run in milliseconds. */
  readonly tookMs: number;
}

export interface ConvertJob {
  readonly group: string;
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  /** JSON of a list. */
  readonly specs: string;
}

/** The jobs of a thread: input and output. Outputs are JSON: their size is known before the main thread reads them. */
export interface ThreadJobs {
  readonly describe: { readonly input: Record<string, never>; readonly output: readonly ApiFacts[] };
  readonly compose: { readonly input: ComposeJob; readonly output: ComposeRun };
  readonly convert: { readonly input: ConvertJob; readonly output: readonly ConvertResult[] };
}

/** The phases that a job reports, for the message when it is stopped. */
export type JobPhase = 'load' | 'validate' | 'convert' | 'compose' | 'render';

/** The largest claim, in characters of its JSON: etcd takes 1.5 MiB. */
export const LARGEST_CLAIM = 1_600_000;
/** The largest object, in bytes of its JSON: etcd takes 1.5 MiB. */
export const LARGEST_OBJECT = 1_500_000;
/** Objects that `compose` may read for a claim. */
export const MOST_READS = 50;
/** All objects that `compose` reads for a claim, in characters of their JSON. */
export const LARGEST_READS = 4_000_000;
/** All objects of a claim, in bytes of their JSON: what the main thread parses without a noticeable pause. */
export const LARGEST_RESULT = 8_000_000;
