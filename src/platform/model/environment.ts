import { Cluster, ClusterMode, WorkloadIdentityMode } from './cluster';
import type { PlatformConventions } from './conventions';
import type { PlatformTeam } from './platform-team';
import { PlatformProblems } from './problems';
import { checkQuotas, DEFAULT_QUOTAS } from './quantities';
import type { Quotas } from './quotas';
import type { RoleChoices } from './role-choices';
import { armTypeOfService } from './shared-kind-facts';
import type { SharedService } from './shared-service';
import { assertSharedServices } from './shared-service-checks';
import type { SharedServices } from './shared-services';
import { TeamIdentities } from './team-identities';
import { DNS_LABEL } from '../../azure/dns-name';
import { UUID } from '../../azure/uuid';
import { AzureReference, RemovalPolicy } from '../../core';
import type { AsoRelease, IAzureResourceRef } from '../../core';
import { DefaultPlatformNaming } from '../naming/default-platform-naming';
import type { IPlatformNaming } from '../naming/platform-naming';


/** Properties of an `Environment`. */
export interface EnvironmentProps {
  /** Name of the environment, e.g. `dev`. Part of names and tags. */
  readonly name: string;

  /**
   * Instance, if the environment exists several times, e.g. `01`.
   * @default - none
   */
  readonly instance?: string;

  /** The subscription, a UUID. */
  readonly subscriptionId: string;

  /**
   * Name of the subscription. Part of the names of role assignments, which must be unique in the tenant.
   * @default - the name and the instance of the environment
   */
  readonly subscriptionName?: string;

  /** The Entra tenant, a UUID. */
  readonly tenantId: string;

  /** The default region, e.g. `uksouth`. */
  readonly location: string;

  /** The clusters, of which one is active and the others are passive. */
  readonly clusters: Cluster[];

  /**
   * The team that operates the platform.
   * @default - the namespace `platform`, without identity, groups or service accounts
   */
  readonly platform?: PlatformTeam;

  /**
   * The services that all teams share.
   * @default - none
   */
  readonly shared?: SharedServices;

  /**
   * The roles of teams and their services.
   * @default - Contributor on a team's own group, built-in roles for data
   */
  readonly roles?: RoleChoices;

  /**
   * Quotas of teams without quotas of their own. They replace the defaults as a whole: what is left out is not limited.
   * @default - see `Quotas`
   */
  readonly quotas?: Quotas;

  /**
   * The naming strategy for all objects and resources.
   * @default - new DefaultPlatformNaming()
   */
  readonly naming?: IPlatformNaming;

  /**
   * Conventions for the objects, besides their names.
   * @default - standard Kubernetes, no labels for tools
   */
  readonly conventions?: PlatformConventions;

  /**
   * The release of Azure Service Operator that the clusters run.
   * @default - the newest stable versions
   */
  readonly release?: AsoRelease;

  /**
   * API versions of single kinds, instead of those of the release: `{ 'authorization.azure.com/RoleAssignment': 'v1api20200801preview' }`.
   * @default - none
   */
  readonly apiVersions?: { [kind: string]: string };

  /**
   * The service account whose token the operator uses to sign in for a team.
   * @default WorkloadIdentityMode.BOTH
   */
  readonly workloadIdentity?: WorkloadIdentityMode;

  /**
   * Whether the operator acts for a team under another identity than the team's pods.
   * @default TeamIdentities.SEPARATE
   */
  readonly teamIdentities?: TeamIdentities;

  /**
   * Policy of a team's resource group, with all resources in it, when the team's objects are deleted.
   * @default RemovalPolicy.RETAIN
   */
  readonly groupRemoval?: RemovalPolicy;

  /**
   * SKU of services' storage accounts, e.g. `Standard_ZRS`.
   * @default Standard_LRS
   */
  readonly storageAccountSku?: string;

  /**
   * Tags of all taggable resources.
   * @default - none
   */
  readonly tags?: { [key: string]: string };
}

/**
 * An environment of a platform: one subscription, its clusters, the services that its teams share, and its naming strategy. A value object
 * that is validated once and then passed to every team and service.
 */
