import type { EventFacts } from '../../engine/inspect';
import { setNewest } from '../../src/util/set-newest';

/** Events that are kept of an object, and objects of which events are kept. */
const MOST_EVENTS = 20;
const MOST_OBJECTS = 5_000;

/** The last events that this process has recorded, by the uid of their object. The controller has no right to read events. */
export class EventLog {
  private readonly byUid = new Map<string, EventFacts[]>();

  /** An equal event replaces the one before: its count has grown. */
  public add(uid: string, event: EventFacts): void {
    const isSame = ({ type, reason, message }: EventFacts) => type === event.type && reason === event.reason && message === event.message;
    const others = (this.byUid.get(uid) ?? []).filter((known) => !isSame(known));
    setNewest(this.byUid, uid, [event, ...others].slice(0, MOST_EVENTS), MOST_OBJECTS);
  }

  public of(uids: readonly (string | undefined)[]): ReadonlyMap<string, readonly EventFacts[]> {
    return new Map(uids.flatMap((uid) => {
      const events = uid === undefined ? undefined : this.byUid.get(uid);
      return uid === undefined || !events ? [] : [[uid, events] as const];
    }));
  }
}
