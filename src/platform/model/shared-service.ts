import type { DatabaseAdministratorLogin } from './database-administrator-login';
import { databaseRoles } from './database-roles';
import type { SharedResourceKind } from './shared-resource-kind';
import type { SharedRole } from './shared-role';
import { SHARED_SERVICE_TYPES, type SharedServiceType } from './shared-service-types';
import { TeamIdentity } from './team-identities';
import type { IAzureResourceRef } from '../../core';
import { mergedDeep } from '../../util/merged-deep';

/** A shared service of a known type. */
export interface SharedServiceProps {
  /** The resource: the result of `fromArmId`, or a construct of the app, which is then referenced by its ARM id. */
  readonly resource: IAzureResourceRef;
  /**
   * Name of the shared service, unique in the environment: lower-case letters, digits and hyphens, 40 characters at most. Teams name it in
   * `uses`, services in `on`. Names of role assignments and of objects in the team's namespace contain it if it is not the default.
   * @default - that of the factory, e.g. `service-bus`
   */
  readonly name?: string;
  /**
   * The role that the identity of a team gets on the service: a `BuiltInRole`, `BuiltInRole.custom(id)`, or a role definition of the app.
   * @default - see the factory. Where none is given and a team needs one, a team that uses the service is an error
   */
  readonly role?: IAzureResourceRef;
  /**
   * The identity of a team that gets the role.
   * @default - TeamIdentity.OPERATOR, on an App Configuration store TeamIdentity.WORKLOAD
   */
  readonly roleTo?: TeamIdentity;
  /**
   * Whether the role allows teams to delete their resources in the service. If not, these get the reconcile policy `detach-on-delete`: the
   * operator would otherwise retry their deletion forever.
   * @default false
   */
  readonly mayDelete?: boolean;
  /**
   * Properties of the resources in the service by kind, which a request can replace with `settings`: `{ ServersDatabase: { sku: … } }`.
   * @default - those of the factory
   */
  readonly defaults?: { [kind: string]: any };
  /**
   * Properties of the resources in the service by kind, which no request can change.
   * @default - those of the factory
   */
  readonly fixed?: { [kind: string]: any };
}

/** A shared Front Door endpoint. */
export interface FrontDoorEndpointProps extends SharedServiceProps {
  /**
   * Host name that Azure gave the endpoint, e.g. `edge-a1b2c3d4e5f6g7h8.z01.azurefd.net` (`outputs.hostName` of an `AfdEndpoint`). CNAME
   * records of domains then have it as value, and a team that has it in its `hostNames` may link routes to it.
   * @default - the records of domains are aliases of the endpoint, of which Azure allows 20
   */
  readonly hostName?: string;
}

/** A shared database server. */
export interface DatabaseServerProps extends SharedServiceProps {
  /**
   * The Entra administrator of the server, as which the controller gives services access to their databases. Azure Service Operator cannot.
   * @see https://cdk8s-aso.github.io/cdk8s-aso/database-access
   * @default - none: access to databases is left to others
   */
  readonly administrator?: DatabaseAdministratorLogin;
}

/** A shared service of any other type. */
export interface CustomSharedServiceProps {
  /** Name of the shared service, unique in the environment: lower-case letters, digits and hyphens, 40 characters at most. */
  readonly name: string;
  /** The resource: the result of `fromArmId`, or a construct of the app, which is then referenced by its ARM id. */
  readonly resource: IAzureResourceRef;
  /**
   * The role that the identity of a team gets on the service.
   * @default - none: an error for a team that uses the service, if services can ask for resources that have to be created in it
   */
  readonly role?: IAzureResourceRef;
  /**
   * The identity of a team that gets the role.
   * @default TeamIdentity.OPERATOR
   */
  readonly roleTo?: TeamIdentity;
  /**
   * Whether the role allows teams to delete their resources in the service. If not, these get the reconcile policy `detach-on-delete`.
   * @default false
   */
  readonly mayDelete?: boolean;
  /**
   * The kinds of resources that services can ask for in the service.
   * @default - none
   */
  readonly resources?: SharedResourceKind[];
  /**
   * The roles that services can ask for on the whole service.
   * @default - none
   */
  readonly roles?: SharedRole[];
}

/**
 * A service of an environment that several teams share: the resource, the role of a team on it, and what the services of a team can ask for
 * in it. A value object; several of one type are several values with different names.
 *
 * @see https://cdk8s-aso.github.io/cdk8s-aso/platform#shared-services
 */
