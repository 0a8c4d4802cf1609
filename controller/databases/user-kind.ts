import { connected, type Entrance, type Run } from './connected';
import { ServerGoneError } from './owner-server';
import type { Connect } from './session';
import { KindError } from '../../engine/kinds';
import type { ExternalContext, ExternalKind } from '../../engine/kinds/external';
import { ResolutionError } from '../../engine/resolve/types';

/** The desired state of a user, with everything needed to reach it. Holds secrets: it never leaves the reconcile. */
export interface Plan extends Entrance {
  /** For texts: `user "app"@"%"`. */
  readonly user: string;
  /** Makes the user as the spec says: always the full sequence. */
  readonly ensure: (run: Run) => Promise<void>;
  readonly exists: (run: Run) => Promise<boolean>;
  readonly drop: (run: Run) => Promise<void>;
}

/** The purpose of a reconcile: `look` and `remove` need less than `ensure`. */
export type Purpose = 'ensure' | 'look' | 'remove';

export interface UserDatabase {
  readonly connect: Connect;
  readonly plan: (context: ExternalContext, purpose: Purpose) => Promise<Plan>;
}

/** The life of a user inside a database server (docs/spec/users.md#lifecycle): one connection a reconcile, always the whole sequence. */
export function userKind(database: UserDatabase): ExternalKind {
  return {
    ensure: async (context) => {
      const plan = await database.plan(context, 'ensure');
      await connected(database.connect, plan, context, plan.ensure);
      return { status: {} };
    },
    observe: async (context) => {
      const plan = await plainly(() => database.plan(context, 'look'));
      const found = await connected(database.connect, plan, context, plan.exists);
      const { host, database: name } = plan.target;
      return found
        ? { found, state: { status: {} } }
        : { found, message: `${plan.user} does not exist in database "${name}" of server "${host}", and the reconcile policy keeps this controller from creating it` };
    },
    remove: async (context) => {
      let plan: Plan;
      try {
        plan = await plainly(() => database.plan(context, 'remove'));
      } catch (error) {
        if (error instanceof ServerGoneError) return;
        throw error;
      }
      await connected(database.connect, plan, context, plan.drop);
    },
  };
}

/** A missing Secret is waited for only under `ensure`; `look` and `remove` report it (docs/spec/users.md#errors). */
async function plainly<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ResolutionError && error.reason === 'SecretNotFound') throw new KindError(error.message);
    throw error;
  }
}
