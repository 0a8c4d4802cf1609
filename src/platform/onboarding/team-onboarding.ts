import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { IConstruct } from 'constructs';
import { certificateMirrorSpec, checkCertificates } from './certificate-mirror';
import { chosenParts, partOfGrant } from './chosen-parts';
import { checkFederations, federate, WORKLOAD_SERVICE_ACCOUNT } from './federations';
import { checkNeighbours } from './neighbours';
import { checkNetworkAccess, networkPolicySpec } from './network-policies';
import { OnboardingPart } from './onboarding-part';
import { clusterOf, fromPlatformNamespace, isPassive, platformObject } from './platform-objects';
import { checkClientIds, deliveryOf, teamCredential, wantsClientId } from './team-credential';
import type { TeamOnboardingProps } from './team-onboarding-props';
import { CREDENTIAL_REQUIRED, RECONCILE_POLICY } from '../../azure/annotations';
import { BuiltInRole, ConfigMapValue, DefaultAzureName } from '../../core';
import type { AzureResourceProps, IAzureResourceRef } from '../../core';
import { emitAfter } from '../../core/checks/chart-order';
import { RoleAssignment, RoleAssignmentPrincipalType } from '../../services/authorization/role-assignment';
import type { FederatedIdentityCredential } from '../../services/managedidentity/federated-identity-credential';
import { UserAssignedIdentity } from '../../services/managedidentity/user-assigned-identity';
import type { IUserAssignedIdentityRef } from '../../services/managedidentity/user-assigned-identity';
import { ResourceGroup } from '../../services/resources/resource-group';
import type { IResourceGroupRef } from '../../services/resources/resource-group';
import type { CredentialServiceAccount, CredentialTarget, DeliveredCredential } from '../credentials/credential-delivery-contract';
import type { Cluster } from '../model/cluster';
import { NetworkPolicyFlavour, PodSecurityLevel } from '../model/conventions';
import type { Environment } from '../model/environment';
import type { Grant } from '../model/grant';
import type { Offboarding } from '../model/offboarding';
import { applyOffboarding, namespacePolicyWhenOffboarding } from '../model/offboarding-policies';
import { PlatformProblems } from '../model/problems';
import { CONTAINER_DEFAULT, CONTAINER_MIN, DEFAULT_QUOTAS } from '../model/quantities';
import { TeamIdentities, TeamIdentity } from '../model/team-identities';
import type { TeamInEnvironment } from '../model/team-in-environment';
import { grantedIdentity } from '../naming/concerned-identity';
import { markAsPlatformMade } from '../policy/platform-made';
import { SelfServiceGuardRails } from '../policy/self-service-guard-rails';


/**
 * Everything that a team needs in an environment before it can help itself: a namespace with limits, a resource group, an identity that is
 * trusted and has roles, and the credential with which the operator acts for the team.
 *
 * What belongs to the platform (group, identity, trust, roles) stands in the platform's namespace, what the team works with in the team's.
 * Each part can be left out, replaced by one of your own, and is public for what is to be added to it.
 */
export class TeamOnboarding extends Construct {
  /** The team in the environment. */
  public readonly team: TeamInEnvironment;
  /** The cluster for which the objects are. */
  public readonly cluster: Cluster;
  /** The parts that are made. */
  public readonly parts: OnboardingPart[];
  /** The Namespace. */
  public readonly namespaceObject?: ApiObject;
  /** How much the namespace may use. */
  public readonly resourceQuota?: ApiObject;
  /** How much a container may use. */
  public readonly limitRange?: ApiObject;
  /** Who may talk to the namespace's pods. */
  public readonly networkPolicy?: ApiObject;
  /** The copy of the platform's trusted certificates: an AzureAppConfigurationProvider. */
  public readonly trustedCertificates?: ApiObject;
  /** The resource group: made here, or given, or that of the name. */
  public readonly resourceGroup: IResourceGroupRef;
  /** The identity under which the operator acts for the team: made here or given. */
  public readonly identity?: UserAssignedIdentity;
  /** The identity of the team's pods, where it is another one: made here or given. */
  public readonly workloadIdentity?: UserAssignedIdentity;
  /** Whom the identities trust. */
  public readonly federations: FederatedIdentityCredential[];
  /** The service account with whose token the operator signs in when it is strict. */
  public readonly workloadServiceAccount?: ApiObject;
  /** How the client id of the operator's identity gets into the team's namespace; where identities are shared, to the pods too. */
  public readonly credential?: DeliveredCredential;
  /** How the client id of the pods' identity gets into the team's namespace, where it is another one. */
  public readonly workloadCredential?: DeliveredCredential;
  /** What the team's people may do, and what the cluster refuses. */
  public readonly guardRails?: SelfServiceGuardRails;

  private readonly environment: Environment;
  private readonly roles = new Map<string, RoleAssignment>();
  private last?: IConstruct;

