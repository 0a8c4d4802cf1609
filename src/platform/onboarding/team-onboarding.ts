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
import { deliveryOf, teamCredential } from './team-credential';
import type { TeamOnboardingProps } from './team-onboarding-props';
import { UUID } from '../../azure/uuid';
import { BuiltInRole, ConfigMapValue, DefaultAzureName } from '../../core';
import type { AzureResourceProps, IAzureResourceRef } from '../../core';
import { POLICY_ANNOTATION } from '../../core/checks/annotations';
import { emitAfter } from '../../core/checks/chart-order';
import { RoleAssignment, RoleAssignmentPrincipalType } from '../../services/authorization/role-assignment';
import type { FederatedIdentityCredential } from '../../services/managedidentity/federated-identity-credential';
import { UserAssignedIdentity } from '../../services/managedidentity/user-assigned-identity';
import type { IUserAssignedIdentityRef } from '../../services/managedidentity/user-assigned-identity';
import { ResourceGroup } from '../../services/resources/resource-group';
import type { IResourceGroupRef } from '../../services/resources/resource-group';
import type { CredentialTarget, DeliveredCredential } from '../credentials/credential-delivery-contract';
import type { Cluster } from '../model/cluster';
import { NetworkPolicyFlavour, PodSecurityLevel } from '../model/conventions';
import type { Environment } from '../model/environment';
import type { Grant } from '../model/grant';
import { applyLeaving, namespacePolicyWhenLeaving } from '../model/leaving';
import type { Offboarding } from '../model/offboarding';
import { PlatformProblems } from '../model/problems';
import { CONTAINER_DEFAULT, CONTAINER_MIN, DEFAULT_QUOTAS } from '../model/quantities';
import type { TeamInEnvironment } from '../model/team-in-environment';
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
  /** The identity: made here or given. */
  public readonly identity?: UserAssignedIdentity;
  /** Whom the identity trusts. */
  public readonly federations: FederatedIdentityCredential[];
  /** The service account with whose token the operator signs in when it is strict. */
  public readonly workloadServiceAccount?: ApiObject;
  /** How the client id gets into the team's namespace. */
  public readonly credential?: DeliveredCredential;
  /** What the team's people may do, and what the cluster refuses. */
  public readonly guardRails?: SelfServiceGuardRails;

  private readonly environment: Environment;
  private readonly principalId: ConfigMapValue;
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
    applyLeaving(this, this.leaving);
    const has = (part: OnboardingPart) => parts.has(part);

    if (has(OnboardingPart.NAMESPACE)) this.namespaceObject = this.makeNamespace(props);
    if (has(OnboardingPart.QUOTAS)) [this.resourceQuota, this.limitRange] = this.makeQuotas();
    if (has(OnboardingPart.NETWORK_POLICY)) this.networkPolicy = this.makeNetworkPolicy(props);
    this.resourceGroup = props.resourceGroup ?? (has(OnboardingPart.RESOURCE_GROUP) ? this.makeGroup() : ResourceGroup.fromName(this.groupName));
    this.identity = props.identity ?? (has(OnboardingPart.IDENTITY) ? this.makeIdentity(props) : undefined);
    this.principalId = this.identity?.outputs.principalId ?? ConfigMapValue.fromConfigMap(this.environment.naming.teamIdentityExports(team), 'principalId');
    this.federations = federate(this, team, this.cluster, parts, this.identityRef);
    for (const federation of this.federations) this.afterLast(federation);
    if (has(OnboardingPart.RESOURCE_GROUP_ROLE)) {
      const role = this.environment.roles.resourceGroup ?? BuiltInRole.CONTRIBUTOR;
      this.assign('group', this.environment.naming.groupRole(team), this.resourceGroup, role);
    }
    for (const grant of team.grants) if (has(partOfGrant(grant.id))) this.grant(grant);
    if (has(OnboardingPart.WORKLOAD_FEDERATION)) this.workloadServiceAccount = this.inNamespace('workload-service-account', 'v1', 'ServiceAccount', WORKLOAD_SERVICE_ACCOUNT);
    if (has(OnboardingPart.TRUSTED_CERTIFICATES)) this.trustedCertificates = this.makeCertificates();
    this.credential = this.deliver(props);
    if (has(OnboardingPart.GUARD_RAILS)) this.guardRails = this.afterLast(new SelfServiceGuardRails(this, 'guard-rails', { team, policy: props.policy! }));
  }

  /**
   * Gives the team's identity a further role.
   * @param grant on what, and which role
   * @throws when there is a grant of that id already
   */
  public grant(grant: Grant): RoleAssignment {
    const { id, role, condition } = grant;
    const on = fromPlatformNamespace(grant.on, this.environment);
    return this.assign(id, this.environment.naming.grantRole(this.team, grant), on, role, condition);
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
  private get leaving(): Offboarding | undefined {
    return this.isPassive ? undefined : this.team.leaving;
  }

  private get identityName(): string {
    return this.environment.naming.teamIdentity(this.team);
  }

  private get identityRef(): IUserAssignedIdentityRef {
    return this.identity ?? UserAssignedIdentity.fromName(this.identityName);
  }

  /** Kubernetes knows small letters only. */
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
    if (props.clientId !== undefined && !UUID.test(props.clientId)) problems.add('clientId', `'${props.clientId}' is no UUID. Give the client id of the team's identity, or leave it out: it is delivered once it is known.`);
    if (props.clientId !== undefined && props.delivery) problems.add('delivery', 'clientId is given too, and then nothing has to be delivered. Give one of the two.');
    problems.throwIfAny();
    return parts;
  }

  private makeNamespace({ namespaceLabels }: TeamOnboardingProps): ApiObject {
    const { labels, podSecurity = PodSecurityLevel.RESTRICTED } = this.environment.conventions;
    return this.afterLast(new ApiObject(this, 'namespace', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: this.team.namespace,
        annotations: this.leaving === undefined ? undefined : { [POLICY_ANNOTATION]: namespacePolicyWhenLeaving(this.leaving) },
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

  private makeCertificates(): ApiObject {
    const name = this.environment.naming.trustedCertificates(this.team);
    return this.inNamespace('trusted-certificates', 'azconfig.io/v1', 'AzureAppConfigurationProvider', name, certificateMirrorSpec(this.environment));
  }

  private makeGroup(): ResourceGroup {
    const { team, environment } = this;
    return this.afterLast(new ResourceGroup(this, 'resource-group', {
      ...this.azure('resources.azure.com', 'ResourceGroup', this.groupName),
      // A watched group is never deleted.
      removalPolicy: this.isPassive || this.leaving ? undefined : environment.groupRemoval,
      azureName: team.resourceGroup === this.groupName ? undefined : team.resourceGroup,
      location: environment.location,
      tags: this.tags,
    }));
  }

  private makeIdentity(props: TeamOnboardingProps): UserAssignedIdentity {
    const { team, environment } = this;
    const name = environment.naming.teamIdentityExports(team);
    const exported = this.wantsClientId ? deliveryOf(props).identityExports(this.target) : undefined;
    return this.afterLast(new UserAssignedIdentity(this, 'identity', {
      ...this.azure('managedidentity.azure.com', 'UserAssignedIdentity', this.identityName),
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

  private assign(id: string, name: string, on: IAzureResourceRef, role: IAzureResourceRef, condition?: string): RoleAssignment {
    if (this.roles.has(id)) throw new Error(`[${this.node.path}] grant '${id}': the team has a grant of that id already. Give each its own.`);
    const { principalTypes = true } = this.environment.conventions;
    const assignment = this.afterLast(new RoleAssignment(this, `role-${id}`, {
      ...this.azure('authorization.azure.com', 'RoleAssignment', name),
      owner: on,
      principalIdFromConfig: this.principalId,
      // Azure then does not look the identity up, which it would not find for a minute or two.
      principalType: principalTypes ? RoleAssignmentPrincipalType.SERVICE_PRINCIPAL : undefined,
      roleDefinitionReference: role,
      condition,
      conditionVersion: condition === undefined ? undefined : '2.0',
    }));
    this.roles.set(id, assignment);
    return assignment;
  }

  /** What is to have the identity's client id. */
  private get target(): CredentialTarget {
    const { team, environment: { naming, conventions }, parts } = this;
    const account = { name: naming.teamServiceAccount(team), labels: conventions.labels?.serviceAccount(team) };
    return {
      team,
      identityName: this.identity?.name ?? this.identityName,
      credential: parts.includes(OnboardingPart.CREDENTIAL),
      serviceAccounts: parts.includes(OnboardingPart.TEAM_SERVICE_ACCOUNT) ? [account] : [],
    };
  }

  private get wantsClientId(): boolean {
    return this.parts.includes(OnboardingPart.CREDENTIAL) || this.parts.includes(OnboardingPart.TEAM_SERVICE_ACCOUNT);
  }

  private deliver(props: TeamOnboardingProps): DeliveredCredential | undefined {
    if (!this.wantsClientId) return undefined;
    const delivered = teamCredential(new Construct(this, 'credential'), props, this.target, this.identity, this.namespaceObject);
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
