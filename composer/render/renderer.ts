import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LARGEST_CLAIM, type ClaimObject, type ThreadData, type ThreadJobs } from './jobs';
import { jsonOf, NESTED_TOO_DEEPLY } from './json-of';
import { ObjectReads, type FindObject } from './object-reads';
import { problemOfStop } from './stopped';
import type { ComposeProblem, ComposeResult, ConvertResult } from './types';
import { unknownState } from '../../engine/kubernetes';
import { JobStoppedError } from '../../engine/workers/errors';
import { WorkerPool, type JobObservation, type JobOptions } from '../../engine/workers/worker-pool';
import { groupOf, type ObjectId } from '../../src/object-id';
import { omitUndefined } from '../../src/util/records';
import type { ApiFacts } from '../definition/api-facts';

export interface RendererOptions {
  /** The bundle that `cdk8s-aso api build` made. A renderer serves this one: a new revision needs a new renderer. */
  readonly bundleFile: string;
  /** A directory from which cdk8s, constructs and cdk8s-aso are resolved. Default: the package of the program. */
  readonly modulesFrom?: string;
  /** Maximum threads. Default 2. */
  readonly threads?: number;
  /** Maximum waiting claims of a namespace. Default 200. */
  readonly maxQueued?: number;
  /** The script of the threads. Default: `compose-worker.js` of the build. */
  readonly workerFile?: string;
  readonly onJob?: (observation: JobObservation) => void;
}

export interface ComposeOptions {
  /**
   * Composes twice, and compares the results.
   * @default false
   */
  readonly twice?: boolean;
  /**
   * Finds the objects that `compose` reads. One that is unknown ends the composition with `CacheNotSynced` or `KindNotServed`.
   * @default - all are unknown
   */
  readonly find?: FindObject;
  /**
   * Objects that `compose` will probably read, e.g. those of the last time: they save runs.
   * @default - none
   */
  readonly expected?: readonly ObjectId[];
  /**
   * Queue of the threads, which take turns.
   * @default - that of the claim's namespace
   */
  readonly queue?: string;
}

/** The bundle cannot be used: it was made for another version, cannot be loaded, or has no definition. The message says what to do. */
export class BundleError extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'BundleError';
  }
}

const BROKEN = 'compose changed functions that all code of its thread needs, such as JSON.stringify or Array.prototype.map';
const DESCRIBE = { namespace: '', deadlineMs: 30_000, memoryMb: 256 };

/** Renders claims of one bundle, in threads with limits. The thread that calls never evaluates the bundle. */
export class Renderer {
  private readonly pool: WorkerPool;
  private described?: Promise<readonly ApiFacts[]>;

  public constructor({ bundleFile, modulesFrom, threads = 2, maxQueued, workerFile = defaultWorker(), onJob }: RendererOptions) {
    // Threads take the time zone of the process: local times of a Date would be others on each machine.
    process.env.TZ = 'UTC';
    const data: ThreadData = omitUndefined({ bundleFile, modulesFrom });
    this.pool = new WorkerPool(omitUndefined({ size: threads, maxQueued, file: workerFile, data, onJob }));
  }

  /**
   * The facts of the bundle's definitions.
   * @throws BundleError
   */
  public describe(): Promise<readonly ApiFacts[]> {
    this.described ??= this.run('describe', {}, DESCRIBE).catch((error: unknown) => {
      // Asked again at the next call: the machine may have been too slow.
      delete this.described;
      throw error instanceof JobStoppedError ? new BundleError(`the bundle cannot be loaded: it ${error.message}`) : error;
    });
    return this.described;
  }

