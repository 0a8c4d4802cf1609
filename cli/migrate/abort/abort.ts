import { abortObstacle, ABORT_STEPS } from './steps';
import { Journal, JournalError } from '../journal';
import type { JournalState } from '../journal-state';
import { MigrationError } from '../migration-context';
import type { MigrationSession } from '../session';
import { otherWayBack } from '../way-back';

export interface AbortOptions {
  readonly run: boolean;
}

/** `cdk8s-aso migrate abort`: takes an unfinished migration back, as long as the old controller and its CRDs are there. */
export class Abort {
  public constructor(
    private readonly session: MigrationSession,
    private readonly options: AbortOptions,
    private readonly isConfirmed: (question: string) => Promise<boolean>,
  ) {}

  public async run(namespace: string, journal: Journal | undefined): Promise<number> {
    const { client, server, options: { terminal, output } } = this.session;
    if (!journal || journal.isFinished) {
      const ended = journal && `: the migration ${journal.state.direction} is ${journal.state.abortedAt === undefined ? 'finished' : 'taken back'}`;
      throw new MigrationError(`there is no unfinished migration in ${namespace}${ended ?? ''}`);
    }
    const { state } = journal;
    const obstacle = await this.obstacle(client, namespace, state);
    if (obstacle !== undefined) throw new MigrationError(obstacle);
    const steps = ABORT_STEPS[state.direction];
    if (!this.options.run) {
      terminal.print(output === 'json'
        ? JSON.stringify({ steps: steps.map(({ id, title }) => ({ id, title })) }, undefined, 2)
        : [`The migration ${state.direction} that began at ${state.startedAt} can be taken back:`, ...steps.map(({ title }, index) => `${String(index + 1).padStart(2)}. ${title}`), 'cdk8s-aso migrate abort --run does it.'].join('\n'));
      return 0;
    }
    const who = state.direction === 'from-aso' ? 'ASO' : 'the controller of this package';
    if (!(await this.isConfirmed(`Take the migration ${state.direction} on ${server} back, and let ${who} reconcile again? [y/N] `))) return 1;
    return this.session.withLease(namespace, async (writer, lease) => {
      const current = await Journal.read(writer, namespace);
      if (current?.state.id !== state.id || current.isFinished) throw new JournalError('another process has gone on since this command began');
      const late = await this.obstacle(writer, namespace, current.state);
      if (late !== undefined) throw new MigrationError(late);
      const abortedAt = new Date(this.session.options.clock.now()).toISOString();
      if (current.state.abortedAt === undefined) await current.update({ abortedAt });
      const end = `The migration is taken back: ${who} reconciles again.`;
      return this.session.carryOut(writer, lease, namespace, current, { steps, notes: 'undone', end });
    });
  }

  private async obstacle(client: MigrationSession['client'], namespace: string, state: JournalState): Promise<string | undefined> {
    const why = await abortObstacle({ client }, namespace, state);
    return why === undefined ? undefined : `this migration cannot be taken back: ${why}. ${otherWayBack(state)}`;
  }
}
