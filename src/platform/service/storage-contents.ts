import type { Construct } from 'constructs';
import { explicit, withDefaults } from './explicit';
import type { Lifecycle } from './lifecycle';
import { noteProblems } from './request-problems';
import type { Kind, ServiceObjects } from './service-objects';
import type { BlobServiceOptions, ContainerRequest, FileServiceOptions, FileShareRequest, StorageAccountRequest } from './storage-request';
import { ReconcilePolicy, RemovalPolicy, type AzureResource } from '../../core';
import type { DeleteRetentionPolicy } from '../../services/storage/shared';
import { StorageAccount } from '../../services/storage/storage-account';
import { StorageAccountsBlobService, type ChangeFeed, type RestorePolicyProperties } from '../../services/storage/storage-accounts-blob-service';
import {
  StorageAccountsBlobServicesContainer,
  PublicAccess,
} from '../../services/storage/storage-accounts-blob-services-container';
import { StorageAccountsFileService } from '../../services/storage/storage-accounts-file-service';
import {
  StorageAccountsFileServicesShare, StorageAccountsFileServicesShareAccessTier, EnabledProtocols,
} from '../../services/storage/storage-accounts-file-services-share';
import { StorageAccountsTableService } from '../../services/storage/storage-accounts-table-service';
import { StorageAccountsTableServicesTable } from '../../services/storage/storage-accounts-table-services-table';
import type { PlatformProblems } from '../model/problems';

const GROUP = 'storage.azure.com';
const kind = (name: string): Kind => [GROUP, `StorageAccounts${name}`];

/** The account of the contents. */
interface AccountOfContents {
  readonly armId: string;
  readonly azureName: string;
  /** The account's object, if the service owns the account. */
  readonly resource?: StorageAccount | undefined;
}

/** Default of a retention policy that is not set, or only enabled. */
const SEVEN_DAYS = { enabled: true, days: 7 } satisfies DeleteRetentionPolicy;

/** The contents of a storage account. The settings of blobs and files belong to the service that owns the account. */
export class StorageContents {
  private readonly blobService?: StorageAccountsBlobService;
  private readonly fileService?: StorageAccountsFileService;
  private readonly lifecycle: Lifecycle;

  public constructor(
    private readonly scope: Construct, private readonly objects: ServiceObjects, private readonly account: AccountOfContents,
    request: StorageAccountRequest, private readonly field: string, private readonly problems: PlatformProblems,
  ) {
    const { removalPolicy, reconcilePolicy, blobService, fileService } = request;
    this.lifecycle = explicit({ removalPolicy, reconcilePolicy });
    if (!account.resource) return;
    this.blobService = this.blobs(blobService ?? {}, account.resource);
    this.fileService = this.files(fileService ?? {}, account.resource);
  }

  /** The same contents with another collector of problems. */
  public with(problems: PlatformProblems): StorageContents {
    return Object.create(this, { problems: { value: problems }, field: { value: '' } }) as StorageContents;
  }

  public addAll({ containers = [], tables = [], fileShares = [] }: StorageAccountRequest): void {
    containers.forEach((one, index) => this.container(one, `containers[${index}]`));
    tables.forEach((one, index) => this.table(one, `tables[${index}]`));
    fileShares.forEach((one, index) => this.fileShare(one, `fileShares[${index}]`));
  }

  public container({ name }: ContainerRequest, at: string): StorageAccountsBlobServicesContainer {
    const { objectName, azureName } = this.nameOf(name);
    const container = new StorageAccountsBlobServicesContainer(this.scope, `container-${azureName}`, {
      ...this.objects.inTeam(kind('BlobServicesContainer'), objectName, this.lifecycle),
      azureName,
      owner: this.objects.owner(
        this.blobService,
        (id) => StorageAccountsBlobService.fromArmId(id),
        `${this.account.armId}/blobServices/default`,
      ),
      publicAccess: PublicAccess.NONE,
    });
    return this.checked(container, { 'azureName': `${at}.name`, 'metadata.name': `${at}.name` });
  }

  public table(name: string, at: string): StorageAccountsTableServicesTable {
    const { objectName, azureName } = this.nameOf(name);
    const table = new StorageAccountsTableServicesTable(this.scope, `table-${azureName}`, {
      ...this.objects.inTeam(kind('TableServicesTable'), objectName, this.lifecycle),
      azureName,
      owner: this.objects.owner(
        this.tableService(),
        (id) => StorageAccountsTableService.fromArmId(id),
        `${this.account.armId}/tableServices/default`,
      ),
    });
    return this.checked(table, { 'azureName': at, 'metadata.name': at });
  }