export class Environment {
  /** Name of the environment. */
  public readonly name: string;
  /** Instance, if the environment exists several times; empty otherwise. */
  public readonly instance: string;
  /** The subscription. */
  public readonly subscriptionId: string;
  /** Name of the subscription in lower case, as in the names of role assignments. */
  public readonly subscriptionName: string;
  /** The Entra tenant. */
  public readonly tenantId: string;
  /** The region. */
  public readonly location: string;
  /** The clusters. */
  public readonly clusters: Cluster[];
  /** The team that operates the platform. */
  public readonly platform: PlatformTeam;
  /** Namespace of the platform's own objects. */
  public readonly platformNamespace: string;
  /** The services that all teams share. */
  public readonly shared: SharedServices;
  /** The roles of teams and their services. */
  public readonly roles: RoleChoices;
  /** Quotas of teams without quotas of their own. */
  public readonly quotas: Quotas;
  /** The naming strategy for all objects and resources. */
  public readonly naming: IPlatformNaming;
  /** Conventions for the objects, besides their names. */
  public readonly conventions: PlatformConventions;
  /** The release of Azure Service Operator that the clusters run, if known. */
  public readonly release: AsoRelease | undefined;
  /** API versions of single kinds. */
  public readonly apiVersions: { [kind: string]: string };
  /** The service account whose token the operator uses to sign in for a team. */
  public readonly workloadIdentity: WorkloadIdentityMode;
  /** Whether the operator acts for a team under another identity than the team's pods. */
  public readonly teamIdentities: TeamIdentities;
  /** Policy of a team's resource group when the team's objects are deleted. */
  public readonly groupRemoval: RemovalPolicy;
  /** SKU of services' storage accounts. */
  public readonly storageAccountSku: string;
  /** Tags of all taggable resources. */
  public readonly tags: { [key: string]: string };

  /**
   * @param props subscription, clusters and settings
   * @throws when a value is missing or malformed: one error that names all of them
   */
  public constructor(private readonly props: EnvironmentProps) {
    assertProps(props);
    this.name = props.name;
    this.instance = props.instance ?? '';
    this.subscriptionId = props.subscriptionId;
    this.subscriptionName = (props.subscriptionName ?? [props.name, props.instance].filter(Boolean).join('-')).toLowerCase();
    this.tenantId = props.tenantId;
    this.location = props.location;
    this.clusters = [...props.clusters];
    this.platform = props.platform ?? {};
    this.platformNamespace = this.platform.namespace ?? 'platform';
    this.shared = props.shared ?? {};
    this.roles = { ...props.roles };
    this.quotas = { ...(props.quotas ?? DEFAULT_QUOTAS) };
    this.naming = props.naming ?? new DefaultPlatformNaming();
    this.conventions = { ...props.conventions };
    this.release = props.release;
    this.apiVersions = { ...props.apiVersions };
    this.workloadIdentity = props.workloadIdentity ?? WorkloadIdentityMode.BOTH;
    this.teamIdentities = props.teamIdentities ?? TeamIdentities.SEPARATE;
    this.groupRemoval = props.groupRemoval ?? RemovalPolicy.RETAIN;
    this.storageAccountSku = props.storageAccountSku ?? 'Standard_LRS';
    this.tags = { ...props.tags };
  }

  /** The cluster whose objects manage Azure resources. */
  public get activeCluster(): Cluster {
    return this.clusters.find((cluster) => (cluster.mode ?? ClusterMode.ACTIVE) === ClusterMode.ACTIVE)!;
  }

  /**
   * The same environment with another active cluster; all others become passive. Apply the manifests of the clusters that become passive
   * first, so that two clusters never manage the same resource.
   * @param clusterName name of the cluster that becomes active
   * @throws when the environment has no such cluster
   */
  public withActive(clusterName: string): Environment {
    const problems = new PlatformProblems(`Environment '${this.name}'`);
    if (!this.clusters.some(({ name }) => name === clusterName)) {
      problems.add(
        'clusters',
        `'${clusterName}' is none of them. The environment has ${this.clusters.map(({ name }) => `'${name}'`).join(', ')}.`,
      );
    }
    problems.throwIfAny();
    const clusters = this.clusters.map((cluster) => ({
      ...cluster,
      mode: cluster.name === clusterName ? ClusterMode.ACTIVE : ClusterMode.PASSIVE,
    }));
    return new Environment({ ...this.props, clusters });
  }

  /**
   * The ARM id of a shared service.
   * @param reference the construct, or the result of `fromArmId`
   */
  public armIdOf(reference: IAzureResourceRef): string {
    return AzureReference.armIdFor(reference, this.subscriptionId);
  }

  /**
   * A shared service; undefined if the environment has none of that name.
   * @param name name of the shared service
   */
  public sharedService(name: string): SharedService | undefined {
    return this.shared.services?.find((service) => service.name === name);
  }

  /**
   * The shared services of an ARM type.
   * @internal
   */
  public _sharedOfType(armType: string): SharedService[] {
    return (this.shared.services ?? []).filter((service) => armTypeOfService(service)?.toLowerCase() === armType.toLowerCase());
  }

  /**
   * The API version of a kind, if it does not follow the release.
   * @param group e.g. `storage.azure.com`
   * @param kind e.g. `StorageAccount`
   */
  public apiVersionOf(group: string, kind: string): string | undefined {
    return this.apiVersions[`${group}/${kind}`];
  }
}

