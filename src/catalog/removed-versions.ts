/** API versions that a release of Azure Service Operator serves no longer. */
interface RemovedVersions {
  /** The first release without them. */
  readonly release: string;
  readonly group: string;
  /** Default: all kinds of the group. */
  readonly kinds?: readonly string[];
  readonly versions: readonly string[];
}

/** https://azure.github.io/azure-service-operator/guide/breaking-changes/ has a page for each of these releases. */
const REMOVED: readonly RemovedVersions[] = [
  { release: 'v2.9.0', group: 'containerservice.azure.com', versions: ['v1api20230202preview'] },
  { release: 'v2.16.0', group: 'containerservice.azure.com', versions: ['v1api20210501', 'v1api20231102preview'] },
  {
    release: 'v2.17.0',
    group: 'containerservice.azure.com',
    kinds: ['Fleet', 'FleetsMember', 'FleetsUpdateRun', 'FleetsUpdateStrategy', 'FleetsAutoUpgradeProfile'],
    versions: ['v1api20230315preview'],
  },
  {
    release: 'v2.18.0',
    group: 'containerservice.azure.com',
    kinds: ['ManagedCluster', 'ManagedClustersAgentPool'],
    versions: ['v1api20230201', 'v1api20231001'],
  },
  { release: 'v2.18.0', group: 'insights.azure.com', kinds: ['ScheduledQueryRule'], versions: ['v1api20240101preview'] },
  {
    release: 'v2.19.0',
    group: 'containerservice.azure.com',
    kinds: ['ManagedCluster', 'ManagedClustersAgentPool', 'TrustedAccessRoleBinding'],
    versions: ['v1api20240402preview'],
  },
  {
    release: 'v2.21.0',
    group: 'cache.azure.com',
    kinds: ['RedisEnterprise', 'RedisEnterpriseDatabase'],
    versions: ['v1api20210301', 'v1api20230701'],
  },
];

/** Beginning of a version, of any kind → the first release without such versions. */
const REMOVED_NAMES: Readonly<Record<string, string>> = { v1alpha1api: 'v2.0.0', v1beta: 'v2.4.0' };

/** The first release of Azure Service Operator that serves a version no longer (`v2.19.0`); undefined where none is known. */
export function removedIn(group: string, kind: string, version: string): string | undefined {
  const byName = Object.entries(REMOVED_NAMES).find(([start]) => version.startsWith(start) && /\d{8}/.test(version));
  if (byName) return byName[1];
  return REMOVED.find((row) => row.group === group && (row.kinds?.includes(kind) ?? true) && row.versions.includes(version))?.release;
}
