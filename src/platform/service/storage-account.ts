import { Construct } from 'constructs';
import { explicit, withDefaults } from './explicit';
import type { GrantTarget } from './grant-target';
import { Offer } from './offer';
import { makePrivateEndpoint } from './private-endpoint';
import { noteProblems } from './request-problems';
import { storageRoles } from './role-definitions';
import type { StorageRole } from './roles';
import type { Service } from './service';
import { assertOwnTeam, assertSameEnvironment } from './service-grants';
import type { Kind } from './service-objects';
import { checkStorageAccount, groupNamed } from './storage-checks';
import { StorageContents } from './storage-contents';
import type { FileShareOptions, StorageAccountRequest } from './storage-request';
import { Catalog } from '../../catalog/catalog';
import { isRef } from '../../catalog/type-expression';
import type { AzureResourceReference, IAzureResourceRef, RoleGrant } from '../../core';
import type { PrivateEndpoint } from '../../services/network/private-endpoint';
import { ResourceGroup } from '../../services/resources/resource-group';
import {
  KeySource, KeyType, RuleAction, DefaultAction, StorageAccount, StorageAccountAccessTier,
  DnsEndpointType, StorageAccountKind, MinimumTlsVersion, PublicNetworkAccess,
} from '../../services/storage/storage-account';
import type { SkuName, StorageAccountProps } from '../../services/storage/storage-account';
import type { StorageAccountsBlobServicesContainer } from '../../services/storage/storage-accounts-blob-services-container';
import type { StorageAccountsFileServicesShare } from '../../services/storage/storage-accounts-file-services-share';
import type { StorageAccountsTableServicesTable } from '../../services/storage/storage-accounts-table-services-table';
import { PlatformProblems } from '../model/problems';
import { StorageSubResource } from '../model/storage-sub-resource';
import type { TeamInEnvironment } from '../model/team-in-environment';

const KIND: Kind = ['storage.azure.com', 'StorageAccount'];

/** Properties of an account that a service cannot change. */
const FIXED = {
  kind: StorageAccountKind.STORAGE_V2,
  allowBlobPublicAccess: false,
  dnsEndpointType: DnsEndpointType.STANDARD,
  encryption: {
    keySource: KeySource.MICROSOFT_STORAGE,
    requireInfrastructureEncryption: true,
    services: {
      blob: { enabled: true, keyType: KeyType.ACCOUNT },
      file: { enabled: true, keyType: KeyType.ACCOUNT },
    },
  },
  minimumTlsVersion: MinimumTlsVersion.TLS1_2,
  supportsHttpsTrafficOnly: true,
} satisfies Partial<StorageAccountProps>;

const DEFAULTS = {
  accessTier: StorageAccountAccessTier.HOT,
  allowCrossTenantReplication: false,
  allowSharedKeyAccess: false,
  defaultToOAuthAuthentication: true,
} satisfies Partial<StorageAccountProps>;

/** A storage account in the team's resource group, with its contents and its network access. */
export class ServiceStorageAccount extends Construct implements IAzureResourceRef {
  /** @internal */
  public static _of(
    service: Service,
    request: StorageAccountRequest,
    field: string,
    problems: PlatformProblems,
  ): ServiceStorageAccount | undefined {
    checkStorageAccount(request, service._objects, field, problems);
    return problems.none ? new ServiceStorageAccount(service, request, field, problems) : undefined;
  }

  /** The team's name for the account. */
  public readonly accountName: string;
  /** Name in Azure. */
  public readonly azureName: string;
  /** ARM id. */
  public readonly armId: string;
  /** Region; that of the resource group for an account of another service. */
  public readonly location: string;
  /** The account's object, if the service owns the account. */
  public readonly resource?: StorageAccount;
  /** The account's private endpoints. */
  public readonly privateEndpoints: PrivateEndpoint[];
  /** Reference to the account. */
  public readonly azureResourceRef: AzureResourceReference;
  private readonly service: Service;
  private readonly groupId: string;
  private readonly contents: StorageContents;

  private constructor(service: Service, request: StorageAccountRequest, field: string, problems: PlatformProblems) {
    super(service, `storage-${request.name.toLowerCase()}`);
    const { team, _objects: objects } = service;
    const { environment } = team;
    const names = environment.naming.storageAccount(objects.id, request.name);
    this.service = service;
    this.accountName = request.name;
    this.azureName = names.azureName;
    const group = groupNamed(team, request.resourceGroup)!;
    this.groupId = team._groupId(group.name);
    this.armId = `${this.groupId}/providers/Microsoft.Storage/storageAccounts/${names.azureName}`;
    this.location = request.location ?? group.location!;
    this.azureResourceRef = { armId: this.armId };
    this.privateEndpoints = [];
    if (request.owned !== false) {
      this.resource = this.account(request, names.objectName, field, problems);
      this.privateEndpoints = this.endpoints(request);
    }
    const { armId, azureName, resource } = this;
    this.contents = new StorageContents(this, objects, { armId, azureName, resource }, request, field, problems);
    this.contents.addAll(request);
    service._grants.give(this.target, (request.roles ?? []).flatMap((role) => storageRoles(role, service.team.environment)));
  }

  /**
   * Adds a blob container.
   * @param name 3 to 63 lower-case letters, digits and single hyphens
   * @throws when the name is malformed or taken
   */
  public addContainer(name: string): StorageAccountsBlobServicesContainer {
    return this.added((contents) => contents.container({ name }, `containers['${name}']`));
  }

