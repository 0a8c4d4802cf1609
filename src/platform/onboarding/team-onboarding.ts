import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { IConstruct } from 'constructs';
import { certificateMirrorSpec, checkCertificates } from './certificate-mirror';
import { chosenParts, partOfGrant } from './chosen-parts';
import { checkFederations, federate } from './federations';
import { checkNeighbours } from './neighbours';
import { checkNetworkAccess, networkPolicySpec } from './network-policies';
import { OnboardingPart } from './onboarding-part';
import { clusterOf, fromPlatformNamespace, isPassive, platformObject } from './platform-objects';
import { checkClientIds, deliveryOf, teamCredential, wantsClientId } from './team-credential';
import type { TeamOnboardingProps } from './team-onboarding-props';
import { CREDENTIAL_REQUIRED, RECONCILE_POLICY } from '../../azure/annotations';
import { BuiltInRole, ConfigMapValue, DefaultAzureName, ReconcilePolicy } from '../../core';
import type { AzureResourceProps, IAzureResourceRef } from '../../core';
import { emitAfter } from '../../core/checks/chart-order';
import { RoleAssignment, PrincipalType } from '../../services/authorization/role-assignment';
import type { FederatedIdentityCredential } from '../../services/managedidentity/federated-identity-credential';
import type { IUserAssignedIdentityRef } from '../../services/managedidentity/refs';
import { UserAssignedIdentity, type UserAssignedIdentityProps } from '../../services/managedidentity/user-assigned-identity';
import type { IResourceGroupRef } from '../../services/resources/refs';
import { ResourceGroup } from '../../services/resources/resource-group';
import { omitUndefined } from '../../util/records';
import type { CredentialServiceAccount, CredentialTarget, DeliveredCredential } from '../credentials/credential-delivery-contract';
import type { Cluster } from '../model/cluster';
import { NetworkPolicyFlavour, PodSecurityLevel } from '../model/conventions';
import type { Environment } from '../model/environment';
import type { Grant } from '../model/grant';
import type { Offboarding } from '../model/offboarding';
import { applyOffboarding, namespacePolicyWhenOffboarding } from '../model/offboarding-policies';
import { PlatformProblems } from '../model/problems';
import { limitRangeSpec, quotaSpec } from '../model/quantities';
import { WORKLOAD_SERVICE_ACCOUNT } from '../model/reserved-namespaces';
import { credentialFor } from '../model/subscription-credential';
import { TeamIdentities, TeamIdentity } from '../model/team-identities';
import type { TeamInEnvironment } from '../model/team-in-environment';
import type { TeamResourceGroup } from '../model/team-resource-group';
import { grantedIdentity } from '../naming/concerned-identity';
import { markAsPlatformMade } from '../policy/platform-made';
import { SelfServiceGuardRails } from '../policy/self-service-guard-rails';


/**
 * All objects that a team needs in an environment before it can work by itself: a namespace with limits, a resource group, an identity with
 * federated credentials and roles, and the credential with which the operator acts for the team.
 *
 * The platform's objects (group, identity, federated credentials, roles) are in the platform's namespace, the team's objects in the team's.
 * Each part can be left out or replaced, and is a public property for extensions.
 */
export class TeamOnboarding extends Construct {
  /** The team in the environment. */
  public readonly team: TeamInEnvironment;
  /** The cluster for which the objects are created. */
  public readonly cluster: Cluster;
  /** The created parts. */
  public readonly parts: OnboardingPart[];
  /** The Namespace. */
  public readonly namespaceObject?: ApiObject;
  /** Quotas of the namespace. */
  public readonly resourceQuota?: ApiObject;
  /** Limits of a container. */
  public readonly limitRange?: ApiObject;
  /** The network policy of the namespace. */
  public readonly networkPolicy?: ApiObject;
  /** The copy of the platform's trusted certificates: an AzureAppConfigurationProvider. */
  public readonly trustedCertificates?: ApiObject;
  /** The resource group: created here, passed as a prop, or referenced by name. */
  public readonly resourceGroup: IResourceGroupRef;
  /** All resource groups of the team, in the order of `team.resourceGroups`. */
  public readonly resourceGroups: IResourceGroupRef[];
  /** The identity under which the operator acts for the team: created here or passed as a prop. */
  public readonly identity: UserAssignedIdentity | undefined;
  /** The identity of the team's pods, if identities are separate: created here or passed as a prop. */
  public readonly workloadIdentity: UserAssignedIdentity | undefined;
  /** The federated credentials of the identities. */
  public readonly federations: FederatedIdentityCredential[];
  /** The service account whose token a strict operator uses to sign in. */
  public readonly workloadServiceAccount?: ApiObject;
  /** The delivery of the operator's identity to the team's namespace; with shared identities also to the pods. */
  public readonly credential: DeliveredCredential | undefined;
  /** The delivery of the pods' identity to the team's namespace, if identities are separate. */
  public readonly workloadCredential: DeliveredCredential | undefined;
  /** The rights of the team's groups, and the admission policy of the cluster. */
  public readonly guardRails?: SelfServiceGuardRails;

