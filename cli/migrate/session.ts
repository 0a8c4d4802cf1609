import { onInterrupt } from './interrupts';
import { JournalError, type Journal } from './journal';
import { MigrationError, passes, PausedError, repeated, type MigrationContext, type MigrationStep } from './migration-context';
import { LeaseHeldError, MigrationLease } from './migration-lease';
import { MigrationReport } from './report';
import { goOnCommand, wayBackText } from './way-back';
import type { Clock } from '../../engine/clock';
import { NotLeadingError, RestClient, type Connection } from '../../engine/kubernetes';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { redactTokens } from '../../engine/redact';
import { Catalog } from '../../src/catalog';
import { isClusterError, type LiveCluster } from '../cluster/connect';
import { oneLine } from '../output/problem';
import type { Terminal } from '../output/terminal';

const LONGEST_FAILURE = 2_000;

export interface SessionOptions {
  readonly install: readonly KubernetesObject[];
  readonly terminal: Terminal;
  readonly output: 'text' | 'json';
  readonly clock: Clock;
}

/** The steps of a way, and the part of the journal that notes which are done. */
export interface Way {
  readonly steps: readonly MigrationStep[];
  /** Where `done` and `undone` tell apart what was done and what was taken back. */
  readonly notes: 'done' | 'undone';
  /** The last line of a run that went well. */
  readonly end: string;
}

/** The lease of a migration, while this process has it. */
export type HeldLease = Pick<MigrationLease, 'isHeld' | 'isLost'>;

interface StepOptions {
  readonly way: Way;
  /** Whether another process has the lease. */
  readonly isLost: () => boolean;
}

/** A cluster that is migrated: its clients, the lease, and the steps one after the other. */
export class MigrationSession {
  public readonly client: RestClient;
  public readonly connection: Connection;
  public readonly server: string;
  public readonly catalog = Catalog.default();

  public constructor({ client, connection, server }: LiveCluster, public readonly options: SessionOptions) {
    this.client = client;
    this.connection = connection;
    this.server = oneLine(server);
  }

  /** Acts while this process holds the lease; its writes end when it does not. */
  public async withLease(namespace: string, act: (client: RestClient, lease: HeldLease) => Promise<number>): Promise<number> {
    const { clock, output, terminal } = this.options;
    const lease = await MigrationLease.acquire(this.client, namespace, clock, (holder) => {
      if (output === 'text') terminal.print(oneLine(`${holder} holds the lease of the migration; waiting until it expires or is renewed…`));
    });
    lease.keep();
    try {
      return await act(this.client.withMayWrite(() => lease.isHeld), lease);
    } finally {
      await lease.release();
    }
  }

  /** Carries the steps out that the journal does not note as done. */
  public async carryOut(client: RestClient, lease: HeldLease, namespace: string, journal: Journal, way: Way): Promise<number> {
    const { install, clock, terminal, output } = this.options;
    const report = new MigrationReport(way.steps, terminal, output, way.end);
    const context: MigrationContext = {
      connection: this.connection,
      client,
      applier: new RestClient(this.connection, { clock, fieldManager: 'kubectl', mayWrite: () => lease.isHeld }),
      catalog: this.catalog,
      clock,
      namespace,
      journal,
      install,
      progress: (text) => report.progress(text),
    };
    let current: MigrationStep | undefined;
    const noteInterrupts = onInterrupt(() => {
      terminal.error(interruptedText(journal, current));
    });
    try {
      for (const step of way.steps) {
        if ((journal.state[way.notes] ?? []).includes(step.id)) continue;
        current = step;
        try {
          await this.carryOutStep(step, context, report, { way, isLost: () => lease.isLost });
        } catch (error) {
          if (!(error instanceof PausedError)) throw error;
          report.pause(step, error.lines);
          return 1;
        }
      }
      if (!journal.isFinished) await journal.update({ finishedAt: new Date(clock.now()).toISOString() });
    } finally {
      noteInterrupts();
    }
    report.finish();
    return 0;
  }

  private async carryOutStep(
    step: MigrationStep, context: MigrationContext, report: MigrationReport, { way: { notes }, isLost }: StepOptions,
  ): Promise<void> {
    const { journal, clock } = context;
    const begun = clock.now();
    report.begin(step);
    try {
      const result = await repeated(context, () => step.run(context), isLost);
      const { failed: _, ...others } = journal.state;
      const noted = { ...others, [notes]: [...(journal.state[notes] ?? []), step.id] };
      await repeated(context, () => journal.replace(noted), isLost);
      report.end(step, result, clock.now() - begun);
    } catch (error) {
      if (error instanceof NotLeadingError) throw new MigrationError(`the step ${step.id} was interrupted: the lease could not be renewed in time. On: ${goOnCommand(journal.state)}`);
      if (error instanceof PausedError || error instanceof JournalError || !isExpected(error)) throw error;
      throw new MigrationError(await failureText(step, journal, error));
    }
  }
}

/** Ends with what to do: to run again is only advised where that may end in another way. */
async function failureText({ id }: MigrationStep, journal: Journal, error: Error): Promise<string> {
  const message = redactTokens(oneLine(error.message)).slice(0, LONGEST_FAILURE);
  const { failed, abortedAt } = journal.state;
  const isRepeated = failed?.step === id && failed.message === message;
  if (!isRepeated) await journal.update({ failed: { step: id, message } }).catch(() => undefined);
  const again = isRepeated
    ? 'The last run ended in the same way: as long as its cause is there, another one does as well.'
    : passes(error)
      ? `Run again: ${goOnCommand(journal.state)}`
      : `When the cause is gone, ${goOnCommand(journal.state)} goes on with this step.`;
  return [`the step ${id} is not finished: ${message}.`, again, ...(abortedAt === undefined ? [wayBackText(journal.state)] : [])].join(' ');
}

function interruptedText({ state }: Journal, step: MigrationStep | undefined): string {
  const where = step === undefined ? '' : ` in the step ${step.id}`;
  const back = state.abortedAt === undefined ? ` ${wayBackText(state)}` : '';
  return `interrupted${where}; no controller reconciles meanwhile. On: ${goOnCommand(state)}.${back}`;
}

/** Whether the error's message says all to the user. */
export function isExpected(error: unknown): error is Error {
  return isClusterError(error) || [MigrationError, JournalError, LeaseHeldError].some((type) => error instanceof type);
}
