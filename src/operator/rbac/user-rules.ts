import { byGroup, type Rule } from './rules';
import type { KindsInUse } from '../kinds-in-use';

/** A role of Kubernetes that gets the rules of others by their labels. */
export type UserRole = 'view' | 'edit' | 'admin';

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];
/** Whose objects give rights in Azure: a RoleAssignment gives all that the controller's credential may give. */
const RIGHTS = 'authorization.azure.com';

/**
 * What the roles get on the kinds; a role without rules is left out.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles
 */
export function userRules(kinds: KindsInUse): ReadonlyMap<UserRole, Rule[]> {
  const groups = [...byGroup(kinds)];
  const rulesOf = (verbs: string[], wanted: (group: string) => boolean): Rule[] =>
    groups.filter(([group]) => wanted(group)).map(([group, resources]) => ({ apiGroups: [group], resources, verbs }));
  const all: [UserRole, Rule[]][] = [
    ['view', rulesOf(READ, () => true)],
    ['edit', rulesOf(WRITE, (group) => group !== RIGHTS)],
    // Who is an admin has what edit gives already.
    ['admin', rulesOf(WRITE, (group) => group === RIGHTS)],
  ];
  return new Map(all.filter(([, rules]) => rules.length > 0));
}