  private readonly environment: Environment;
  private readonly roles = new Map<string, RoleAssignment>();
  private last?: IConstruct;

  /**
   * @param scope a chart, or a construct in one
   * @param id name of the construct in its scope
   * @param props the team and settings of the onboarding
   * @throws when a value is missing or malformed: one error that lists all problems
   */
  public constructor(scope: Construct, id: string, props: TeamOnboardingProps) {
    super(scope, id);
    markAsPlatformMade(this);
    const { team } = props;
    const where = `[${this.node.path}] TeamOnboarding`;
    this.team = team;
    this.environment = team.environment;
    this.cluster = clusterOf(team.environment, props.cluster, where);
    const parts = this.check(props, where);
    this.parts = [...parts];
    if (this.environment.conventions.azureNames === false) DefaultAzureName.leaveOut(this);
    props.roleAssignmentNaming?.applyTo(this);
    applyOffboarding(this, this.offboarding);
    const has = (part: OnboardingPart) => parts.has(part);

    if (has(OnboardingPart.NAMESPACE)) this.namespaceObject = this.makeNamespace(props);
    if (has(OnboardingPart.QUOTAS)) [this.resourceQuota, this.limitRange] = this.makeQuotas();
    if (has(OnboardingPart.NETWORK_POLICY)) this.networkPolicy = this.makeNetworkPolicy(props);
    this.resourceGroup =
      props.resourceGroup ?? this.groupOf(team.resourceGroups[0]!, has(OnboardingPart.RESOURCE_GROUP));
    const further = team.resourceGroups.slice(1).map((group) => this.groupOf(group, has(OnboardingPart.RESOURCE_GROUP)));
    this.resourceGroups = [this.resourceGroup, ...further];
    this.identity =
      props.identity ?? (has(OnboardingPart.IDENTITY) ? this.makeIdentity('identity', this.operatorTarget, props) : undefined);
    this.workloadIdentity =
      props.workloadIdentity
      ?? (has(OnboardingPart.WORKLOAD_IDENTITY) ? this.makeIdentity('workload-identity', this.workloadTarget, props) : undefined);
    this.federations = federate(this, team, this.cluster, parts, {
      operator: this.refOf(this.identity, this.operatorTarget),
      workload: this.refOf(this.workloadIdentity, this.workloadTarget),
    });
    for (const federation of this.federations) this.afterLast(federation);
    if (has(OnboardingPart.RESOURCE_GROUP_ROLE)) {
      const role = this.environment.roles.resourceGroup ?? BuiltInRole.CONTRIBUTOR;
      team.resourceGroups.forEach(({ name }, index) => {
        const grantId = index === 0 ? 'group' : `group:${name}`;
        const on = this.resourceGroups[index]!;
        this.assign(grantId, this.environment.naming.groupRole(team, name), on, role, this.operatorPrincipal);
      });
    }
    for (const grant of team.grants) if (has(partOfGrant(team, grant.id))) this.grant(grant);
    if (has(OnboardingPart.WORKLOAD_FEDERATION)) this.workloadServiceAccount = this.makeWorkloadServiceAccount();
    if (has(OnboardingPart.TRUSTED_CERTIFICATES)) this.trustedCertificates = this.makeCertificates();
    this.credential = this.deliver('credential', props, this.operatorTarget, this.identity);
    this.workloadCredential = this.deliver('workload-credential', props, this.workloadTarget, this.workloadIdentity);
    if (has(OnboardingPart.GUARD_RAILS)) {
      this.guardRails = this.afterLast(new SelfServiceGuardRails(this, 'guard-rails', { team, policy: props.policy! }));
    }
  }

