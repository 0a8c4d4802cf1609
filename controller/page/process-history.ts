import { EventLog } from './event-log';
import { RequestLog } from './request-log';

/** The events and requests of this process that the page shows. */
export class ProcessHistory {
  public readonly events = new EventLog();
  public readonly requests: RequestLog;

  public constructor(now: () => number) {
    this.requests = new RequestLog(now);
  }
}
