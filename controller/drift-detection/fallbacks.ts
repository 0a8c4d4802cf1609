import { TooManyPages } from './queries';
import { ArmError } from '../../engine/arm/types';

/** Retry delay of a failed query. Milliseconds. */
const HOUR = 3_600_000;
/** The same after a transient failure. */
const A_WHILE = 60_000;

/** Queries that do not work at the moment. */
export class Fallbacks {
  private readonly until = new Map<string, number>();

  public isOpen(way: string, now: number): boolean {
    const until = this.until.get(way);
    if (until === undefined) return true;
    if (now < until) return false;
    this.until.delete(way);
    return true;
  }

  /** Records a failure. Returns whether it is lasting, and so has to be reported. */
  public close(way: string, error: unknown, now: number): boolean {
    const stays = isLasting(error);
    const wait = error instanceof ArmError && error.retryAfterSeconds ? error.retryAfterSeconds * 1000 : A_WHILE;
    this.until.set(way, now + (stays ? HOUR : wait));
    return stays;
  }
}

/** Not allowed, not found, or not understood. Throttling, server errors and missing answers are transient. */
function isLasting(error: unknown): boolean {
  if (error instanceof TooManyPages) return true;
  if (!(error instanceof ArmError) || error.status === undefined) return false;
  return error.status >= 400 && error.status < 500 && ![408, 409, 429].includes(error.status);
}