  /**
   * Assigns a further role to one of the team's identities.
   * @param grant scope, role and identity
   * @throws when a grant with that id exists
   */
  public grant(grant: Grant): RoleAssignment {
    const { id, role, condition } = grant;
    const isWorkload = grantedIdentity(grant, this.environment.teamIdentities) === TeamIdentity.WORKLOAD;
    const on = fromPlatformNamespace(grant.on, this.environment);
    const principal = isWorkload ? this.principalOf(this.workloadIdentity, this.workloadTarget) : this.operatorPrincipal;
    return this.assign(id, this.environment.naming.grantRole(this.team, grant), on, role, principal, condition);
  }

  /**
   * The role assignment of a grant; undefined if it is not created here.
   * @param id the grant's id: that of the team's grants, of a shared service (`service-bus`), `group` for the team's own group, or
   *   `group:<name>` for a further one
   */
  public roleAssignment(id: string): RoleAssignment | undefined {
    return this.roles.get(id);
  }

  /** Whether the objects only watch because another cluster of the environment is active. */
  public get isPassive(): boolean {
    return isPassive(this.cluster);
  }

  /** The offboarding of managing objects: passive objects keep `skip`. */
  private get offboarding(): Offboarding | undefined {
    return this.isPassive ? undefined : this.team.offboarding;
  }

  private get isSeparate(): boolean {
    return this.environment.teamIdentities === TeamIdentities.SEPARATE;
  }

  private refOf(identity: UserAssignedIdentity | undefined, { identityName }: CredentialTarget): IUserAssignedIdentityRef {
    return identity ?? UserAssignedIdentity.fromName(identityName);
  }

  private get operatorPrincipal(): ConfigMapValue {
    return this.principalOf(this.identity, this.operatorTarget);
  }

  private principalOf(identity: UserAssignedIdentity | undefined, target: CredentialTarget): ConfigMapValue {
    return identity?.outputs.principalId ?? ConfigMapValue.fromConfigMap(this.exportsOf(target), 'principalId');
  }

  /** The ConfigMap to which an identity exports its ids. */
  private exportsOf({ identityName }: CredentialTarget): string {
    const { naming } = this.environment;
    const isWorkload = this.isSeparate && identityName === this.workloadTarget.identityName;
    return isWorkload ? naming.teamWorkloadIdentityExports(this.team) : naming.teamIdentityExports(this.team);
  }

  private get tags(): { [key: string]: string } | undefined {
    const tags = { ...this.environment.tags, ...this.team.team.props.tags };
    return Object.keys(tags).length > 0 ? tags : undefined;
  }

  private check(props: TeamOnboardingProps, where: string): ReadonlySet<OnboardingPart> {
    const { team } = this;
    const problems = new PlatformProblems(`${where} of team '${team.team.name}' in '${team.environment.name}'`);
    const parts = chosenParts(team, props, problems);
    checkNeighbours(this.node.root, team, this.cluster, parts, problems);
    checkFederations(team, parts, problems);
    if (parts.has(OnboardingPart.TRUSTED_CERTIFICATES)) checkCertificates(team.environment, problems);
    checkNetworkAccess(props.network ?? {}, problems);
    checkClientIds(props, problems);
    problems.throwIfAny();
    return parts;
  }

