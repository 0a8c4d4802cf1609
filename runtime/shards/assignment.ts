import type { Assignment } from './ownership';
import { ViewMap, type View } from './view';

/** The part that a view gives to a member. */
export function assignmentOf(view: View, member: string): Assignment {
  const map = new ViewMap(view);
  return {
    members: view.members,
    owns: (key) => map.gives(member, key),
    watches: (namespace) => map.mayNeed(member, namespace),
    isSplit: (namespace) => map.isSplit(namespace),
  };
}