  /**
   * @param scope a chart, or a construct in one
   * @param id name of the construct in its scope
   * @param props the team, and how it is onboarded
   * @throws when something is missing or malformed: one error that names all of it
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
    this.resourceGroup = props.resourceGroup ?? (has(OnboardingPart.RESOURCE_GROUP) ? this.makeGroup() : ResourceGroup.fromName(this.groupName));
    this.identity = props.identity ?? (has(OnboardingPart.IDENTITY) ? this.makeIdentity('identity', this.operatorTarget, props) : undefined);
    this.workloadIdentity = props.workloadIdentity
      ?? (has(OnboardingPart.WORKLOAD_IDENTITY) ? this.makeIdentity('workload-identity', this.workloadTarget, props) : undefined);
    this.federations = federate(this, team, this.cluster, parts, {
      operator: this.refOf(this.identity, this.operatorTarget),
      workload: this.refOf(this.workloadIdentity, this.workloadTarget),
    });
    for (const federation of this.federations) this.afterLast(federation);
    if (has(OnboardingPart.RESOURCE_GROUP_ROLE)) {
      const role = this.environment.roles.resourceGroup ?? BuiltInRole.CONTRIBUTOR;
      this.assign('group', this.environment.naming.groupRole(team), this.resourceGroup, role, this.operatorPrincipal);
    }
    for (const grant of team.grants) if (has(partOfGrant(grant.id))) this.grant(grant);
    if (has(OnboardingPart.WORKLOAD_FEDERATION)) this.workloadServiceAccount = this.makeWorkloadServiceAccount();
    if (has(OnboardingPart.TRUSTED_CERTIFICATES)) this.trustedCertificates = this.makeCertificates();
    this.credential = this.deliver('credential', props, this.operatorTarget, this.identity);
    this.workloadCredential = this.deliver('workload-credential', props, this.workloadTarget, this.workloadIdentity);
    if (has(OnboardingPart.GUARD_RAILS)) this.guardRails = this.afterLast(new SelfServiceGuardRails(this, 'guard-rails', { team, policy: props.policy! }));
  }

  /**
   * Gives one of the team's identities a further role.
   * @param grant on what, which role, and which identity
   * @throws when there is a grant of that id already
   */
  public grant(grant: Grant): RoleAssignment {
    const { id, role, condition } = grant;
    const isWorkload = grantedIdentity(grant, this.environment.teamIdentities) === TeamIdentity.WORKLOAD;
    const on = fromPlatformNamespace(grant.on, this.environment);
    const principal = isWorkload ? this.principalOf(this.workloadIdentity, this.workloadTarget) : this.operatorPrincipal;
    return this.assign(id, this.environment.naming.grantRole(this.team, grant), on, role, principal, condition);
  }

  /**
   * The role assignment of a grant; undefined where it is not made here.
   * @param id the grant's id: that of the team's grants, of a shared service (`service-bus`), or `group` for the team's own group
   */
  public roleAssignment(id: string): RoleAssignment | undefined {
    return this.roles.get(id);
  }

  /** Whether the objects only watch, because another cluster of the environment manages. */
  public get isPassive(): boolean {
    return isPassive(this.cluster);
  }

  /** Of what manages: what only watches leaves nothing and takes nothing. */
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