  /**
   * Runs `compose` for a claim, again as long as it reads objects that were not known at the last run. All runs together have the time of
   * the limits.
   * @param claim the object as it is in the cluster, in any version that the definition serves
   * @throws BundleError; QueueFullError when many claims of the namespace wait already
   */
  public async compose(claim: ClaimObject, options: ComposeOptions = {}): Promise<ComposeResult> {
    const { twice = false, find = nothingKnown, expected = [], queue = claim.metadata.namespace ?? '' } = options;
    const { limits, reads: readable } = await this.factsOf(groupOf(claim), claim.kind);
    const { apiVersion, kind, spec, metadata } = claim;
    const { name, namespace, uid, creationTimestamp, labels, annotations } = metadata;
    const text = jsonOf({ apiVersion, kind, metadata: { name, namespace, uid, creationTimestamp, labels, annotations }, spec });
    if (text === undefined) return { problem: NESTED_TOO_DEEPLY, reads: [] };
    if (text.length > LARGEST_CLAIM) {
      return { problem: { reason: 'InvalidSpec', issues: [{ path: 'spec', message: `is larger than ${LARGEST_CLAIM} characters` }] }, reads: [] };
    }
    const reads = new ObjectReads(find, readable);
    // An expected object that is unknown now is perhaps not read this time.
    for (const one of expected) if (find(one).state !== 'unknown') reads.add([one]);
    let deadlineMs = limits.seconds * 1000 * (twice ? 2 : 1);
    const { memoryMb } = limits;
    for (;;) {
      try {
        const job = { claim: text, limits, twice, reads: reads.json };
        const { rendered, problem, used, needs, tookMs } = await this.run('compose', job, { namespace: queue, deadlineMs, memoryMb });
        if (!needs) return { ...(rendered ? { rendered } : { problem: problem! }), reads: reads.reads(used) };
        const unreadable = reads.add(needs);
        // Those of the last time count too, although this time others are read.
        if (unreadable?.reason === 'TooManyReads' && expected.length > 0) return await this.compose(claim, { twice, find, queue });
        if (unreadable) return { problem: unreadable, reads: reads.reads() };
        deadlineMs = Math.max(1, deadlineMs - tookMs);
      } catch (error) {
        const stopped = stopProblem(error, limits);
        if (!stopped) throw error;
        return { problem: stopped, reads: reads.reads() };
      }
    }
  }

  /**
   * Converts specs from one version of a kind to another.
   * @throws BundleError, QueueFullError, JobStoppedError
   */
  public async convert(job: {
    readonly group: string;
    readonly kind: string;
    readonly from: string;
    readonly to: string;
    readonly specs: readonly unknown[];
    /** Namespace of the objects, for fair scheduling. */
    readonly namespace?: string;
  }): Promise<readonly ConvertResult[]> {
    const { group, kind, from, to, specs, namespace = '' } = job;
    const { limits: { seconds, memoryMb } } = await this.factsOf(group, kind);
    const input = { group, kind, from, to, specs: JSON.stringify(specs) };
    return this.run('convert', input, { namespace, deadlineMs: seconds * 1000, memoryMb });
  }

  /** Ends all threads. Running jobs are rejected. */
  public close(): Promise<void> {
    return this.pool.close();
  }

  private async factsOf(group: string, kind: string): Promise<ApiFacts> {
    const facts = (await this.describe()).find((one) => one.group === group && one.kind === kind);
    if (!facts) throw new BundleError(`the bundle has no definition of ${kind} in group ${group}`);
    return facts;
  }

  private async run<Name extends keyof ThreadJobs>(
    name: Name,
    input: ThreadJobs[Name]['input'],
    options: JobOptions,
  ): Promise<ThreadJobs[Name]['output']> {
    try {
      return JSON.parse((await this.pool.run(name, input, options)) as string) as ThreadJobs[Name]['output'];
    } catch (error) {
      if (error instanceof Error && error.name === 'BundleError') throw new BundleError(error.message);
      throw error;
    }
  }
}

function stopProblem(error: unknown, limits: ApiFacts['limits']): ComposeProblem | undefined {
  if (error instanceof JobStoppedError) return problemOfStop(error, limits);
  return error instanceof SyntaxError ? { reason: 'ComposeFailed', message: BROKEN } : undefined;
}

const nothingKnown: FindObject = (name) => unknownState(name, 'no objects can be read here', 'KindNotWatched');

/** The script in the package of this bundle, or of these sources. */
function defaultWorker(): string {
  const candidates = [
    join(__dirname, 'compose-worker.js'),
    join(__dirname, '..', 'composer', 'compose-worker.js'),
    join(__dirname, '..', '..', 'lib', 'composer', 'compose-worker.js'),
  ];
  const file = candidates.find((candidate) => existsSync(candidate));
  if (!file) throw new Error(`the program of compose's threads is not there: ${candidates.join(', ')}; build it with node scripts/bundle.mjs`);
  return file;
}
