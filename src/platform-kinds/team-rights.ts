import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { KindsContext, Plurals } from './platform-kinds-props';
import type { SelfServicePolicy, TeamInEnvironment } from '../platform';
import { markAsPlatformMade } from '../platform/policy/platform-made';
import { knownEntries } from '../platform/policy/team-policy';
import { teamRules } from '../platform/policy/team-rules';
import type { PolicyRule } from '../platform-api';

const RBAC = 'rbac.authorization.k8s.io';
const READ = ['get', 'list', 'watch'];

/**
 * The rights of a team's groups on claims: its services, not their status, in its namespace; its own team, to read. No right on the
 * platform's namespace is needed.
 */
export class TeamRights extends Construct {
  public constructor(scope: Construct, id: string, { props: { group }, plurals }: KindsContext, team: TeamInEnvironment) {
    super(scope, id);
    markAsPlatformMade(this);
    const { namespace } = team;
    const [services, teams] = claimRules(group, plurals);
    const subjects = (team.team.props.groups ?? []).map((name) => ({ apiGroup: RBAC, kind: 'Group', name }));
    const grant = (prefix: '' | 'Cluster', metadata: { readonly name: string; readonly namespace?: string }, rule: PolicyRule) => {
      const kind = `${prefix}Role`;
      new ApiObject(this, kind, { apiVersion: `${RBAC}/v1`, kind, metadata, rules: [rule] });
      const roleRef = { apiGroup: RBAC, kind, name: metadata.name };
      new ApiObject(this, `${kind}Binding`, { apiVersion: `${RBAC}/v1`, kind: `${kind}Binding`, metadata, roleRef, subjects });
    };
    grant('', { name: `${plurals.services}.${group}`, namespace }, services);
    grant('Cluster', { name: `${plurals.teams}.${group}-${namespace}` }, { ...teams, resourceNames: [namespace] });
  }
}

/** The rights of a composer of teams, besides those on the kinds that it composes: the rights that teams get. */
export function rightsOf({ props: { group, policy }, plurals }: KindsContext): PolicyRule[] {
  const ofGuardRails = policy ? [
    ...teamRules(knownEntries(policy.props)),
    { apiGroups: [RBAC], resources: ['clusterroles'], verbs: ['bind'], resourceNames: ['view'] },
  ] : [];
  return [...claimRules(group, plurals), ...ofGuardRails];
}

function claimRules(group: string, plurals: Plurals): [services: PolicyRule, teams: PolicyRule] {
  return [
    { apiGroups: [group], resources: [plurals.services], verbs: [...READ, 'create', 'update', 'patch', 'delete'] },
    { apiGroups: [group], resources: [plurals.teams], verbs: READ },
  ];
}

/** The policy of the platform's teams, which protects the status and the rights of their claims. */
export function policyOf({ props: { group, policy }, plurals }: KindsContext): SelfServicePolicy | undefined {
  const name = `${plurals.services}.${group}`;
  return policy?._withClaims({ claimKinds: [`${group}/${plurals.services}`], protectedObjects: ['roles', 'rolebindings'].map((kind) => `${RBAC}/${kind}/${name}`) });
}