  /** Kubernetes knows lower-case letters only. */
  private get groupName(): string {
    return this.team.resourceGroup.toLowerCase();
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
        annotations: Object.keys(annotations).length > 0 ? annotations : undefined,
        labels: {
          ...(podSecurity === PodSecurityLevel.CLUSTER_DEFAULT ? {} : { 'pod-security.kubernetes.io/enforce': podSecurity }),
          ...labels?.namespace(this.team),
          ...namespaceLabels,
        },
      },
    }));
  }

  private makeQuotas(): [ApiObject, ApiObject] {
    const { cpu, memory, pods, containerMaxCpu, containerMaxMemory } = { ...DEFAULT_QUOTAS, ...this.team.quotas };
    const name = this.environment.naming.quotas(this.team);
    const labels = this.environment.conventions.labels?.quotas(this.team);
    const quota = { hard: { cpu, memory, pods: String(pods) } };
    const limit = {
      type: 'Container',
      default: CONTAINER_DEFAULT,
      defaultRequest: CONTAINER_DEFAULT,
      max: { cpu: containerMaxCpu, memory: containerMaxMemory },
      min: CONTAINER_MIN,
    };
    return [
      this.inNamespace('quota', 'v1', 'ResourceQuota', name, quota, labels),
      this.inNamespace('limits', 'v1', 'LimitRange', name, { limits: [limit] }, labels),
    ];
  }

  private makeNetworkPolicy({ network }: TeamOnboardingProps): ApiObject {
    const flavour = this.environment.conventions.networkPolicy ?? NetworkPolicyFlavour.KUBERNETES;
    return this.inNamespace(
      'network-policy', flavour, 'NetworkPolicy', this.environment.naming.networkPolicy(this.team), networkPolicySpec(flavour, this.team.namespace, network ?? {}),
    );
  }

  /** No pod runs with it: the operator asks for its tokens. */
  private makeWorkloadServiceAccount(): ApiObject {
    const metadata = { name: WORKLOAD_SERVICE_ACCOUNT, namespace: this.team.namespace };
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false };
    return this.afterLast(new ApiObject(this, 'workload-service-account', account));
  }

  private makeCertificates(): ApiObject {
    const name = this.environment.naming.trustedCertificates(this.team);
    return this.inNamespace('trusted-certificates', 'azconfig.io/v1', 'AzureAppConfigurationProvider', name, certificateMirrorSpec(this.environment));
  }

  private makeGroup(): ResourceGroup {
    const { team, environment } = this;
    return this.afterLast(new ResourceGroup(this, 'resource-group', {
      ...this.azure('resources.azure.com', 'ResourceGroup', this.groupName),
      // A watched group is never deleted.
      removalPolicy: this.isPassive || this.offboarding ? undefined : environment.groupRemoval,
      azureName: team.resourceGroup === this.groupName ? undefined : team.resourceGroup,
      location: environment.location,
      tags: this.tags,
    }));
  }

  private makeIdentity(id: string, target: CredentialTarget, props: TeamOnboardingProps): UserAssignedIdentity {
    const { team, environment } = this;
    const name = this.exportsOf(target);
    const exported = wantsClientId(target) ? deliveryOf(props, target).identityExports(target) : undefined;
    return this.afterLast(new UserAssignedIdentity(this, id, {
      ...this.azure('managedidentity.azure.com', 'UserAssignedIdentity', target.identityName),
      owner: environment.conventions.ownersByArmId ? ResourceGroup.fromArmId(team.resourceGroupId) : this.resourceGroup,
      location: environment.location,
      operatorSpec: {
        configMaps: { principalId: { name, key: 'principalId' }, clientId: { name, key: 'clientId' } },
        configMapExpressions: exported?.configMapExpressions,
        secretExpressions: exported?.secretExpressions,
      },
      tags: this.tags,
    }));
  }

  private assign(
    id: string, name: string, on: IAzureResourceRef, role: IAzureResourceRef, principal: ConfigMapValue, condition?: string,
  ): RoleAssignment {
    if (this.roles.has(id)) throw new Error(`[${this.node.path}] grant '${id}': the team has a grant of that id already. Give each its own.`);
    const { principalTypes = true } = this.environment.conventions;
    const assignment = this.afterLast(new RoleAssignment(this, `role-${id}`, {
      ...this.azure('authorization.azure.com', 'RoleAssignment', name),
      owner: on,
      principalIdFromConfig: principal,
      // Azure then does not look the identity up, which it would not find for a minute or two.
      principalType: principalTypes ? RoleAssignmentPrincipalType.SERVICE_PRINCIPAL : undefined,
      roleDefinitionReference: role,
      condition,
      conditionVersion: condition === undefined ? undefined : '2.0',
    }));
    this.roles.set(id, assignment);
    return assignment;
  }

  /** What is to have the client id of the operator's identity. */
  private get operatorTarget(): CredentialTarget {
    const { team, environment: { naming }, parts } = this;
    return {
      team,
      identityName: this.identity?.name ?? naming.teamIdentity(team),
      credential: parts.includes(OnboardingPart.CREDENTIAL),
      serviceAccounts: this.isSeparate ? [] : this.podAccounts,
    };
  }

  /** What is to have the client id of the pods' identity. */
  private get workloadTarget(): CredentialTarget {
    if (!this.isSeparate) return { team: this.team, identityName: this.operatorTarget.identityName, credential: false, serviceAccounts: [] };
    const identityName = this.workloadIdentity?.name ?? this.environment.naming.teamWorkloadIdentity(this.team);
    // Deliveries that write Secrets only put the client id there: no credential of the operator.
    return { team: this.team, identityName, credential: false, secretName: identityName, serviceAccounts: this.podAccounts };
  }

  private get podAccounts(): CredentialServiceAccount[] {
    const { naming, conventions } = this.environment;
    const account = { name: naming.teamServiceAccount(this.team), labels: conventions.labels?.serviceAccount(this.team) };
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

  private inNamespace(id: string, apiVersion: string, kind: string, name: string, spec?: unknown, labels?: { [key: string]: string }): ApiObject {
    const metadata = { name, namespace: this.team.namespace, labels };
    return this.afterLast(new ApiObject(this, id, { apiVersion, kind, metadata, ...(spec === undefined ? {} : { spec }) }));
  }

  private azure(group: string, kind: string, name: string): AzureResourceProps {
    return platformObject(this.environment, this.cluster, group, kind, name);
  }

  /** Objects are applied in the order in which they need each other. */
  private afterLast<T extends IConstruct>(object: T): T {
    if (this.last) emitAfter(object, this.last);
    this.last = object;
    return object;
  }
}
