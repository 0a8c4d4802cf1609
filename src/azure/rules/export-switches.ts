import { valueAtPath, wordAt } from './values';
import type { Struct } from '../../util/records';

/** Values of a status that a resource does not have with some settings. */
export interface ExportSwitch {
  /** Paths in the status. */
  readonly status: RegExp;
  /** Whether a resource with this spec lacks them. */
  readonly lacks: (spec: Struct) => boolean;
  readonly why: string;
  readonly fix: string;
  /** The page that says so. */
  readonly see: string;
}

const IDENTITIES = 'https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/overview';
const OF_SYSTEM: Omit<ExportSwitch, 'lacks'> = {
  status: /^identity\.(principalId|tenantId)$/,
  why: 'the resource has no identity of its own, only a system-assigned one has these ids in the status',
  fix: 'write identity.type: SystemAssigned, or read the ids from the UserAssignedIdentity',
  see: IDENTITIES,
};
const isOther = (spec: Struct) => wordAt(spec, 'identity.type')?.includes('systemassigned') === false;
const IDENTITY: ExportSwitch = { ...OF_SYSTEM, lacks: (spec) => isOther(spec) || valueAtPath(spec, 'identity') === undefined };

const ENDPOINTS = {
  why: 'an account of this kind does not have the service',
  fix: 'remove the export, or use kind StorageV2',
  see: 'https://learn.microsoft.com/azure/storage/common/storage-account-overview',
};

/** By kind (`group/Kind`). */
export const EXPORT_SWITCHES: ReadonlyMap<string, readonly ExportSwitch[]> = new Map([
  ['app.azure.com/ContainerApp', [{
    status: /^latestRevisionFqdn$/,
    lacks: (spec) => valueAtPath(spec, 'configuration.ingress') === undefined,
    why: 'the app has no ingress, and so no host name',
    fix: 'give configuration.ingress, or remove the export',
    see: 'https://learn.microsoft.com/azure/container-apps/ingress-overview',
  }]],
  ['containerservice.azure.com/ManagedCluster', [
    // A cluster without identity in the spec gets one, or has a service principal.
    { ...OF_SYSTEM, lacks: isOther },
    {
      status: /^oidcIssuerProfile\./,
      lacks: (spec) => valueAtPath(spec, 'oidcIssuerProfile.enabled') === false,
      why: 'oidcIssuerProfile.enabled is false, so the cluster has no issuer',
      fix: 'write true',
      see: 'https://learn.microsoft.com/azure/aks/use-oidc-issuer',
    },
  ]],
  ['dataprotection.azure.com/BackupVault', [IDENTITY]],
  ['kusto.azure.com/Cluster', [IDENTITY]],
  ['search.azure.com/SearchService', [IDENTITY]],
  ['storage.azure.com/StorageAccount', [
    { ...ENDPOINTS, status: /^primaryEndpoints\.(blob|dfs|queue|table|web)$/, lacks: (spec) => wordAt(spec, 'kind') === 'filestorage' },
    { ...ENDPOINTS, status: /^primaryEndpoints\.(file|queue|table)$/, lacks: (spec) => wordAt(spec, 'kind') === 'blockblobstorage' },
  ]],
] satisfies [string, ExportSwitch[]][]);
