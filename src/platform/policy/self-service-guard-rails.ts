import { ApiObject, type ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { admissionPolicySpec, bindingMatches, protectionPolicySpec } from './admission-policy';
import { assertApart } from './name-prefixes';
import { markAsPlatformMade } from './platform-made';
import type { SelfServicePolicy } from './self-service-policy';
import { teamRules } from './team-rules';
import { GUARD_RAILS_FINALIZER, GUARDED_NAMESPACE } from '../../azure/annotations';
import type { TeamInEnvironment } from '../model/team-in-environment';

const RBAC = 'rbac.authorization.k8s.io';
const ADMISSION = 'admissionregistration.k8s.io/v1';

/** Properties of `SelfServiceGuardRails`. */
export interface SelfServiceGuardRailsProps {
  /** The team, in the environment whose cluster gets the guard rails. */
  readonly team: TeamInEnvironment;

  /** The self-service policy of the team. */
  readonly policy: SelfServicePolicy;

  /**
   * Name of the Role and the RoleBindings in the team's namespace.
   * @default self-service
   */
  readonly name?: string;

  /**
   * Name of the admission policy and its bindings, which are cluster-scoped.
   * @default - `<name>-<namespace>`
   */
  readonly admissionPolicyName?: string;

  /**
   * Service accounts in the team's namespace that apply the team's manifests, e.g. the `serviceAccountName` of its Flux Kustomization. They
   * get the rights of the team's groups.
   * @default - none
   */
  readonly serviceAccounts?: string[];

  /**
   * Additional cluster roles for the team's namespace. `edit` and `admin` may contain rules for Azure kinds, depending on the operator's
   * installation: the admission policy applies anyway.
   * @default ['view']
   */
  readonly clusterRoles?: string[];

  /**
   * Whether to emit the ValidatingAdmissionPolicy: Kubernetes 1.30 or later.
   * @default true
   */
  readonly admission?: boolean;

  /**
   * Whether the admission policies and their bindings stay in force until the Namespace and all in it is gone, in whatever order they are
   * deleted: by the finalizer `aso.cdk8s.io/guard-rails`, which the controller of this package removes then. Where Azure Service Operator
   * runs instead, nothing removes it: set this to false there, and delete the policies last.
   * @default true
   */
  readonly untilNamespaceIsGone?: boolean;
}

/**
 * The limits of a team in the cluster: a Role and bindings for the team's groups, limited to the allowed kinds, and a
 * ValidatingAdmissionPolicy with its bindings. It rejects the same objects in the team's namespace as `SelfServicePolicy.applyTo` at synth,
 * with the same messages, for all users outside of the platform (`PlatformTeam.groups`, `PlatformTeam.serviceAccounts`), whatever their
 * roles.
 *
 * @see https://cdk8s-aso.github.io/cdk8s-aso/guard-rails
 */
export class SelfServiceGuardRails extends Construct {
  /** The team's role. */
  public readonly role: ApiObject;
  /** The bindings of the team's role and of the cluster roles; empty if the team has neither groups nor service accounts. */
  public readonly roleBindings: ApiObject[];
  /** The admission policy, unless `admission` is false. */
  public readonly admissionPolicy?: ApiObject;
  /** The bindings of the admission policy; empty if `admission` is false. */
  public readonly admissionPolicyBindings: ApiObject[] = [];
  /** The admission policy that protects the platform's objects in the namespace, unless `admission` is false. */
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
    // The policies come before the bindings that grant rights.
    if (props.admission ?? true) {
      const admissionPolicyName = props.admissionPolicyName ?? `${name}-${namespace}`;
      const metadata = (own: string) => ({
        name: own,
        ...(props.untilNamespaceIsGone ?? true ? { finalizers: [GUARD_RAILS_FINALIZER], labels: { [GUARDED_NAMESPACE]: namespace } } : {}),
      });
      this.admissionPolicy = this.policy(
        'AdmissionPolicy',
        metadata(admissionPolicyName),
        namespace,
        admissionPolicySpec(resolved, policy._limits(team)),
      );
      const kept = { ...resolved, protectedObjects: [...resolved.protectedObjects, ...this.ownNames(props, name)] };
      this.protectionPolicy = this.policy('ProtectionPolicy', metadata(`${admissionPolicyName}-platform`), namespace, protectionPolicySpec(kept));
    }
    this.role = new ApiObject(this, 'Role', {
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata: { name, namespace },
      rules: teamRules(resolved.entries),
    });
    this.roleBindings = this.bindings(props, name);
  }

  private policy(id: string, metadata: ApiObjectMetadata & { readonly name: string }, namespace: string, spec: object): ApiObject {
    const { name } = metadata;
    const made = new ApiObject(this, id, { apiVersion: ADMISSION, kind: 'ValidatingAdmissionPolicy', metadata, spec });
    this.admissionPolicyBindings.push(
      ...bindingMatches(namespace).map(
        ({ suffix, matchResources }) =>
          new ApiObject(this, `${id}Binding${suffix}`, {
            apiVersion: ADMISSION,
            kind: 'ValidatingAdmissionPolicyBinding',
            metadata: { ...metadata, name: `${name}${suffix}` },
            spec: { policyName: name, validationActions: ['Deny'], matchResources },
          }),
      ),
    );
    return made;
  }

  /** Names of the objects that this construct creates in the namespace. */
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
