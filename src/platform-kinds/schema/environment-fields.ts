import { ARM_ID, flag, list, map, PRIVATE_ACCESS, QUOTAS, SETTINGS, SHORT, TAGS, text, type PrivateAccessSpec } from './common-fields';
import { DESCRIPTIONS } from './descriptions';
import { choice, struct, type Field, type FieldsOf } from './field';
import { RemovalPolicy } from '../../core';
import type {
  Cluster, EnvironmentProps, PlatformConventions, PlatformTeam, PrivateDnsZones, RoleChoices, SharedServices,
  TrustedCertificates,
} from '../../platform';
import {
  ClusterMode, NetworkPolicyFlavour, PodSecurityLevel, TeamIdentities, TeamIdentity, WorkloadIdentityMode,
} from '../../platform';
import { SHARED_SERVICE_FACTORIES } from '../claims/shared-service-factories';

/** A shared service as data: its type, and the props of its factory. */
export interface SharedServiceSpec {
  /** The type: a factory of `SharedService`, e.g. `serviceBus`. */
  readonly type: string;
  /** ARM id of the resource. */
  readonly resource: string;
  /**
   * Name of the shared service, which teams give in `uses` and services in `on`.
   * @default - that of the type, e.g. `service-bus`
   */
  readonly name?: string;
  /**
   * The role that the identity of a team gets on the service: name of a built-in role, or the UUID or ARM id of a role definition.
   * @default - that of the type, if it has one
   */
  readonly role?: string;
  /**
   * The identity of a team that gets the role.
   * @default - that of the type
   */
  readonly roleTo?: TeamIdentity;
  /**
   * Whether the role allows teams to delete their resources in the service.
   * @default false
   */
  readonly mayDelete?: boolean;
  /**
   * Properties of the resources in the service by kind, which a request can replace with `settings`.
   * @default - those of the type
   */
  readonly defaults?: { [kind: string]: any };
  /**
   * Properties of the resources in the service by kind, which no request can change.
   * @default - those of the type
   */
  readonly fixed?: { [kind: string]: any };
  /**
   * Host name of a Front Door endpoint.
   * @default - the records of domains are aliases of the endpoint
   */
  readonly hostName?: string;
  /**
   * The Entra administrator of a database server, as which the controller gives services access to their databases.
   * @default - none: access to databases is left to others
   */
  readonly administrator?: DatabaseAdministratorSpec;
}

/** The administrator of a database server as data. */
export interface DatabaseAdministratorSpec {
  /** Login name of the administrator in the server: the name of the identity, application or group. */
  readonly name: string;
  /**
   * Name of the Secret in the platform's namespace with the credential of that administrator.
   * @default - the platform's own credential
   */
  readonly credentialSecret?: string;
}

/** The spec of an `Environment`: the props of the value, as data. What only TypeScript can give is a matter of the preset. */
export interface EnvironmentSpec
  extends Omit<EnvironmentProps, 'name' | 'naming' | 'conventions' | 'platform' | 'roles' | 'shared' | 'release'> {
  /**
   * Name of the environment, part of names and tags.
   * @default - the name of the object
   */
  readonly name?: string;
  /**
   * Conventions for the objects, besides names, labels and tags.
   * @default - those of the definition
   */
  readonly conventions?: Omit<PlatformConventions, 'labels' | 'serviceTags'>;
  /**
   * The team that operates the platform.
   * @default - the namespace `platform`, without identity, groups or service accounts
   */
  readonly platform?: Omit<PlatformTeam, 'roles' | 'databaseAdministratorIdentity'> & { readonly databaseAdministratorIdentity?: string };
  /**
   * The roles of teams and their services: names of built-in roles, or UUIDs or ARM ids of role definitions.
   * @default - Contributor on a team's own group, built-in roles for data
   */
  readonly roles?: { readonly [role in keyof RoleChoices]: string };
  /**
   * The services that all teams share.
   * @default - none
   */
  readonly shared?: Omit<SharedServices, 'services' | 'privateAccess'>
  & { readonly services?: readonly SharedServiceSpec[]; readonly privateAccess?: PrivateAccessSpec };
}

