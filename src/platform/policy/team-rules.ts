import type { KnownEntry } from './team-policy';

/** A rule of `rbac.authorization.k8s.io/v1`. */
export interface TeamRule {
  readonly apiGroups: string[];
  readonly resources: string[];
  readonly verbs: string[];
}

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete'];

/** The team's RBAC rules on the kinds of its catalogue, by API group. They exclude the status, which the operator writes. */
export function teamRules(entries: readonly KnownEntry[]): TeamRule[] {
  const rule = (group: string, creates: boolean): TeamRule[] => {
    const concerned = entries.filter((known) => known.entry.group === group && known.creates === creates);
    const resources = concerned.map(({ kind }) => kind.facts.plural).sort();
    return resources.length === 0 ? [] : [{ apiGroups: [group], resources, verbs: creates ? [...READ, ...WRITE] : READ }];
  };
  const groups = [...new Set(entries.map(({ entry }) => entry.group))].sort();
  return groups.flatMap((group) => [...rule(group, true), ...rule(group, false)]);
}
