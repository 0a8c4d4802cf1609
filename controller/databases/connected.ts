import { codeOf, redacted } from './redact';
import { CLOSE_TIMEOUT, SESSION_TIMEOUT, type Connect, type Login, type Session, type Statement, type Target } from './session';
import { startDeadline } from '../../engine/http/deadline';
import { KindError } from '../../engine/kinds';
import type { ExternalContext } from '../../engine/kinds/external';

/** The database to connect to, and as whom. Holds secrets: it never leaves the reconcile. */
export interface Entrance {
  readonly target: Target;
  readonly admin: Login;
  /** Values to redact from errors. */
  readonly secrets: readonly string[];
}

/** Runs a statement. Throws DatabaseError with the step, and without secrets. */
export type Run = (statement: Statement) => ReturnType<Session['rows']>;

/** A statement or connection that the server refused. */
export class DatabaseError extends KindError {
  /** `code`: SQLSTATE of PostgreSQL, symbol of MySQL, number of SQL Server; absent if no server answered. */
  public constructor(message: string, public readonly code?: string) {
    super(message);
    this.name = 'DatabaseError';
  }
}

/** One connection: opened, used and closed; cut off when the reconcile is aborted. Each statement is preceded by the object's fence. */
export async function connected<T>(
  connect: Connect, entrance: Entrance, { signal, fence }: Pick<ExternalContext, 'signal' | 'fence'>, act: (run: Run) => Promise<T>,
): Promise<T> {
  fence?.();
  const session = await opened(connect, entrance, signal);
  const deadline = startDeadline(SESSION_TIMEOUT, 'end of the session', signal);
  deadline.signal.addEventListener('abort', () => session.destroy(), { once: true });
  try {
    return await act(async (statement) => {
      signal.throwIfAborted();
      fence?.();
      try {
        return await Promise.race([session.rows(statement), deadline.expired]);
      } catch (error) {
        signal.throwIfAborted();
        throw new DatabaseError(`${statement.step}: ${redacted(error, entrance.secrets)}`, codeOf(error));
      }
    });
  } finally {
    deadline.clear();
    await closed(session);
  }
}

/** A server that goes on sending, or does not close, holds no worker. */
async function closed(session: Session): Promise<void> {
  const deadline = startDeadline(CLOSE_TIMEOUT, 'end of the connection');
  await Promise.race([session.close(), deadline.expired]).catch(() => session.destroy());
  deadline.clear();
}

async function opened(connect: Connect, { target, admin, secrets }: Entrance, signal: AbortSignal): Promise<Session> {
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
    throw new DatabaseError(`cannot connect to ${where}: ${redacted(error, secrets)}`, codeOf(error));
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
