import type { AccessUser } from './access-user';
import { DELETION_WAITS } from '../../../engine/objects/deletion-waits';
import { DELETE_IN_USE } from '../../../src/azure/annotations';
import { counted, firstOf } from '../../../src/util/words';

/** Objects that a message names; the others are counted. */
const MOST_NAMED = 3;

/**
 * The text of the Ready condition of a deletion that waits. Where only a user's decision can end the wait, the text names that decision.
 */
export function neededByText(users: readonly AccessUser[]): string {
  const bySecret = grouped(users, ({ key, secret }) => `namespace ${key.namespace} that use the credential Secret ${secret}`);
  const parts = [...bySecret].map(([what, group]) => `${counted(group.length, 'object')} of ${what}: ${named(group)}`);
  const staying = users.filter(({ isDeleting }) => !isDeleting);
  const cure = staying.length === 0
    ? ''
    : `. Not being deleted: ${named(staying)}. Delete what is to go, or set the annotation ${DELETE_IN_USE}: "true" on this object to take their access away`;
  return `${DELETION_WAITS}: ${parts.join('; ')}${cure}`;
}

function named(users: readonly AccessUser[]): string {
  return firstOf(users.map(({ key: { kind, name } }) => `${kind} ${name}`).sort(), MOST_NAMED);
}

function grouped(users: readonly AccessUser[], keyOf: (user: AccessUser) => string): ReadonlyMap<string, readonly AccessUser[]> {
  const groups = new Map<string, AccessUser[]>();
  for (const user of users) groups.set(keyOf(user), [...(groups.get(keyOf(user)) ?? []), user]);
  return groups;
}
