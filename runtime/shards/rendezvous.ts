import { createHash } from 'node:crypto';

/**
 * The weight of a member for a key: the first 64 bits of SHA-256 of `member + "\n" + key`, in hexadecimal. Replicas of all versions have to
 * agree on it, so it is part of the protocol's version.
 */
export function weight(member: string, key: string): string {
  return createHash('sha256').update(`${member}\n${key}`).digest('hex').slice(0, 16);
}

/**
 * The member with the greatest weight (rendezvous hashing): when a member joins or leaves, only its own keys move.
 * @returns undefined without members
 */
export function rendezvous(members: readonly string[], key: string): string | undefined {
  let best: string | undefined;
  let greatest = '';
  for (const member of members) {
    const own = weight(member, key);
    if (best !== undefined && (own < greatest || (own === greatest && member < best))) continue;
    [best, greatest] = [member, own];
  }
  return best;
}
