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

/** An object that is there already would be created if it were not: everything else was looked at. */
export async function unlessThere(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status !== 409) throw error;
  }
}
