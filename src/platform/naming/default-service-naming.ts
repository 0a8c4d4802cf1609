import { limited, objectName } from './limited-name';
import type { IServiceNaming, ResourceName, ServiceOfTeam, SharedResourceOfTeam } from './service-naming';
import { shortHash } from '../../azure/names/fit-name';
import type { Environment } from '../model/environment';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** Azure's limits in characters. */
const MAX = { identity: 120, subscription: 50, storageAccount: 24, endpoint: 64 };
/** The same for resources in shared services, by kind; for all others a length that most types allow. */
const MAX_SHARED: Readonly<Record<string, number>> = {
  NamespacesQueue: 260, NamespacesTopic: 260, NamespacesEventhub: 256, ServersDatabase: 128, SqlDatabase: 255,
};
const MAX_OTHER = 63;
/** Kinds whose names may not have two hyphens in a row. */
const SINGLE_HYPHENS = ['StorageAccountsBlobServicesContainer'];

/**
 * Readable names for the resources of services, with the abbreviations of the Cloud Adoption Framework; a hash shortens names that are too
 * long.
 */
export class DefaultServiceNaming implements IServiceNaming {
  /** `id-<team>--<service>-<environment>`: the platform's namespace holds the identities of all teams and services. */
  public serviceIdentity({ team, service }: ServiceOfTeam): string {
    return limited(objectName('id', within(team.team.name, service), place(team.environment)), MAX.identity);
  }

  /** `<identity>-ids`. */
  public serviceIdentityExports(service: ServiceOfTeam): string {
    return `${this.serviceIdentity(service)}-ids`;
  }

  /** `<identity>-<cluster>-<namespace>-<service account>`: independent of the order of accounts. */
  public serviceFederation(service: ServiceOfTeam, namespace: string, account: string, cluster: string, _index: number): string {
    return limited(objectName(this.serviceIdentity(service), cluster, namespace, account), MAX.identity);
  }

  /**
   * `<namespace>--<name>`; where Azure takes no two hyphens in a row, `<namespace>-<hash of the namespace>-<name>`. In Kubernetes `<name>`,
   * in a shared service that has not the default name of its type `<shared service>--<name>`.
   */
  public sharedResource({ team: { namespace }, service, kind, name }: SharedResourceOfTeam): ResourceName {
    const azureName = SINGLE_HYPHENS.includes(kind) ? `${namespace}-${shortHash(namespace)}-${name}` : within(namespace, name);
    return {
      objectName: objectName(service.hasDefaultName ? name : within(service.name, name)),
      azureName: limited(azureName, MAX_SHARED[kind] ?? MAX_OTHER),
    };
  }

  /** `<name>`; in Kubernetes `<parent>--<name>`. */
  public sharedChild(parent: SharedResourceOfTeam, _kind: string, name: string): ResourceName {
    return { objectName: objectName(within(this.sharedResource(parent).objectName, name)), azureName: limited(name, MAX.subscription) };
  }

  /** `<namespace>--<name>`, because other teams may subscribe to the topic as well; in Kubernetes `<topic>--<name>`. */
  public subscription(topic: SharedResourceOfTeam, name: string): ResourceName {
    const { objectName: ofTopic } = this.sharedResource(topic);
    return { objectName: objectName(within(ofTopic, name)), azureName: limited(within(topic.team.namespace, name), MAX.subscription) };
  }

  /** `<name>`; in Kubernetes `<topic>--<subscription>--<name>`. */
  public rule(topic: SharedResourceOfTeam, subscription: string, name: string): ResourceName {
    const { objectName: ofTopic } = this.sharedResource(topic);
    return { objectName: objectName(within(within(ofTopic, subscription), name)), azureName: limited(name, MAX.subscription) };
  }

  /** `<team>--<service>--<name>`: the vault is shared. */
  public keyVaultSecret({ team, service }: ServiceOfTeam, name: string): string {
    return within(within(team.team.name, service), name);
  }

  /** 11: the other characters are `st`, the environment and a hash, because the names must be unique across Azure. */
  public storageAccountNameLimit(_team: TeamInEnvironment): number {
    return 11;
  }

  /** `st<name><environment><hash>`, with a hash of subscription, team and name. */
  public storageAccount({ team }: ServiceOfTeam, name: string): ResourceName {
    const { environment } = team;
    const hash = shortHash([environment.subscriptionId, place(environment), team.team.name, name].join('\n').toLowerCase());
    const readable = `st${name}${place(environment)}`.toLowerCase().replace(/[^a-z0-9]/g, '');
    const azureName = `${readable.slice(0, MAX.storageAccount - hash.length)}${hash}`;
    return { objectName: azureName, azureName };
  }

  /** `<account>-<kind>`, e.g. `…-blob`. */
  public storageService(_service: ServiceOfTeam, account: string, kind: string): string {
    return objectName(account, kind);
  }

  /** `<name>`; in Kubernetes `<account>-<name>`. */
  public storageChild(_service: ServiceOfTeam, account: string, name: string): ResourceName {
    return { objectName: objectName(account, name), azureName: name.toLowerCase() };
  }

  /** `pe-<account>-<sub-resource>`. */
  public privateEndpoint(_service: ServiceOfTeam, account: string, subResource: string): string {
    return limited(`pe-${account}-${subResource}`, MAX.endpoint);
  }

  /** `<zone>-<account>-<location>`. */
  public privateDnsRecord(_service: ServiceOfTeam, account: string, zone: string, location: string): string {
    return objectName(zone, account, location);
  }

  /** `<zone>-<name>-<type>`. */
  public dnsRecord(_service: ServiceOfTeam, zone: string, name: string, type: string): string {
    return objectName(zone, name, type);
  }

  /** `<subscription>-<identity>-<resource>-<role>`: independent of the order of roles. */
  public serviceRole(service: ServiceOfTeam, resource: string, role: string, _index: number): string {
    return objectName(service.team.environment.subscriptionName, this.serviceIdentity(service), resource, role);
  }
}

/** Two hyphens, so that the name `b-c` of team `a` and the name `c` of team `a-b` differ. */
function within(whose: string, name: string): string {
  return `${whose}--${name}`;
}

function place(environment: Environment): string {
  return `${environment.name}${environment.instance}`;
}
