import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { admissionPolicySpec, bindingMatches, protectionPolicySpec } from './admission-policy';
import { assertApart } from './name-prefixes';
import { markAsPlatformMade } from './platform-made';
import type { SelfServicePolicy } from './self-service-policy';
import { teamRules } from './team-rules';
import type { TeamInEnvironment } from '../model/team-in-environment';

const RBAC = 'rbac.authorization.k8s.io';
const ADMISSION = 'admissionregistration.k8s.io/v1';

/** What guard rails are made from. */
export interface SelfServiceGuardRailsProps {
  /** The team, in the environment whose cluster gets the guard rails. */
  readonly team: TeamInEnvironment;

  /** What the team may do by itself. */
  readonly policy: SelfServicePolicy;

  /**
   * Name of the Role and the RoleBindings in the team's namespace.
   * @default self-service
   */
  readonly name?: string;

  /**
   * Name of the admission policy and its bindings, which are in no namespace.
   * @default - `<name>-<namespace>`
   */
  readonly admissionPolicyName?: string;

  /**
   * Service accounts of the team's namespace that apply the team's manifests, e.g. what `serviceAccountName` of its Flux Kustomization names.
   * They get what the team's groups get.
   * @default - none
   */
  readonly serviceAccounts?: string[];

  /**
   * Cluster roles that hold in the team's namespace besides. `edit` and `admin` may have rules for kinds of Azure, depending on how the
   * operator was installed: the admission policy holds all the same.
   * @default ['view']
   */
  readonly clusterRoles?: string[];

  /**
   * Whether to emit the ValidatingAdmissionPolicy: Kubernetes 1.30 or later.
   * @default true
   */
  readonly admission?: boolean;
}

/**
 * The limits of a team in the cluster: a Role and bindings for the team's groups, limited to the kinds it may use, and a
 * ValidatingAdmissionPolicy with its bindings that refuses, in the team's namespace, what `SelfServicePolicy.applyTo` refuses at synth, in
 * the same words. Whoever is not of the platform (`PlatformTeam.groups`, `PlatformTeam.serviceAccounts`) is held to it, whatever roles he has.
 *
 * @see https://cdk8s-aso.github.io/cdk8s-aso/guard-rails
 */
export class SelfServiceGuardRails extends Construct {
  /** The team's role. */
  public readonly role: ApiObject;
  /** The bindings of the team's role and of the cluster roles: none where the team has neither groups nor service accounts. */
  public readonly roleBindings: ApiObject[];
  /** The admission policy, unless it was left out. */
  public readonly admissionPolicy?: ApiObject;
  /** The bindings of the admission policy: none where it was left out. */
  public readonly admissionPolicyBindings: ApiObject[] = [];
  /** The admission policy that keeps what the platform has put into the namespace, unless it was left out. */
  public readonly protectionPolicy?: ApiObject;

  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the team and its policy
   */
  public constructor(scope: Construct, id: string, props: SelfServiceGuardRailsProps) {
    super(scope, id);
    markAsPlatformMade(this);
    const { team, policy, name = 'self-service' } = props;
    const { namespace } = team;
    const resolved = policy._for(team);
    assertApart(this, resolved);
    // Before anybody gets rights there.
    if (props.admission ?? true) {
      const admissionPolicyName = props.admissionPolicyName ?? `${name}-${namespace}`;
      this.admissionPolicy = this.policy('AdmissionPolicy', admissionPolicyName, namespace, admissionPolicySpec(resolved, policy._limits(team)));
      const kept = { ...resolved, protectedObjects: [...resolved.protectedObjects, ...this.ownNames(props, name)] };
      this.protectionPolicy = this.policy('ProtectionPolicy', `${admissionPolicyName}-platform`, namespace, protectionPolicySpec(kept));
    }
    this.role = new ApiObject(this, 'Role', {
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata: { name, namespace },
      rules: teamRules(resolved.entries),
    });
    this.roleBindings = this.bindings(props, name);
  }

  private policy(id: string, name: string, namespace: string, spec: object): ApiObject {
    const made = new ApiObject(this, id, { apiVersion: ADMISSION, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec });
    this.admissionPolicyBindings.push(...bindingMatches(namespace).map(({ suffix, matchResources }) => new ApiObject(this, `${id}Binding${suffix}`, {
      apiVersion: ADMISSION,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: `${name}${suffix}` },
      spec: { policyName: name, validationActions: ['Deny'], matchResources },
    })));
    return made;
  }

  /** What is made here under a name, in the namespace. */
  private ownNames({ clusterRoles = ['view'], serviceAccounts = [] }: SelfServiceGuardRailsProps, name: string): string[] {
    const bindings = [name, ...clusterRoles.map((role) => `${name}-${role}`)];
    return [
      `${RBAC}/roles/${name}`,
      ...bindings.map((binding) => `${RBAC}/rolebindings/${binding}`),
      ...serviceAccounts.map((account) => `/serviceaccounts/${account}`),
    ];
  }

  private bindings({ team, serviceAccounts = [], clusterRoles = ['view'] }: SelfServiceGuardRailsProps, name: string): ApiObject[] {
    const { namespace } = team;
    const subjects = [
      ...(team.team.props.groups ?? []).map((group) => ({ apiGroup: RBAC, kind: 'Group', name: group })),
      ...serviceAccounts.map((account) => ({ kind: 'ServiceAccount', name: account, namespace })),
    ];
    if (subjects.length === 0) return [];
    const binding = (id: string, bindingName: string, kind: string, role: string) => new ApiObject(this, id, {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { name: bindingName, namespace },
      roleRef: { apiGroup: RBAC, kind, name: role },
      subjects,
    });
    return [
      binding('RoleBinding', name, 'Role', name),
      ...clusterRoles.map((role) => binding(`RoleBinding-${role}`, `${name}-${role}`, 'ClusterRole', role)),
    ];
  }
}