  /**
   * Adds a table.
   * @param name 3 to 63 letters and digits, a letter first
   * @throws when the name is malformed or taken
   */
  public addTable(name: string): StorageAccountsTableServicesTable {
    return this.added((contents) => contents.table(name, `tables['${name}']`));
  }

  /**
   * Adds a file share.
   * @param name 3 to 63 lower-case letters, digits and single hyphens
   * @param options settings of the share
   * @throws when the name is malformed or taken
   */
  public addFileShare(name: string, options: FileShareOptions = {}): StorageAccountsFileServicesShare {
    return this.added((contents) => contents.fileShare({ ...options, name }, `fileShares['${name}']`));
  }

  /**
   * Grants a service of the same team a role on the account's data. If the environment has no roles of its own for this, the grant consists
   * of several role assignments: for blobs, tables and files.
   * @param service the service
   * @param role the role
   * @throws when the service belongs to another team, which needs an offer
   */
  public grant(service: Service, role: StorageRole): RoleGrant[] {
    assertOwnTeam(this.service.team, service.team, `Storage account '${this.accountName}'`, this);
    return service._grants.give(this.target, storageRoles(role, service.team.environment)) as RoleGrant[];
  }

  /**
   * Offers roles on the account's data to another team. They are assigned only when one of its services accepts with `service.use(offer)`.
   * @param team the other team, in the same environment
   * @param roles the offered roles
   * @throws when the team is in another environment
   */
  public offerTo(team: TeamInEnvironment, ...roles: StorageRole[]): Offer {
    assertSameEnvironment(this.service.team, team, `Storage account '${this.accountName}'`);
    const given = roles.flatMap((role) => storageRoles(role, team.environment));
    return Offer._of({ by: this.service.team, to: team, on: this, target: this.target, roleNames: roles, roles: given });
  }

  private get target(): GrantTarget {
    return { armId: this.armId, name: this.azureName, azureName: this.azureName };
  }

  private account(request: StorageAccountRequest, objectName: string, field: string, problems: PlatformProblems): StorageAccount {
    const { team, _objects: objects } = this.service;
    const { accessTier, allowCrossTenantReplication, allowSharedKeyAccess, defaultToOAuthAuthentication } = request;
    const chosen = { accessTier, allowCrossTenantReplication, allowSharedKeyAccess, defaultToOAuthAuthentication };
    const sku = request.sku ?? team.environment.storageAccountSku;
    const account = new StorageAccount(this, 'resource', {
      ...objects.inTeam(KIND, objectName, request),
      ...FIXED,
      ...withDefaults<Partial<StorageAccountProps>>(DEFAULTS, chosen),
      ...explicit({ isHnsEnabled: request.hierarchicalNamespace }),
      azureName: this.azureName,
      owner: ResourceGroup.fromArmId(this.groupId),
      location: this.location,
      sku: { name: sku as SkuName, ...tierOf(sku, this.service.team.environment.apiVersionOf(...KIND)) },
      ...this.network(request),
      ...explicit({ tags: objects.tags(request.tags) }),
    });
    noteProblems(account, {
      'azureName': `${field}.name`,
      'metadata.name': `${field}.name`,
      'sku': `${field}.sku`,
      'isHnsEnabled': `${field}.hierarchicalNamespace`,
      'networkAcls.ipRules': `${field}.allowedIpRanges`,
      '*': field,
    }, problems);
    return account;
  }

  /** Private endpoints disable public access; allowed addresses exclude all others. */
  private network(request: StorageAccountRequest): Required<Pick<StorageAccountProps, 'networkAcls' | 'publicNetworkAccess'>> {
    const ipRules = request.allowedIpRanges?.map((value) => ({ action: RuleAction.ALLOW, value })) ?? [];
    const closed = this.isPrivate(request) || ipRules.length > 0;
    return {
      publicNetworkAccess: this.isPrivate(request) ? PublicNetworkAccess.DISABLED : PublicNetworkAccess.ENABLED,
      networkAcls: {
        bypass: 'AzureServices',
        defaultAction: closed ? DefaultAction.DENY : DefaultAction.ALLOW,
        ...(ipRules.length > 0 ? { ipRules } : {}),
        ...(closed ? {} : { resourceAccessRules: [] }),
      },
    };
  }

  private endpoints(request: StorageAccountRequest): PrivateEndpoint[] {
    const access = this.service.team.privateAccess;
    if (!access || !this.isPrivate(request)) return [];
    const wanted = request.privateEndpoints ?? access.storage ?? [StorageSubResource.BLOB, StorageSubResource.TABLE];
    const { armId, azureName, location } = this;
    const account = { armId, azureName, location, groupId: this.groupId, tags: request.tags };
    return wanted.map((one) => makePrivateEndpoint(this, this.service._objects, access, account, one));
  }

  private isPrivate({ privateAccess }: StorageAccountRequest): boolean {
    return privateAccess ?? this.service.team.privateAccess !== undefined;
  }

  private added<T>(add: (contents: StorageContents) => T): T {
    const problems = new PlatformProblems(`[${this.node.path}] Storage account '${this.accountName}'`);
    const made = add(this.contents.with(problems));
    problems.throwIfAny();
    return made;
  }
}

/** Older API versions also set the tier, which is the first word of the SKU; newer versions leave it to Azure. */
function tierOf(sku: string, apiVersion: string | undefined): { readonly tier?: string } {
  if (apiVersion === undefined) return {};
  const version = Catalog.default().kind(...KIND)?.version(apiVersion.replace(/^.*\//, ''));
  const type = version?.specType.props.sku?.type;
  return type !== undefined && isRef(type) && version!.type(type.ref).props.tier ? { tier: sku.replace(/_.*$/s, '') } : {};
}
