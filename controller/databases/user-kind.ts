import { ServerGoneError } from './owner-server';
import { redacted } from './redact';
import type { Connect, Login, Session, Statement, Target } from './session';
import { KindError } from '../../engine/kinds';
import type { ExternalContext, ExternalKind } from '../../engine/kinds/external';
import { ResolutionError } from '../../engine/resolve/types';

/** The desired state of a user, with everything needed to reach it. Holds secrets: it never leaves the reconcile. */
export interface Plan {
  readonly target: Target;
  readonly admin: Login;
  /** Values to redact from errors. */
  readonly secrets: readonly string[];
  /** For texts: `user "app"@"%"`. */
  readonly user: string;
  /** Makes the user as the spec says: always the full sequence. */
  readonly ensure: (run: Run) => Promise<void>;
  readonly exists: (run: Run) => Promise<boolean>;
  readonly drop: (run: Run) => Promise<void>;
}

/** Runs a statement. Throws KindError with the step, and without secrets. */
export type Run = (statement: Statement) => ReturnType<Session['rows']>;

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
      await connected(database.connect, plan, context.signal, plan.ensure);
      return { status: {} };
    },
    observe: async (context) => {
      const plan = await plainly(() => database.plan(context, 'look'));
      const found = await connected(database.connect, plan, context.signal, plan.exists);
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
      await connected(database.connect, plan, context.signal, plan.drop);
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

async function connected<T>(connect: Connect, plan: Plan, signal: AbortSignal, act: (run: Run) => Promise<T>): Promise<T> {
  const session = await opened(connect, plan, signal);
  const cutOff = () => session.destroy();
  signal.addEventListener('abort', cutOff, { once: true });
  try {
    return await act(async (statement) => {
      signal.throwIfAborted();
      try {
        return await session.rows(statement);
      } catch (error) {
        signal.throwIfAborted();
        throw new KindError(`${statement.step}: ${redacted(error, plan.secrets)}`);
      }
    });
  } finally {
    signal.removeEventListener('abort', cutOff);
    await session.close();
  }
}

async function opened(connect: Connect, plan: Plan, signal: AbortSignal): Promise<Session> {
  const { target, admin } = plan;
  signal.throwIfAborted();
  const opening = connect(target, admin);
  let abandon: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abandon = () => {
      // The result of the connection attempt is no longer wanted.
      opening.then((session) => session.destroy(), () => undefined);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abandon, { once: true });
  });
  try {
    return await Promise.race([opening, aborted]);
  } catch (error) {
    signal.throwIfAborted();
    const where = `server "${target.host}", port ${target.port}, database "${target.database}", as administrator "${admin.user}"`;
    throw new KindError(`cannot connect to ${where}: ${redacted(error, plan.secrets)}`);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
