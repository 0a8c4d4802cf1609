import type { Journal } from './journal';
import type { Clock } from '../../engine/clock';
import { NotLeadingError, type Connection, type RestClient } from '../../engine/kubernetes';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import type { Catalog } from '../../src/catalog';

/** The clients and facts that every step of a migration works with. */
export interface MigrationContext {
  readonly connection: Connection;
  /** Writes only while this process holds the lease. */
  readonly client: RestClient;
  /** Server-side apply in the name of kubectl, so that a later `kubectl apply --server-side` meets no conflict. */
  readonly applier: RestClient;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** The operator's namespace. */
  readonly namespace: string;
  readonly journal: Journal;
  /** The manifests of the controller that takes over. */
  readonly install: readonly KubernetesObject[];
  /** One line about the work of the running step. */
  progress(text: string): void;
}

/** A step of a migration. It may be interrupted at any point and run again. */
export interface MigrationStep {
  readonly id: string;
  /** An imperative: `Stop the watchers of ASO`. */
  readonly title: string;
  /** Answers what was done: `2 pods in mode webhooks`. */
  run(context: MigrationContext): Promise<string>;
}

/** A step cannot be finished. The migration can be continued when the cause is gone. */
export class MigrationError extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'MigrationError';
  }
}

/** The user has to do something before the migration goes on. */
export class PausedError extends Error {
  /** @param lines what to do; lines of commands begin with two blanks */
  public constructor(public readonly lines: readonly string[]) {
    super(lines[0]);
    this.name = 'PausedError';
  }
}

const POLL_MS = 500;

/**
 * Waits until nothing is missing.
 * @param missing a description of what is missing, or undefined
 * @throws MigrationError after the time
 */
export async function waitUntil(
  { clock, progress }: Pick<MigrationContext, 'clock' | 'progress'>, seconds: number, missing: () => Promise<string | undefined>,
): Promise<void> {
  const deadline = clock.now() + seconds * 1000;
  for (let said: string | undefined; ;) {
    const what = await missing();
    if (what === undefined) return;
    if (clock.now() > deadline) throw new MigrationError(`waited ${seconds} s in vain: ${what}`);
    if (what !== said) progress(what);
    said = what;
    await clock.sleep(POLL_MS);
  }
}

/** An API server that is upgraded, or whose etcd elects a leader, is away for a minute or two. */
const AWAY_MS = 180_000;
const PAUSE_MS = 2_000;

/** Whether the cluster may answer in another way a moment later, without anybody's doing. */
export function passes(error: unknown): error is KubernetesError {
  return error instanceof KubernetesError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/**
 * Acts again after errors that pass: no answer, or one of a webhook whose pods have just started. For acts that can be repeated.
 * @param isLost whether another process has the lease; until then, one that could not be renewed in time is renewed with the next answer
 */
export async function repeated<T>(
  { clock, progress }: Pick<MigrationContext, 'clock' | 'progress'>, act: () => Promise<T>, isLost: () => boolean = () => true,
): Promise<T> {
  const deadline = clock.now() + AWAY_MS;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      const again = error instanceof NotLeadingError ? !isLost() : passes(error);
      if (!again || clock.now() >= deadline) throw error;
      progress(`again: ${(error as Error).message}`);
      await clock.sleep(PAUSE_MS);
    }
  }
}