  public fileShare({ name, ...options }: FileShareRequest, at: string): StorageAccountsFileServicesShare {
    const { objectName, azureName } = this.nameOf(name);
    const share = new StorageAccountsFileServicesShare(this.scope, `share-${azureName}`, {
      ...this.objects.inTeam(kind('FileServicesShare'), objectName, this.lifecycle),
      azureName,
      owner: this.objects.owner(
        this.fileService,
        (id) => StorageAccountsFileService.fromArmId(id),
        `${this.account.armId}/fileServices/default`,
      ),
      accessTier: options.accessTier ?? StorageAccountsFileServicesShareAccessTier.TRANSACTION_OPTIMIZED,
      enabledProtocols: EnabledProtocols.SMB,
      shareQuota: options.shareQuota ?? 10,
    });
    return this.checked(share, { 'azureName': `${at}.name`, 'metadata.name': `${at}.name`, '*': at });
  }

  private blobs(options: BlobServiceOptions, owner: StorageAccount): StorageAccountsBlobService {
    const service = new StorageAccountsBlobService(this.scope, 'blob-service', {
      ...this.service('BlobService', 'blob'),
      owner: this.objects.owner(owner, (id) => StorageAccount.fromArmId(id), this.account.armId),
      changeFeed: withDefaults<ChangeFeed>({ enabled: false }, options.changeFeed),
      containerDeleteRetentionPolicy: retention(options.containerDeleteRetentionPolicy),
      cors: {},
      deleteRetentionPolicy: { allowPermanentDelete: false, ...retention(options.deleteRetentionPolicy) },
      isVersioningEnabled: options.isVersioningEnabled ?? false,
      restorePolicy: withDefaults<RestorePolicyProperties>({ enabled: false }, options.restorePolicy),
    });
    return this.checked(service, { '*': 'blobService' });
  }

  private files(options: FileServiceOptions, owner: StorageAccount): StorageAccountsFileService {
    const service = new StorageAccountsFileService(this.scope, 'file-service', {
      ...this.service('FileService', 'file'),
      owner: this.objects.owner(owner, (id) => StorageAccount.fromArmId(id), this.account.armId),
      cors: {},
      protocolSettings: { smb: {} },
      shareDeleteRetentionPolicy: retention(options.shareDeleteRetentionPolicy),
    });
    return this.checked(service, { '*': 'fileService' });
  }

  /** Tables need an owner object for the account's table service, which always exists in Azure. */
  private tableService(): StorageAccountsTableService | undefined {
    const { resource } = this.account;
    if (!resource || this.objects.id.team.environment.conventions.ownersByArmId) return undefined;
    const known = this.scope.node.tryFindChild('table-service') as StorageAccountsTableService | undefined;
    return (
      known ?? new StorageAccountsTableService(this.scope, 'table-service', { ...this.service('TableService', 'table'), owner: resource })
    );
  }

  private service(name: string, what: string): ReturnType<ServiceObjects['inTeam']> {
    const { objects, account } = this;
    return objects.inTeam(
      kind(name),
      objects.id.team.environment.naming.storageService(objects.id, account.azureName, what),
      // Azure deletes the service only together with the account; the object would wait for that.
      this.lifecycle.removalPolicy === RemovalPolicy.DESTROY ? { reconcilePolicy: ReconcilePolicy.DETACH_ON_DELETE } : this.lifecycle,
    );
  }

  private nameOf(name: string): { readonly objectName: string; readonly azureName: string } {
    return this.objects.id.team.environment.naming.storageChild(this.objects.id, this.account.azureName, name);
  }

  private checked<T extends AzureResource>(resource: T, places: Readonly<Record<string, string>>): T {
    const below = Object.entries(places).map(([path, place]) => [path, [this.field, place].filter(Boolean).join('.')]);
    noteProblems(resource, Object.fromEntries(below), this.problems);
    return resource;
  }
}

function retention(given: DeleteRetentionPolicy | undefined): DeleteRetentionPolicy {
  const policy = explicit(given);
  return policy.enabled === false ? policy : { ...SEVEN_DAYS, ...policy };
}
