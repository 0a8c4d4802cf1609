import { parseArmId } from '../../src/azure/arm-id';

/** Resources of which Azure refuses to have several written at a time, because each write changes what they lie in. */
export interface SerialWrites {
  /** ARM type of what they lie in. */
  readonly parent: string;
  /** Types below it of which only one is written at a time, and nothing else of this rule with it. */
  readonly alone: readonly string[];
  /** Types below it that may be written at the same time as each other, but not as the others of this rule. */
  readonly together?: readonly string[];
  /** Whether the parent's own writes go alone too. */
  readonly itself: boolean;
}

/**
 * Only what Azure was seen to refuse, each with where: issues of other tools' trackers, or recorded answers. "Recorded" are answers of Azure to
 * Azure Service Operator, which sends all at once.
 */
export const SERIAL_WRITES: readonly SerialWrites[] = [
  // 409 ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity.
  // https://github.com/Azure/bicep/issues/10928, https://github.com/Azure/bicep-registry-modules/issues/1447
  { parent: 'Microsoft.ManagedIdentity/userAssignedIdentities', alone: ['federatedIdentityCredentials'], itself: false },
  // 409 AnotherOperationInProgress among subnets; 429 RetryableErrorDueToAnotherOperation ("Operation PutVirtualNetworkPeeringOperation is updating
  // resource …/virtualNetworks/…") between peerings and subnets: recorded in four versions. https://github.com/Azure/terraform-provider-azapi/issues/503;
  // the network itself: https://github.com/hashicorp/terraform-provider-azurerm/issues/26980
  { parent: 'Microsoft.Network/virtualNetworks', alone: ['subnets', 'virtualNetworkPeerings'], itself: true },
  // 429 RetryableErrorDueToAnotherOperation. https://github.com/kubernetes/kubernetes/issues/88151
  { parent: 'Microsoft.Network/routeTables', alone: ['routes'], itself: true },
  // 429 RetryableErrorDueToAnotherOperation ("Operation PutSecurityRuleOperation"). https://github.com/Azure/azure-sdk-for-python/issues/556
  { parent: 'Microsoft.Network/networkSecurityGroups', alone: ['securityRules'], itself: true },
  // 429 RetryableError among NAT rules. https://github.com/Azure/azure-powershell/issues/4889; the balancer itself is written with its rules, so that
  // a rule that is made between its read and its PUT would be lost: https://github.com/hashicorp/terraform-provider-azurerm/issues/13886
  { parent: 'Microsoft.Network/loadBalancers', alone: ['inboundNatRules'], itself: true },
  // OperationNotAllowed among extensions while the set rolls one out. https://github.com/hashicorp/terraform-provider-azurerm/issues/7002; the set
  // itself is written with its extensions.
  { parent: 'Microsoft.Compute/virtualMachineScaleSets', alone: ['extensions'], itself: true },
  // 409 AnotherOperationInProgress. https://github.com/hashicorp/terraform-provider-azurerm/pull/32081
  { parent: 'Microsoft.Network/firewallPolicies', alone: ['ruleCollectionGroups'], itself: true },
  // 409 AnotherOperationInProgress. https://github.com/hashicorp/terraform-provider-azurerm/issues/14152
  { parent: 'Microsoft.Network/networkWatchers', alone: ['flowLogs'], itself: false },
  // 409 AnotherOperationInProgress. https://github.com/hashicorp/terraform-provider-azurerm/issues/28715
  { parent: 'Microsoft.Network/privateEndpoints', alone: ['privateDnsZoneGroups'], itself: true },
  // ServerIsBusy, ServerBusy. The service team on configurations, databases and firewall rules: https://github.com/hashicorp/terraform-provider-azurerm/pull/18159;
  // among configurations: pull/27355; virtual endpoints: pull/29071; after the server itself: https://github.com/Azure/azure-postgresql/issues/134;
  // firewall rules do not disturb each other: https://github.com/hashicorp/terraform-provider-azurerm/issues/19953
  {
    parent: 'Microsoft.DBforPostgreSQL/flexibleServers',
    alone: ['configurations', 'databases', 'virtualendpoints'],
    together: ['firewallRules'],
    itself: true,
  },
  // 409 RequestConflict ("Another operation is being performed on the parent resource"), also of deletions.
  // https://github.com/hashicorp/terraform-provider-azurerm/issues/22607, issues/22939; the account itself: https://github.com/Azure-Samples/tutor/issues/117
  { parent: 'Microsoft.CognitiveServices/accounts', alone: ['deployments'], itself: true },
  // 412 PreconditionFailed ("another user operation in progress which requires an exclusive lock on" the account).
  // https://github.com/hashicorp/terraform-provider-azurerm/issues/15842
  { parent: 'Microsoft.DocumentDB/databaseAccounts', alone: ['sqlRoleAssignments'], itself: true },
  // "Another job is in progress". https://github.com/hashicorp/terraform-provider-azurerm/pull/26085
  { parent: 'Microsoft.Cache/redis', alone: ['accessPolicies', 'accessPolicyAssignments'], itself: true },
  // 409 OperationNotAllowed ("Another operation is in progress", "Another agentpool operation (… - Creating) is in progress") between the cluster and
  // its pools: https://github.com/Azure/azure-workload-identity/issues/417, https://github.com/cilium/cilium/issues/25944. Several pools at a time are
  // taken since https://github.com/Azure/AKS/issues/1913 was resolved.
  { parent: 'Microsoft.ContainerService/managedClusters', alone: [], together: ['agentPools'], itself: true },
  // 409 PessimisticConcurrencyConflict: the link between a product and an API locks both. https://github.com/Azure/azure-api-management-devops-resource-kit/pull/432
  { parent: 'Microsoft.ApiManagement/service', alone: ['products/apis'], itself: false },
];

