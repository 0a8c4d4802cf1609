import { createContext, Script } from 'node:vm';

const script = new Script('job()');
const sandbox: { job?: (() => unknown) | undefined } = {};
let context: object | undefined;

export class DeadlineError extends Error {}

/**
 * Calls a synchronous function and stops it after so many milliseconds: without a thread of its own, only this can end a computation that
 * does not yield. Not a security boundary: the function is trusted, only its running time is not.
 *
 * @throws DeadlineError when the time is up.
 */
export function withDeadline<T>(milliseconds: number, job: () => T): T {
  context ??= createContext(sandbox);
  let result: { value: T } | undefined;
  sandbox.job = () => {
    result = { value: job() };
  };
  try {
    script.runInContext(context, { timeout: milliseconds });
  } catch (error) {
    // Not `instanceof Error`: the error may come from another realm.
    if ((error as { code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new DeadlineError(`the evaluation took longer than ${milliseconds} ms`);
    }
    throw error;
  } finally {
    sandbox.job = undefined;
  }
  return result!.value;
}
