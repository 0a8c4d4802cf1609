import type { ClassificationAdjustment } from '../arm/classify';
import type { Classification } from '../arm/types';

/** A row of the table: which errors, and what they become. */
interface Row {
  readonly group: string;
  readonly kinds: readonly string[];
  /** Any of these codes; absent: any code. */
  readonly codes?: readonly string[];
  /** All of these are in the message. */
  readonly message?: readonly (string | RegExp)[];
  readonly become: Partial<Pick<Classification, 'severity' | 'retry'>>;
}

const RETRYABLE = { severity: 'Warning' } as const;
const FATAL = { severity: 'Error' } as const;
const SLOW = { severity: 'Warning', retry: 'slow' } as const;

/** docs/spec/extensions.md#error-adjustments: codes and texts are compared exactly. */
const ROWS: readonly Row[] = [
  { group: 'app', kinds: ['ContainerApp', 'Job'], codes: ['ManagedEnvironmentNotProvisioned'], become: RETRYABLE },
  { group: 'cdn', kinds: ['AfdCustomDomain'], codes: ['BadRequest'], message: ['This resource is still associated with a route'], become: SLOW },
  { group: 'cdn', kinds: ['Route', 'Rule'], codes: ['BadRequest'], message: ['originGroup is created successfully', 'at least one enabled origin is created'], become: RETRYABLE },
  { group: 'cdn', kinds: ['SecurityPolicy'], codes: ['BadRequest'], message: ['is not associated with the AFDX profile', 'is in a invalid provisioning state'], become: RETRYABLE },
  { group: 'compute', kinds: ['Disk'], codes: ['BadRequest'], message: [/DiskAccess.*not found/], become: RETRYABLE },
  { group: 'compute', kinds: ['Disk'], codes: ['Conflict'], message: [/DiskAccess.*is in failed state./], become: RETRYABLE },
  { group: 'compute', kinds: ['VirtualMachine', 'VirtualMachineScaleSet'], codes: ['OperationNotAllowed'], become: RETRYABLE },
  { group: 'containerservice', kinds: ['ManagedCluster'], codes: ['CustomKubeletIdentityMissingPermissionError'], become: RETRYABLE },
  { group: 'containerservice', kinds: ['ManagedClustersAgentPool'], codes: ['NodePoolMcVersionIncompatible'], become: SLOW },
  { group: 'containerservice', kinds: ['FleetsMember'], codes: ['DependentResourceNotFound'], become: RETRYABLE },
  { group: 'documentdb', kinds: ['DatabaseAccount'], codes: ['ServiceUnavailable'], message: ['currently experiencing high demand'], become: FATAL },
  { group: 'documentdb', kinds: ['SqlDatabase', 'MongodbDatabase'], codes: ['BadRequest'], become: RETRYABLE },
  { group: 'documentdb', kinds: ['SqlRoleAssignment'], codes: ['BadRequest'], message: ['was not found in the AAD tenant'], become: RETRYABLE },
  { group: 'documentdb', kinds: ['CassandraCluster'], codes: ['BadRequest'], message: ['service principal'], become: RETRYABLE },
  { group: 'insights', kinds: ['DataCollectionRule'], codes: ['WorkspaceNotFound'], become: RETRYABLE },
  { group: 'insights', kinds: ['ScheduledQueryRule'], codes: ['BadRequest'], message: [/does not exist|insufficient access/], become: RETRYABLE },
  { group: 'machinelearningservices', kinds: ['Workspace'], codes: ['BadRequest'], message: ['StorageAccountIsNotProvisioned'], become: RETRYABLE },
  { group: 'network', kinds: ['VirtualNetworksSubnet'], codes: ['NetcfgSubnetRangeOutsideVnet'], become: RETRYABLE },
  { group: 'network', kinds: ['VirtualNetworksVirtualNetworkPeering', 'PublicIPAddress'], codes: ['ReferencedResourceNotProvisioned'], become: RETRYABLE },
  { group: 'network', kinds: ['NetworkWatchersFlowLog'], codes: ['NetworkSecurityGroupNotFoundForFlowLog', 'StorageProvisioningStateNotSucceeded'], become: RETRYABLE },
  { group: 'network', kinds: ['AzureFirewall'], codes: ['AzfwAddToFirewallPolicyFailed'], message: [/failed to reference Firewall Policy/i], become: RETRYABLE },
  { group: 'network', kinds: ['DnsZonesARecord', 'DnsZonesAAAARecord', 'DnsZonesCNAMERecord'], codes: ['BadRequest'], message: [/The referenced resource.*was not found/], become: RETRYABLE },
  { group: 'network', kinds: ['DnsForwardingRuleset'], message: ['was not found'], become: RETRYABLE },
  { group: 'servicebus', kinds: ['NamespacesTopicsSubscription'], codes: ['MessagingGatewayBadRequest'], become: RETRYABLE },
  { group: 'sql', kinds: ['Server'], codes: ['PasswordNotComplex'], become: FATAL },
  { group: 'sql', kinds: ['ServersVulnerabilityAssessment'], codes: ['VulnerabilityAssessmentADSIsDisabled'], become: RETRYABLE },
];

/** The adjustment of a kind, or undefined where it has none. */
export function adjustmentOf(group: string, kind: string): ClassificationAdjustment | undefined {
  const rows = ROWS.filter((row) => `${row.group}.azure.com` === group && row.kinds.includes(kind));
  if (rows.length === 0) return undefined;
  return (classification) => {
    const row = rows.find((candidate) => fits(candidate, classification));
    return row ? { ...classification, ...row.become } : classification;
  };
}

function fits({ codes, message }: Row, classification: Classification): boolean {
  if (codes && !codes.includes(classification.code)) return false;
  return (message ?? []).every((part) => (typeof part === 'string' ? classification.message.includes(part) : part.test(classification.message)));
}
