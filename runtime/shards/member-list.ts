import type { MemberLease } from './member-lease';
import type { MemberLifetime } from './member-lifetime';
import type { ShardMemberOptions } from './member-options';
import type { Publication } from './publication';
import { listMembers } from './requests';
import { Roster } from './roster';
import { LEASES } from '../leader/lease';

/** Leases of others that are deleted in one turn. */
const MAX_DELETED = 5;

/** Reads the Leases of all members. */
export class MemberList {
  public readonly roster: Roster;
  private reads = 0;

  public constructor(
    private readonly options: Pick<ShardMemberOptions, 'client' | 'namespace' | 'time'>,
    private readonly lifetime: MemberLifetime,
    private readonly lease: MemberLease,
  ) {
    this.roster = new Roster(lease.name);
  }

  /**
   * @param publication of this member
   * @param named members that may act, whether they have a Lease or not
   * @returns whether the list has the publication; undefined: there is no list
   */
  public async read(publication: Publication, named: readonly string[] = []): Promise<boolean | undefined> {
    const { client, namespace, time } = this.options;
    const requested = time.elapsed();
    const call = (this.reads += 1);
    let isOwnListed: boolean | undefined;
    await this.lifetime.tried(listMembers(client, namespace).then((leases) => {
      // An answer that was given up must not follow that of a later list.
      if (call !== this.reads) return;
      this.roster.observe(leases, requested, time.elapsed(), named);
      isOwnListed = this.lease.isIn(leases, publication);
    }));
    return isOwnListed;
  }

  /** Deletes Leases that nobody renews any more. */
  public async collectGarbage(): Promise<void> {
    const { client, namespace } = this.options;
    for (const { name, uid, resourceVersion } of this.roster.garbage().slice(0, MAX_DELETED)) {
      await this.lifetime.tried(client.delete(LEASES, name, namespace, { uid, resourceVersion }));
    }
  }
}
