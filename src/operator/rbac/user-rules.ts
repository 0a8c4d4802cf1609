import { byGroup, type Rule } from './rules';
import { changesAccess } from '../../azure/access-control-kinds';
import type { KindInUse, KindsInUse } from '../kinds-in-use';

/** A role of Kubernetes that gets the rules of others by their labels. */
export type UserRole = 'view' | 'edit' | 'admin';

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/**
 * What the roles get on the kinds; a role without rules is left out. The controller acts with its own credential for whoever may write an
 * object, so `edit` does not write the kinds that change who may do what.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles
 */
export function userRules(kinds: KindsInUse): ReadonlyMap<UserRole, Rule[]> {
  const rulesOf = (verbs: string[], wanted: (inUse: KindInUse) => boolean): Rule[] => {
    const those = new Map([...kinds].filter(([, inUse]) => wanted(inUse)));
    return [...byGroup(those)].map(([group, resources]) => ({ apiGroups: [group], resources, verbs }));
  };
  const ofAccess = ({ kind: { group, kind } }: KindInUse): boolean => changesAccess(group, kind);
  const all: [UserRole, Rule[]][] = [
    ['view', rulesOf(READ, () => true)],
    ['edit', rulesOf(WRITE, (inUse) => !ofAccess(inUse))],
    // Who is an admin has what edit gives already.
    ['admin', rulesOf(WRITE, ofAccess)],
  ];
  return new Map(all.filter(([, rules]) => rules.length > 0));
}