const CLUSTER = {
  name: SHORT,
  oidcIssuerUrl: text(),
  mode: choice(ClusterMode),
  operatorNamespace: SHORT,
  operatorServiceAccount: SHORT,
} satisfies FieldsOf<Cluster>;

const PLATFORM = {
  namespace: SHORT,
  identityClientId: SHORT,
  groups: list(SHORT),
  serviceAccounts: list(SHORT),
  reservedNamespaces: list(SHORT),
  databaseAdministrator: SHORT,
  databaseAdministratorClientId: SHORT,
  databaseAdministratorIdentity: ARM_ID,
} satisfies FieldsOf<NonNullable<EnvironmentSpec['platform']>>;

const ADMINISTRATOR = { name: SHORT, credentialSecret: SHORT } satisfies FieldsOf<DatabaseAdministratorSpec>;

const SERVICE = {
  type: choice(Object.keys(SHARED_SERVICE_FACTORIES)),
  resource: ARM_ID,
  name: SHORT,
  role: text(2048),
  roleTo: choice(TeamIdentity),
  mayDelete: flag(),
  defaults: SETTINGS,
  fixed: SETTINGS,
  hostName: SHORT,
  administrator: struct(ADMINISTRATOR, DESCRIPTIONS.DatabaseAdministratorSpec!, ['name']),
} satisfies FieldsOf<SharedServiceSpec>;

const CERTIFICATES = {
  on: SHORT, keyFilter: SHORT, labelFilter: SHORT, configMapName: SHORT, secretName: SHORT, refreshInterval: SHORT,
} satisfies FieldsOf<TrustedCertificates>;

const ZONES = { location: SHORT, subscriptionId: SHORT, resourceGroup: SHORT } satisfies FieldsOf<PrivateDnsZones>;

const SHARED = {
  services: list(struct(SERVICE, DESCRIPTIONS.SharedServiceSpec!, ['type', 'resource'])),
  appConfigurationReaderClientId: SHORT,
  trustedCertificates: struct(CERTIFICATES, DESCRIPTIONS.TrustedCertificates!, ['keyFilter']),
  privateAccess: PRIVATE_ACCESS,
  privateDnsZones: list(struct(ZONES, DESCRIPTIONS.PrivateDnsZones!, ['location', 'subscriptionId', 'resourceGroup'])),
} satisfies FieldsOf<NonNullable<EnvironmentSpec['shared']>>;

const ROLES = {
  resourceGroup: text(2048), storageDataWriter: text(2048), storageDataReader: text(2048),
} satisfies FieldsOf<RoleChoices>;

const CONVENTIONS = {
  networkPolicy: choice(NetworkPolicyFlavour),
  podSecurity: choice(PodSecurityLevel),
  credentialRequired: flag(),
  principalTypes: flag(),
  ownersByArmId: flag(),
  azureNames: flag(),
} satisfies FieldsOf<NonNullable<EnvironmentSpec['conventions']>>;

/** The spec of an `Environment`. */
export function environmentFields(): Field {
  return struct({
    name: SHORT,
    instance: SHORT,
    subscriptionId: SHORT,
    subscriptionName: SHORT,
    tenantId: SHORT,
    location: SHORT,
    clusters: list(struct(CLUSTER, DESCRIPTIONS.Cluster!, ['name', 'oidcIssuerUrl'])),
    platform: struct(PLATFORM, DESCRIPTIONS.PlatformTeam!),
    shared: struct(SHARED, DESCRIPTIONS.SharedServices!),
    roles: struct(ROLES, DESCRIPTIONS.RoleChoices!),
    quotas: QUOTAS,
    conventions: struct(CONVENTIONS, DESCRIPTIONS.PlatformConventions!),
    apiVersions: map(SHORT, 200),
    workloadIdentity: choice(WorkloadIdentityMode),
    teamIdentities: choice(TeamIdentities),
    groupRemoval: choice(RemovalPolicy),
    storageAccountSku: SHORT,
    tags: TAGS,
  } satisfies FieldsOf<EnvironmentSpec>, { ...DESCRIPTIONS.EnvironmentProps!, ...DESCRIPTIONS.EnvironmentSpec! }, [
    'subscriptionId', 'tenantId', 'location', 'clusters',
  ]);
}
