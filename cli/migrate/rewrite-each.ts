import type { MigratedKind } from './migrated-kinds';
import { MigrationError, type MigrationContext } from './migration-context';
import { isRefusedByPolicy } from './policy-probe';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import { counted, firstOf } from '../../src/util/words';
import { atATime } from '../cluster/at-a-time';

const AT_A_TIME = 8;
const PROGRESS_EVERY = 100;
const MOST_TRIES = 50;
const MOST_NAMED = 5;
/** Each API server forgets the admission policy by itself. */
const POLICY_MS = 500;
const MOST_REFUSALS = 60;

/**
 * Rewrites all objects of a kind, some at a time, each again as often as another writer is faster. Answers how many there were.
 * @throws MigrationError with the objects that the API server refuses
 */
export async function rewriteEach(
  context: Pick<MigrationContext, 'progress' | 'clock'>,
  kind: MigratedKind,
  objects: readonly KubernetesObject[],
  rewrite: (name: string, namespace: string) => Promise<void>,
): Promise<number> {
  const failures: string[] = [];
  let done = 0;
  await atATime(objects, AT_A_TIME, async ({ metadata: { name, namespace = '' } }) => {
    try {
      await untilTaken(context, () => untilNoConflict(() => rewrite(name, namespace)));
      done += 1;
      if (done % PROGRESS_EVERY === 0) context.progress(`${kind.kind}: ${done} of ${objects.length}`);
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status < 400 || error.status >= 500) throw error;
      failures.push(`${kind.kind} ${namespace}/${name}: ${error.message}`);
    }
  });
  if (failures.length > 0) throw new MigrationError(`${counted(failures.length, 'object')} cannot be rewritten: ${firstOf(failures, MOST_NAMED)}`);
  return done;
}

/** Again while an API server still refuses writes by the admission policy, which is gone. */
async function untilTaken({ clock }: Pick<MigrationContext, 'clock'>, rewrite: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rewrite();
      return;
    } catch (error) {
      if (!(error instanceof KubernetesError) || !isRefusedByPolicy(error.message) || attempt >= MOST_REFUSALS) throw error;
      await clock.sleep(POLICY_MS);
    }
  }
}

/** An object that is gone needs nothing. */
async function untilNoConflict(rewrite: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rewrite();
      return;
    } catch (error) {
      if (error instanceof KubernetesError && error.status === 404) return;
      if (!(error instanceof KubernetesError) || error.status !== 409 || attempt >= MOST_TRIES) throw error;
    }
  }
}