export class SharedService {
  /**
   * A Service Bus namespace for queues and topics: `service-bus`. No default role, because the built-in roles that may create queues may
   * delete the namespace too.
   * @param props the resource and the role on it
   */
  public static serviceBus(props: SharedServiceProps): SharedService {
    return SharedService.known(SHARED_SERVICE_TYPES.serviceBus, props);
  }

  /**
   * An Event Hubs namespace for event hubs and their consumer groups: `event-hubs`. No default role, because the built-in roles that may
   * create event hubs may delete the namespace too.
   * @param props the resource and the role on it
   */
  public static eventHubs(props: SharedServiceProps): SharedService {
    return SharedService.known(SHARED_SERVICE_TYPES.eventHubs, props);
  }

  /**
   * A PostgreSQL flexible server for databases: `postgres`. No default role, because the built-in roles that may create databases may
   * delete the server too.
   * @param props the resource and the role on it
   */
  public static postgresServer(props: DatabaseServerProps): SharedService {
    return SharedService.databaseServer(SHARED_SERVICE_TYPES.postgresServer, props);
  }

  /**
   * A MySQL flexible server for databases: `mysql`. No default role, as for PostgreSQL.
   * @param props the resource and the role on it
   */
  public static mysqlServer(props: DatabaseServerProps): SharedService {
    return SharedService.databaseServer(SHARED_SERVICE_TYPES.mysqlServer, props);
  }

  /**
   * A logical SQL server for databases: `sql`. The default role is SQL DB Contributor: databases, neither the server nor any data.
   * @param props the resource and the role on it
   */
  public static sqlServer(props: DatabaseServerProps): SharedService {
    return SharedService.databaseServer(SHARED_SERVICE_TYPES.sqlServer, props);
  }

  /**
   * A Cosmos DB account (NoSQL) for databases and their containers: `cosmos-db`. No default role, because the built-in roles that may
   * create databases may delete the account too.
   * @param props the resource and the role on it
   */
  public static cosmosDb(props: SharedServiceProps): SharedService {
    return SharedService.known(SHARED_SERVICE_TYPES.cosmosDb, props);
  }

  /**
   * An Azure Cache for Redis (`Microsoft.Cache/redis`): `redis`. Teams need no role on it; services get an access policy for the keys that
   * begin with the team's namespace and a colon.
   * @param props the resource
   */
  public static redis(props: SharedServiceProps): SharedService {
    return SharedService.known(SHARED_SERVICE_TYPES.redis, props);
  }

  /**
   * A database of an Azure Managed Redis (`Microsoft.Cache/redisEnterprise/databases`): `managed-redis`. Azure has no access policy for
   * some of the keys, so every service with the role has all keys of all teams.
   * @param props the resource
   */
  public static managedRedis(props: SharedServiceProps): SharedService {
    return SharedService.known(SHARED_SERVICE_TYPES.managedRedis, props);
  }

  /**
   * A Key Vault with secrets: `key-vault`. Teams need no role on it; services can read single secrets.
   * @param props the resource
   */
  public static keyVault(props: SharedServiceProps): SharedService {
    return SharedService.known(SHARED_SERVICE_TYPES.keyVault, props);
  }

  /**
   * An App Configuration store: `app-configuration`. The default role is App Configuration Data Reader, for the identity of the team's
   * pods.
   * @param props the resource and the role on it
   */
  public static appConfiguration(props: SharedServiceProps): SharedService {
    return SharedService.known(SHARED_SERVICE_TYPES.appConfiguration, props);
  }

  /**
   * A container registry: `container-registry`. Teams need no role on it; services can ask to pull images.
   * @param props the resource
   */
  public static containerRegistry(props: SharedServiceProps): SharedService {
    return SharedService.known(SHARED_SERVICE_TYPES.containerRegistry, props);
  }

  /**
   * A storage account for blob containers of several teams: `storage`. No default role, because the built-in roles that may create
   * containers may read the blobs of all teams too. For an account of the service's own use its `storageAccounts`.
   * @param props the resource and the role on it
   */
  public static storageAccount(props: SharedServiceProps): SharedService {
    return SharedService.known(SHARED_SERVICE_TYPES.storageAccount, props);
  }

