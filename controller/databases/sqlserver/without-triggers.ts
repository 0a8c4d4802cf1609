import { FIND_TRIGGERS } from './statements';
import { KindError } from '../../../engine/kinds';
import type { Run } from '../connected';

/** Runs statements that change users. @throws KindError where they would have code of the database's users run as the administrator */
export async function withoutTriggers(run: Run, change: () => Promise<unknown>): Promise<void> {
  const [trigger] = await run(FIND_TRIGGERS);
  if (trigger) {
    throw new KindError(
      `the database has the trigger "${String(trigger.name)}" for changes of it, which would run with the rights of the administrator, so no user is changed: disable it (DISABLE TRIGGER … ON DATABASE), or drop it`,
    );
  }
  await change();
}
