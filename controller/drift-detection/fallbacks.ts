import { TooManyPages } from './queries';
import { ArmError } from '../../engine/arm/types';

/** How long a way that does not work is not tried again. */
const HOUR = 3_600_000;
/** After a passing failure. */
const A_WHILE = 60_000;

/** Ways of asking that do not work at the moment. */
export class Fallbacks {
  private readonly until = new Map<string, number>();

  public isOpen(way: string, now: number): boolean {
    const until = this.until.get(way);
    if (until === undefined) return true;
    if (now < until) return false;
    this.until.delete(way);
    return true;
  }

  /** Remembers a failure. Answers whether it is one that stays, which somebody should be told of. */
  public close(way: string, error: unknown, now: number): boolean {
    const stays = isLasting(error);
    const wait = error instanceof ArmError && error.retryAfterSeconds ? error.retryAfterSeconds * 1000 : A_WHILE;
    this.until.set(way, now + (stays ? HOUR : wait));
    return stays;
  }
}

/** Not allowed, not there, not understood. Throttling, failures of servers and missing answers pass. */
function isLasting(error: unknown): boolean {
  if (error instanceof TooManyPages) return true;
  if (!(error instanceof ArmError) || error.status === undefined) return false;
  return error.status >= 400 && error.status < 500 && ![408, 409, 429].includes(error.status);
}
