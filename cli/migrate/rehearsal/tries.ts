import type { Clock } from '../../../engine/clock';
import { KubernetesError } from '../../../engine/kubernetes/types';
import { truncate } from '../../../engine/text-limits';
import { stop, warning, type Finding } from '../finding';
import { MigrationError, passes } from '../migration-context';

const MAX_TEXT = 500;
const ATTEMPTS = 4;
const PAUSE_MS = 1_000;
/** Webhooks that take no dry run: `admission webhook "…" does not support dry run`, `UPDATE denied in dry-run`. */
const NO_DRY_RUN = /dry.?run/i;

/** Later writes that are tried as dry runs, and what the API server refuses. */
export class Tries {
  public readonly findings: Finding[] = [];
  public count = 0;
  /** Writes that have failed in all attempts with an error that passes, as of a webhook that is away. */
  public unanswered = 0;

  public constructor(private readonly clock: Pick<Clock, 'sleep'>) {}

  /**
   * Tries a write of a step. A refusal is a finding.
   * @param what the object, for the sentence: `the Deployment a/b`
   */
  public async write(step: string, what: string, act: () => Promise<unknown>): Promise<void> {
    this.count += 1;
    try {
      await this.again(act);
    } catch (error) {
      if (!(error instanceof MigrationError) && (!(error instanceof KubernetesError) || error.status === 0)) throw error;
      if (passes(error)) this.unanswered += 1;
      const message = truncate(error.message, MAX_TEXT);
      this.findings.push(NO_DRY_RUN.test(message)
        ? warning('rehearsal', `${step}: ${what} cannot be tried: ${message}`, 'see whether this webhook would take the write; a dry run tells nothing')
        : stop('rehearsal', `${step}: the API server would refuse ${what}: ${message}`, 'see who refuses it (the schema, a policy, a quota or a webhook), and change that or the object first'));
    }
  }

  /** A webhook, or the API server, may be away for a moment. */
  private async again(act: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await act();
        return;
      } catch (error) {
        if (!passes(error) || attempt >= ATTEMPTS) throw error;
        await this.clock.sleep(PAUSE_MS);
      }
    }
  }
}

/** A creation. An object that is there already would be created if it were not: everything else was looked at. */
export function unlessThere(create: () => Promise<unknown>): Promise<void> {
  return unlessStatus(create, [409]);
}

/** A change of an object, which another writer may have changed or deleted since it was read: the step reads it again. */
export function unlessOvertaken(change: () => Promise<unknown>): Promise<void> {
  return unlessStatus(change, [404, 409]);
}

/** A deletion. The step takes an object that is gone for deleted, too. */
export function unlessGone(deletion: () => Promise<unknown>): Promise<void> {
  return unlessStatus(deletion, [404]);
}

async function unlessStatus(act: () => Promise<unknown>, expected: readonly number[]): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof KubernetesError) || !expected.includes(error.status)) throw error;
  }
}
