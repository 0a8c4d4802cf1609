import { resourceNameOf } from '../model/arm-id-parts';
import { PlatformProblems } from '../model/problems';
import { SERVICE_BUS } from '../model/shared-service-types';
import type { TeamInEnvironment } from '../model/team-in-environment';
import { objectName as nameOfObject } from '../naming/limited-name';
import type { IServiceNaming, ResourceName, ServiceOfTeam, SharedResourceOfTeam } from '../naming/service-naming';

/** Maximum lengths in characters; names are cut there. */
const CUT = { servicebus: 50, role: 115 };
/** Maximum length of the team's own part of a storage account name. */
const OWN_PART = 9;
const STORAGE_PREFIX = /^[a-z0-9]{1,15}$/i;

/** Name prefixes. A missing prefix is an error only when a name needs it. */
export interface PrefixedServiceNamingProps {
  /**
   * Prefix of identity names, e.g. `devpltinfmid1401`.
   * @default - none
   */
  readonly identityPrefix?: string;
  /**
   * Prefix of storage account names, e.g. `devpltinfst1401`: letters and digits, at most 15.
   * @default - none
   */
  readonly storageAccountPrefix?: string;
  /**
   * Prefix of private endpoint names, e.g. `devpltinfpe1401`.
   * @default - none
   */
  readonly privateEndpointPrefix?: string;
}

/**
 * Names as charts make them, for migrating from such charts: with a prefix, in lower case, cut to a maximum length, and
 * with an index for list entries. Cut names may collide, and reordering a list recreates the resources with an index in their names:
 * `DefaultServiceNaming` avoids both.
 */
export class PrefixedServiceNaming implements IServiceNaming {
  private readonly servicePrefixes: PrefixedServiceNamingProps;

  /**
   * @param prefixes the name prefixes
   * @throws when the prefix of storage accounts is too long, or contains characters that Azure does not allow
   */
  public constructor(prefixes: PrefixedServiceNamingProps) {
    const problems = new PlatformProblems('PrefixedServiceNaming');
    const { storageAccountPrefix } = prefixes;
    if (storageAccountPrefix && !STORAGE_PREFIX.test(storageAccountPrefix)) {
      problems.add('storageAccountPrefix', `'${storageAccountPrefix}' does not begin the name of a storage account. Write letters and digits, 15 at most: ${OWN_PART} of 24 are the team's.`);
    }
    problems.throwIfAny();
    this.servicePrefixes = { ...prefixes };
  }

  /** `<identityPrefix>-<service>`. */
  public serviceIdentity({ service }: ServiceOfTeam): string {
    return `${this.prefix('identityPrefix')}-${service}`.toLowerCase();
  }

  /** `<service>-mi-credential`. */
  public serviceIdentityExports({ service }: ServiceOfTeam): string {
    return `${service}-mi-credential`.toLowerCase();
  }

  /** `<identity>-fic-<index>`. */
  public serviceFederation(service: ServiceOfTeam, _namespace: string, _account: string, _cluster: string, index: number): string {
    return `${this.serviceIdentity(service)}-fic-${index}`;
  }

  /**
   * `<namespace>-<name>`; in Kubernetes `<resource>-<namespace>-<name>`, in the Service Bus namespace with the default name
   * `<namespace>-<name>`.
   */
  public sharedResource({ team: { environment, namespace }, service, name }: SharedResourceOfTeam): ResourceName {
    const azureName = `${namespace}-${name}`.toLowerCase();
    if (service.hasDefaultName && service._armType === SERVICE_BUS) return same(azureName);
    return { objectName: `${resourceNameOf(environment.armIdOf(service.resource))}-${azureName}`.toLowerCase(), azureName };
  }

  /** `<name>`; in Kubernetes `<parent>-<name>`. */
  public sharedChild(parent: SharedResourceOfTeam, _kind: string, name: string): ResourceName {
    return { objectName: `${this.sharedResource(parent).objectName}-${name}`.toLowerCase(), azureName: name.toLowerCase() };
  }

  /** `<namespace>-<name>`; in Kubernetes the first 50 characters of `<namespace>-<topic>-<name>-subscription`. */
  public subscription(topic: SharedResourceOfTeam, name: string): ResourceName {
    const objectName = `${this.sharedResource(topic).objectName}-${name}-subscription`.slice(0, CUT.servicebus).toLowerCase();
    return { objectName, azureName: `${topic.team.namespace}-${name}`.toLowerCase() };
  }

  /** `<name>`; in Kubernetes the first 50 characters of `<namespace>-<topic>-<subscription>-<name>`. */
  public rule(topic: SharedResourceOfTeam, subscription: string, name: string): ResourceName {
    const objectName = `${this.sharedResource(topic).objectName}-${subscription}-${name}`.toLowerCase().slice(0, CUT.servicebus);
    return { objectName, azureName: name.toLowerCase() };
  }

  /** `<service>-<name>`. */
  public keyVaultSecret({ service }: ServiceOfTeam, name: string): string {
    return `${service}-${name}`;
  }

  /** 9: the prefix takes the other 15 characters. */
  public storageAccountNameLimit(_team: TeamInEnvironment): number {
    return OWN_PART;
  }

  /** `<storageAccountPrefix><name>`; in Kubernetes `<service>-<account>`. */
  public storageAccount({ service }: ServiceOfTeam, name: string): ResourceName {
    const azureName = `${this.prefix('storageAccountPrefix')}${name}`.toLowerCase();
    return { objectName: `${service}-${azureName}`.toLowerCase(), azureName };
  }

  /** `<service>-<account>-default`. */
  public storageService({ service }: ServiceOfTeam, account: string, _kind: string): string {
    return `${service}-${account}-default`.toLowerCase();
  }

  /** `<name>`; in Kubernetes `<service>-<account>-default-<name>`. */
  public storageChild({ service }: ServiceOfTeam, account: string, name: string): ResourceName {
    return { objectName: `${service}-${account}-default-${name}`.toLowerCase(), azureName: name.toLowerCase() };
  }

  /** `<privateEndpointPrefix>-<account>-<sub-resource>`. */
  public privateEndpoint(_service: ServiceOfTeam, account: string, subResource: string): string {
    return `${this.prefix('privateEndpointPrefix')}-${account}-${subResource}`.toLowerCase();
  }

  /** `<zone>-<account>`. */
  public privateDnsRecord(_service: ServiceOfTeam, account: string, zone: string, _location: string): string {
    return `${zone}-${account}`.toLowerCase();
  }

  /** `<zone>-<name>-<type>`. */
  public dnsRecord(_service: ServiceOfTeam, zone: string, name: string, type: string): string {
    return nameOfObject(zone, name, type);
  }

  /** The first 115 characters of `<identity>-<resource>-<role>-rbac`, and `-<index>`. */
  public serviceRole(service: ServiceOfTeam, resource: string, role: string, index: number): string {
    return `${`${this.serviceIdentity(service)}-${resource}-${role}-rbac`.toLowerCase().slice(0, CUT.role)}-${index}`;
  }

  private prefix(name: keyof PrefixedServiceNamingProps): string {
    const prefix = this.servicePrefixes[name];
    if (!prefix) throw new Error(`PrefixedServiceNaming: ${name}: required here. Give it to the naming strategy of the environment.`);
    return prefix;
  }
}

function same(name: string): ResourceName {
  return { objectName: name.toLowerCase(), azureName: name.toLowerCase() };
}
