import { partyOf, type Writer } from './writer';
import { setNewest } from '../../../src/util/set-newest';

/** The standing of a namespace's principal below one parent. */
export interface Standing {
  /**
   * Azure's answer to its last write: `accepted` shows that it may write here, `refused` that it may not; `silent`: it has not come in
   * time, or the request was throttled. Undefined: there was no write, so that it may be a stranger. A refusal is not for ever: roles are
   * known everywhere only after minutes, and one answer may differ from the next.
   * @see https://github.com/hashicorp/terraform-provider-azurerm/issues/5038
   * @see https://github.com/MicrosoftDocs/azure-docs/pull/69708
   */
  readonly rights?: 'accepted' | 'refused' | 'silent' | undefined;
  /** Whether it did not begin when it was last granted the lock, because it was throttled or had no worker. */
  readonly isSlow?: boolean;
}

const NOTHING_KNOWN: Standing = {};
const MOST_REMEMBERED = 10_000;

/** Outlive the locks, which exist only while there is something to write: an object that is refused tries again after minutes. */
export class Standings {
  private readonly known = new Map<string, Standing>();

  public of(lockName: string, writer: Writer): Standing {
    return this.known.get(nameOf(lockName, writer)) ?? NOTHING_KNOWN;
  }

  public set(lockName: string, writer: Writer, change: Standing): void {
    const name = nameOf(lockName, writer);
    setNewest(this.known, name, { ...this.known.get(name), ...change }, MOST_REMEMBERED);
  }
}

function nameOf(lockName: string, writer: Writer): string {
  return `${partyOf(writer)} ${lockName}`;
}
