import { byGroup, type Rule } from './rules';
import { changesAccess } from '../../azure/access-control-kinds';
import type { KindInUse, KindsInUse } from '../kinds-in-use';

/** A Kubernetes role that aggregates the rules of other ClusterRoles by label. */
export type UserRole = 'view' | 'edit' | 'admin';

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/**
 * The rules of each role on the kinds; a role without rules is left out. The controller acts with its own credential for every author of an
 * object, so `edit` may not write the kinds that change access rights.
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
    // `admin` includes the rules of `edit`.
    ['admin', rulesOf(WRITE, ofAccess)],
  ];
  return new Map(all.filter(([, rules]) => rules.length > 0));
}