  private makeNamespace({ namespaceLabels }: TeamOnboardingProps): ApiObject {
    const { labels, podSecurity = PodSecurityLevel.RESTRICTED, credentialRequired = true } = this.environment.conventions;
    const annotations = {
      ...(credentialRequired ? { [CREDENTIAL_REQUIRED]: 'true' } : {}),
      ...(this.offboarding === undefined ? {} : { [RECONCILE_POLICY]: namespacePolicyWhenOffboarding(this.offboarding) }),
    };
    return this.afterLast(new ApiObject(this, 'namespace', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: this.team.namespace,
        ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
        labels: {
          ...(podSecurity === PodSecurityLevel.CLUSTER_DEFAULT ? {} : { 'pod-security.kubernetes.io/enforce': podSecurity }),
          ...labels?.namespace(this.team),
          ...namespaceLabels,
        },
      },
    }));
  }

  private makeQuotas(): [ApiObject, ApiObject] {
    const name = this.environment.naming.quotas(this.team);
    const labels = this.environment.conventions.labels?.quotas(this.team);
    return [
      this.inNamespace('quota', 'v1', 'ResourceQuota', name, quotaSpec(this.team.quotas), labels),
      this.inNamespace('limits', 'v1', 'LimitRange', name, limitRangeSpec(this.team.quotas), labels),
    ];
  }

  private makeNetworkPolicy({ network }: TeamOnboardingProps): ApiObject {
    const flavour = this.environment.conventions.networkPolicy ?? NetworkPolicyFlavour.KUBERNETES;
    return this.inNamespace(
      'network-policy',
      flavour,
      'NetworkPolicy',
      this.environment.naming.networkPolicy(this.team),
      networkPolicySpec(flavour, this.team.namespace, network ?? {}),
    );
  }

  /** No pod uses the service account: the operator requests its tokens. */
  private makeWorkloadServiceAccount(): ApiObject {
    const metadata = { name: WORKLOAD_SERVICE_ACCOUNT, namespace: this.team.namespace };
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false };
    return this.afterLast(new ApiObject(this, 'workload-service-account', account));
  }

  private makeCertificates(): ApiObject {
    const name = this.environment.naming.trustedCertificates(this.team);
    return this.inNamespace(
      'trusted-certificates',
      'azconfig.io/v1',
      'AzureAppConfigurationProvider',
      name,
      certificateMirrorSpec(this.environment),
    );
  }

  /** A resource group of the team: created here, or elsewhere, or one that exists without an object. */
  private groupOf(group: TeamResourceGroup, isMade: boolean): IResourceGroupRef {
    if (group.existing) return ResourceGroup.fromArmId(this.team._groupId(group.name));
    return isMade ? this.makeGroup(group) : ResourceGroup.fromName(group.name.toLowerCase());
  }

  private makeGroup({ name, location }: TeamResourceGroup): ResourceGroup {
    const { team, environment } = this;
    // Names of Kubernetes objects are in lower case.
    const objectName = name.toLowerCase();
    const id = name === team.resourceGroup ? 'resource-group' : `resource-group-${objectName}`;
    return this.afterLast(new ResourceGroup(this, id, omitUndefined({
      ...this.azure('resources.azure.com', 'ResourceGroup', objectName),
      // A passive object never deletes the group.
      removalPolicy: this.isPassive || this.offboarding ? undefined : environment.groupRemoval,
      azureName: name === objectName ? undefined : name,
      location: location!,
      tags: this.tags,
    })));
  }

  private makeIdentity(id: string, target: CredentialTarget, props: TeamOnboardingProps): UserAssignedIdentity {
    const { team, environment } = this;
    const name = this.exportsOf(target);
    const exported = wantsClientId(target) ? deliveryOf(props, target).identityExports(target) : undefined;
    const { operator, workload } = team.identities;
    const existing = id === 'identity' ? operator : workload;
    const where = existing
      ? watched(environment.armIdOf(existing))
      : { owner: environment.conventions.ownersByArmId ? ResourceGroup.fromArmId(team.resourceGroupId) : this.resourceGroup };
    return this.afterLast(new UserAssignedIdentity(this, id, omitUndefined({
      ...this.azure('managedidentity.azure.com', 'UserAssignedIdentity', target.identityName),
      ...where,
      location: team.location,
      operatorSpec: omitUndefined({
        configMaps: { principalId: { name, key: 'principalId' }, clientId: { name, key: 'clientId' } },
        configMapExpressions: exported?.configMapExpressions,
        secretExpressions: exported?.secretExpressions,
      }),
      tags: existing ? undefined : this.tags,
    })));
  }

  private assign(
    id: string, name: string, on: IAzureResourceRef, role: IAzureResourceRef, principal: ConfigMapValue, condition?: string,
  ): RoleAssignment {
    if (this.roles.has(id)) {
      throw new Error(`[${this.node.path}] grant '${id}': the team has a grant of that id already. Give each its own.`);
    }
    const { principalTypes = true } = this.environment.conventions;
    const assignment = this.afterLast(new RoleAssignment(this, `role-${id}`, omitUndefined({
      ...this.azure('authorization.azure.com', 'RoleAssignment', name, this.idOf(on)),
      owner: on,
      principalIdFromConfig: principal,
      // With a principal type, Azure does not look up the identity, which it would not find for a minute or two.
      principalType: principalTypes ? PrincipalType.SERVICE_PRINCIPAL : undefined,
      roleDefinitionReference: role,
      condition,
      conditionVersion: condition === undefined ? undefined : '2.0',
    })));
    this.roles.set(id, assignment);
    return assignment;
  }

  /** The objects that need the client id of the operator's identity. */
  private get operatorTarget(): CredentialTarget {
    const { team, environment: { naming }, parts } = this;
    return {
      team,
      identityName: this.identity?.name ?? naming.teamIdentity(team),
      credential: parts.includes(OnboardingPart.CREDENTIAL),
      serviceAccounts: this.isSeparate ? [] : this.podAccounts,
    };
  }

  /** The objects that need the client id of the pods' identity. */
  private get workloadTarget(): CredentialTarget {
    if (!this.isSeparate) {
      return { team: this.team, identityName: this.operatorTarget.identityName, credential: false, serviceAccounts: [] };
    }
    const identityName = this.workloadIdentity?.name ?? this.environment.naming.teamWorkloadIdentity(this.team);
    // Deliveries that can write Secrets only write the client id to this Secret, which is not a credential of the operator.
    return { team: this.team, identityName, credential: false, secretName: identityName, serviceAccounts: this.podAccounts };
  }

  private get podAccounts(): CredentialServiceAccount[] {
    const { naming, conventions } = this.environment;
    const account = omitUndefined({ name: naming.teamServiceAccount(this.team), labels: conventions.labels?.serviceAccount(this.team) });
    return this.parts.includes(OnboardingPart.TEAM_SERVICE_ACCOUNT) ? [account] : [];
  }

  private deliver(
    id: string, props: TeamOnboardingProps, target: CredentialTarget, identity?: UserAssignedIdentity,
  ): DeliveredCredential | undefined {
    if (!wantsClientId(target)) return undefined;
    const delivered = teamCredential(new Construct(this, id), props, target, identity, this.namespaceObject);
    for (const object of [delivered.secret, ...delivered.serviceAccounts]) if (object) this.afterLast(object);
    return delivered;
  }

  private inNamespace(
    id: string,
    apiVersion: string,
    kind: string,
    name: string,
    spec?: unknown,
    labels?: { [key: string]: string },
  ): ApiObject {
    const metadata = { name, namespace: this.team.namespace, ...(labels && { labels }) };
    return this.afterLast(new ApiObject(this, id, { apiVersion, kind, metadata, ...(spec === undefined ? {} : { spec }) }));
  }

  /** ARM id of the scope of a role; empty for an object of the platform, which is in the subscription of the environment. */
  private idOf(on: IAzureResourceRef): string {
    return on.azureResourceRef.armId ?? (this.resourceGroups.some((group) => group === on) ? this.team.resourceGroupId : '');
  }

  /** Common props of an object in the platform's namespace, for a resource in the team's subscription, or in that of its owner. */
  private azure(group: string, kind: string, name: string, ownerId = this.team.resourceGroupId): AzureResourceProps {
    return platformObject(this.environment, this.cluster, group, kind, name, credentialFor(ownerId, this.environment));
  }

  /** Emits objects in the order of their dependencies. */
  private afterLast<T extends IConstruct>(object: T): T {
    if (this.last) emitAfter(object, this.last);
    this.last = object;
    return object;
  }
}

/** The props of an object that only watches an identity, to export its ids. */
function watched(armId: string): Pick<UserAssignedIdentityProps, 'owner' | 'azureName' | 'reconcilePolicy'> {
  const [group = ''] = armId.split(/\/providers\//i);
  return { owner: ResourceGroup.fromArmId(group), azureName: armId.split('/').pop()!, reconcilePolicy: ReconcilePolicy.SKIP };
}
