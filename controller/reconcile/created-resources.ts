import { sharedKeyOf } from './object-key';
import type { ObjectId } from '../../src/object-id';

/**
 * How long the knowledge that there is nothing below a new resource holds: in this time other clients may have made something there.
 * Milliseconds.
 */
const HOLDS_MS = 15 * 60_000;

/** The answer to its PUT tells whether a resource was made (201) or was there (200): documented and recorded for resource groups alone. */
const TELLS_CREATION = 'microsoft.resources/resourcegroups';

interface Created {
  readonly uid: string;
  readonly armId: string;
  readonly at: number;
}

/** A PUT that Azure has accepted. */
export interface AcceptedPut {
  readonly uid: string;
  readonly armId: string;
  readonly armType: string;
  readonly status: number;
  /** Whether it was known before that there was no resource. */
  readonly wasNew: boolean;
}

/**
 * The resources that this process has just made in Azure. A child of one of them cannot be there before it is sent, so it is not looked
 * for. The knowledge is of this process alone: it ends with the process, with the object of the owner, and after a quarter of an hour.
 */
export class CreatedResources {
  private readonly created = new Map<string, Created>();
  /** ARM id → time of the last PUT for it, of whichever object; oldest first. */
  private readonly sent = new Map<string, number>();

  public constructor(private readonly now: () => number) {}

  /** A PUT is sent: from now on there may be a resource, whatever its answer. */
  public sending(armId: string): void {
    const id = armId.toLowerCase();
    this.sent.delete(id);
    this.sent.set(id, this.now());
    for (const [oldest, at] of this.sent) {
      if (this.now() - at < HOLDS_MS) break;
      this.sent.delete(oldest);
    }
  }

  /** The PUT was not sent after all. */
  public notSent(armId: string): void {
    this.sent.delete(armId.toLowerCase());
  }

  public accepted(key: ObjectId, { uid, armId, armType, status, wasNew }: AcceptedPut): void {
    const isCreated = wasNew || (status === 201 && armType.toLowerCase() === TELLS_CREATION);
    if (isCreated) this.created.set(sharedKeyOf(key), { uid, armId: armId.toLowerCase(), at: this.now() });
  }

  /** The object is gone, or its resource may be. */
  public forget(key: ObjectId): void {
    this.created.delete(sharedKeyOf(key));
  }

  /** Whether there is certainly no resource of an id, because this process has made the owner and has sent no PUT for the id since. */
  public isNew(owner: ObjectId, ownerUid: string, armId: string): boolean {
    const known = this.created.get(sharedKeyOf(owner));
    const id = armId.toLowerCase();
    return known !== undefined
      && known.uid === ownerUid
      && this.now() - known.at < HOLDS_MS
      && id.startsWith(`${known.armId}/`)
      && !this.sent.has(id);
  }
}