  /**
   * A Front Door endpoint (`Microsoft.Cdn/profiles/afdEndpoints`) for the teams' routes, with its profile for their custom domains and
   * origins: `front-door`. Teams get the role on the profile. No default role, because the built-in roles may delete the profile too.
   * @param props the resource, its host name and the role on it
   */
  public static frontDoorEndpoint(props: FrontDoorEndpointProps): SharedService {
    return SharedService.known(SHARED_SERVICE_TYPES.frontDoorEndpoint, props);
  }

  /**
   * A public DNS zone (`Microsoft.Network/dnsZones`) for the records of teams: `dns-zone`. Teams need no role on it: the platform writes
   * the records of services, under the host names that a team may have.
   * @param props the zone
   */
  public static dnsZone(props: SharedServiceProps): SharedService {
    return SharedService.known(SHARED_SERVICE_TYPES.dnsZone, props);
  }

  /**
   * A service of any other type.
   * @param props name, resource and role, and what services can ask for
   */
  public static custom(props: CustomSharedServiceProps): SharedService {
    const { resources = [], roles = [] } = props;
    return new SharedService(props, { name: '', what: 'shared service', needsRole: resources.some(({ group }) => group), resources, roles });
  }

  /** With an administrator, services can ask for roles on databases. */
  private static databaseServer(type: SharedServiceType, props: DatabaseServerProps): SharedService {
    const { administrator } = props;
    const resources = administrator ? type.resources.map((kind) => ({ ...kind, roles: databaseRoles(administrator) })) : type.resources;
    return SharedService.known({ ...type, resources }, props);
  }

  private static known(type: SharedServiceType, props: SharedServiceProps): SharedService {
    const { defaults = {}, fixed = {} } = props;
    const kinds = new Set<string>();
    const of = (kind: SharedResourceKind): SharedResourceKind => {
      kinds.add(kind.kind);
      return {
        ...kind,
        defaults: { ...kind.defaults, ...defaults[kind.kind] },
        fixed: mergedDeep({ ...kind.fixed }, fixed[kind.kind] ?? {}),
        ...(kind.children && { children: kind.children.map(of) }),
      };
    };
    const resources = type.resources.map(of);
    const unknown = Object.entries({ defaults, fixed })
      .flatMap(([property, byKind]) => Object.keys(byKind).filter((kind) => !kinds.has(kind)).map((kind) => [property, kind] as const));
    return new SharedService(props, { ...type, resources }, unknown);
  }

  /** Name of the shared service. */
  public readonly name: string;
  /** The resource. */
  public readonly resource: IAzureResourceRef;
  /** The role that the identity of a team gets on the service, if any. */
  public readonly role: IAzureResourceRef | undefined;
  /** The identity of a team that gets the role. */
  public readonly roleTo: TeamIdentity;
  /** Whether the role allows teams to delete their resources in the service. */
  public readonly mayDelete: boolean;
  /** Host name of a Front Door endpoint, if it is known. */
  public readonly hostName: string | undefined;
  /** The kinds of resources that services can ask for. */
  public readonly resources: SharedResourceKind[];
  /** The roles that services can ask for on the whole service. */
  public readonly roles: SharedRole[];

  private constructor(
    props: FrontDoorEndpointProps | CustomSharedServiceProps,
    private readonly facts: Omit<SharedServiceType, 'armType'> & { readonly armType?: string },
    private readonly unknownKinds: readonly (readonly [property: string, kind: string])[] = [],
  ) {
    this.name = props.name ?? facts.name;
    this.resource = props.resource;
    this.role = props.role ?? facts.role;
    this.roleTo = props.roleTo ?? facts.to ?? TeamIdentity.OPERATOR;
    this.mayDelete = props.mayDelete ?? false;
    this.hostName = 'hostName' in props ? props.hostName : undefined;
    this.resources = [...facts.resources];
    this.roles = [...facts.roles];
  }

  /** Whether the name is the default of its type: names of objects do not contain it then. */
  public get hasDefaultName(): boolean {
    return this.name === this.facts.name;
  }

  /** @internal */
  public get _armType(): string | undefined {
    return this.facts.armType;
  }

  /** @internal */
  public get _what(): string {
    return this.facts.what;
  }

  /**
   * Kinds of `defaults` and `fixed` that the type does not have.
   * @internal
   */
  public get _unknownKinds(): readonly (readonly [property: string, kind: string])[] {
    return this.unknownKinds;
  }

  /** @internal */
  public get _needsRole(): boolean {
    return this.facts.needsRole;
  }
}
