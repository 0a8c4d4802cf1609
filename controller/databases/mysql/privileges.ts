import { changesBetween, type Changes } from '../set-difference';

/** `ALL` cannot be read back: the server reports the privileges that it consists of. */
const ALL = new Set(['ALL', 'ALL PRIVILEGES']);
/** "May log in", which every account can. */
const USAGE = 'USAGE';

/** The server's spelling. */
export function normalized(privilege: string): string {
  return privilege.trim().replace(/\s+/g, ' ').toUpperCase();
}

/** The privileges to grant and to revoke (docs/spec/users.md#mysql-privileges). */
export function privilegeChanges(current: readonly string[], desired: readonly string[]): Changes {
  const wanted = desired.map(normalized);
  if (wanted.some((privilege) => ALL.has(privilege))) return { add: ['ALL'], remove: [] };
  const known = (privileges: readonly string[]) => privileges.filter((privilege) => privilege !== USAGE);
  return changesBetween(known(current.map(normalized)), known(wanted));
}
