import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LARGEST_CLAIM, type ClaimObject, type ThreadData, type ThreadJobs } from './jobs';
import { problemOfStop } from './stopped';
import type { ComposeResult, ConvertResult } from './types';
import { JobStoppedError } from '../../engine/workers/errors';
import { WorkerPool, type JobObservation, type JobOptions } from '../../engine/workers/worker-pool';
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
   * Runs `compose` for a claim.
   * @param claim the object as it is in the cluster, in any version that the definition serves
   * @throws BundleError; QueueFullError when many claims of the namespace wait already
   */
  public async compose(claim: ClaimObject, { twice = false }: ComposeOptions = {}): Promise<ComposeResult> {
    const { limits } = await this.factsOf(claim.apiVersion.split('/')[0]!, claim.kind);
    const { apiVersion, kind, spec, metadata } = claim;
    const { name, namespace, uid, creationTimestamp, labels, annotations } = metadata;
    const text = jsonOf({ apiVersion, kind, metadata: { name, namespace, uid, creationTimestamp, labels, annotations }, spec });
    if (text === undefined || text.length > LARGEST_CLAIM) {
      const message = text === undefined ? 'is nested too deeply' : `is larger than ${LARGEST_CLAIM} characters`;
      return { problem: { reason: 'InvalidSpec', issues: [{ path: 'spec', message }] } };
    }
    const deadlineMs = limits.seconds * 1000 * (twice ? 2 : 1);
    const { memoryMb } = limits;
    try {
      return await this.run('compose', { claim: text, limits, twice }, { namespace: namespace ?? '', deadlineMs, memoryMb });
    } catch (error) {
      if (error instanceof JobStoppedError) return { problem: problemOfStop(error, limits) };
      if (error instanceof SyntaxError) return { problem: { reason: 'ComposeFailed', message: BROKEN } };
      throw error;
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

/** JSON, or undefined for a value that is nested more deeply than the stack allows. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

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