/** Where a resource stands in line with others. */
export interface TurnPlace {
  /** The same text for all that take turns. */
  readonly line: string;
  /** ARM id of what they lie in. */
  readonly parent: string;
  /** May be written at the same time as others of which this is true too. */
  readonly together: boolean;
  /** The resource is the parent itself. */
  readonly isParent: boolean;
}

/** How a type takes turns. */
export interface TurnRule {
  /** How far above it its parent is; 0: it is the parent. */
  readonly levels: number;
  /** May be written at the same time as others of which this is true too. */
  readonly together: boolean;
}

const RULES: ReadonlyMap<string, TurnRule> = new Map(SERIAL_WRITES.flatMap(({ parent, alone, together = [], itself }): [string, TurnRule][] => [
  ...(itself ? [[parent.toLowerCase(), { levels: 0, together: false }] as [string, TurnRule]] : []),
  ...alone.map((child): [string, TurnRule] => [`${parent}/${child}`.toLowerCase(), { levels: child.split('/').length, together: false }]),
  ...together.map((child): [string, TurnRule] => [`${parent}/${child}`.toLowerCase(), { levels: child.split('/').length, together: true }]),
]));

/** Whether resources of an ARM type take turns with others. */
export function takesTurns(armType: string): boolean {
  return turnRuleOf(armType) !== undefined;
}

/** How resources of an ARM type take turns; undefined: they do not. */
export function turnRuleOf(armType: string): TurnRule | undefined {
  return RULES.get(armType.toLowerCase());
}

/** Where the resource of an ARM id stands in line; undefined: it need not. */
export function turnPlaceOf(armId: string): TurnPlace | undefined {
  const parts = parseArmId(armId);
  const rule = parts?.provider ? RULES.get([parts.provider, ...parts.types].join('/').toLowerCase()) : undefined;
  if (!rule) return undefined;
  const parent = armId.split('/').slice(0, -2 * rule.levels || undefined).join('/');
  return { line: parent.toLowerCase(), parent, together: rule.together, isParent: rule.levels === 0 };
}