function assertProps(props: EnvironmentProps): void {
  const problems = new PlatformProblems(`Environment '${props.name}'`);
  problems.requireName('name', props.name, 'Give the environment a short name such as \'dev\'.');
  for (const field of ['subscriptionId', 'tenantId'] as const) {
    if (!UUID.test(props[field] ?? '')) {
      problems.add(field, `'${props[field] ?? ''}' is no UUID. Give the id, e.g. 2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52.`);
    }
  }
  if (!/^[a-z0-9]+$/.test(props.location ?? '')) {
    problems.add('location', `'${props.location ?? ''}' is no region. Give its name as Azure's tools do, e.g. 'uksouth'.`);
  }
  for (const field of ['subscriptionName', 'instance'] as const) {
    if (props[field] === '') problems.add(field, 'required where it is given. Leave it out, or write it.');
    else if (props[field] !== undefined) problems.requireName(field, props[field], 'Write it.');
  }
  assertClusters(props.clusters ?? [], problems);
  assertOneOf('workloadIdentity', props.workloadIdentity, WorkloadIdentityMode, problems);
  assertOneOf('teamIdentities', props.teamIdentities, TeamIdentities, problems);
  assertOneOf('groupRemoval', props.groupRemoval, RemovalPolicy, problems);
  assertPlatform(props.platform ?? {}, problems);
  checkQuotas(props.quotas ?? {}, problems);
  assertSharedServices(props.shared?.services ?? [], problems);
  problems.throwIfAny();
}

function assertOneOf(field: string, value: string | undefined, values: Readonly<Record<string, string>>, problems: PlatformProblems): void {
  if (value !== undefined && !Object.values(values).includes(value)) {
    problems.add(field, `'${value}' is none of ${Object.values(values).join(', ')}.`);
  }
}

function assertPlatform(platform: PlatformTeam, problems: PlatformProblems): void {
  const { namespace, databaseAdministrator, identityClientId, databaseAdministratorClientId } = platform;
  if (namespace !== undefined) assertLabel('platform.namespace', namespace, problems);
  if (databaseAdministrator !== undefined) assertLabel('platform.databaseAdministrator', databaseAdministrator, problems);
  for (const [field, id] of Object.entries({ identityClientId, databaseAdministratorClientId })) {
    if (id !== undefined && !UUID.test(id)) problems.add(`platform.${field}`, `'${id}' is no UUID. Give the client id of the identity.`);
  }
}

function assertLabel(field: string, value: string, problems: PlatformProblems): void {
  if (!DNS_LABEL.test(value)) {
    problems.add(field, `'${value}' is no DNS label. Write lower-case letters, digits and '-', 63 characters at most.`);
  }
}

function assertClusters(clusters: Cluster[], problems: PlatformProblems): void {
  if (clusters.length === 0) problems.add('clusters', 'required. Give at least the cluster that the objects are for.');
  const names = new Set<string>();
  const issuers = new Map<string, string>();
  clusters.forEach((cluster, index) => {
    const field = `clusters[${index}]`;
    problems.requireName(`${field}.name`, cluster.name, 'Give the cluster\'s name.');
    if (names.has(cluster.name)) problems.add(`${field}.name`, `'${cluster.name}' is another cluster's name too. Give each its own.`);
    names.add(cluster.name);
    const other = issuers.get(cluster.oidcIssuerUrl);
    if (other !== undefined) {
      problems.add(`${field}.oidcIssuerUrl`, `is that of cluster '${other}' too. Each cluster has an issuer of its own.`);
    }
    issuers.set(cluster.oidcIssuerUrl, cluster.name);
    for (const name of ['operatorNamespace', 'operatorServiceAccount'] as const) {
      const value = cluster[name];
      if (value !== undefined) assertLabel(`${field}.${name}`, value, problems);
    }
    assertOneOf(`${field}.mode`, cluster.mode, ClusterMode, problems);
    if (!/^https:\/\/[^\s]+$/.test(cluster.oidcIssuerUrl ?? '')) {
      problems.add(`${field}.oidcIssuerUrl`, `'${cluster.oidcIssuerUrl ?? ''}' is no https:// URL. Give the issuer as the cluster spells it (az aks show --query oidcIssuerProfile.issuerUrl).`);
    }
  });
  const active = clusters.filter((cluster) => (cluster.mode ?? ClusterMode.ACTIVE) === ClusterMode.ACTIVE);
  if (clusters.length > 0 && active.length !== 1) {
    const got = active.length === 0 ? 'none is active' : `${active.map((cluster) => `'${cluster.name}'`).join(' and ')} are active`;
    problems.add('clusters', `${got}, so ${active.length === 0 ? 'nobody would manage' : 'they would fight over'} the environment's Azure resources. Make exactly one active and the others mode: ClusterMode.PASSIVE.`);
  }
}
