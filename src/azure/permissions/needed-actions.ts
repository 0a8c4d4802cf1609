/** Types whose actions have another prefix than the type. */
const ACTION_TYPES: Readonly<Record<string, string>> = {
  'microsoft.resources/resourcegroups': 'Microsoft.Resources/subscriptions/resourceGroups',
  'microsoft.resources/subscriptions': 'Microsoft.Resources/subscriptions',
};

/** How a resource is managed: whether it is created and updated, and whether it is deleted with its object. */
export interface ManagedAs {
  readonly writes: boolean;
  readonly deletes: boolean;
}

/** The prefix of a type's `/read`, `/write` and `/delete` actions, e.g. `Microsoft.Storage/storageAccounts`. */
export function actionPrefixOf(armType: string): string {
  return ACTION_TYPES[armType.toLowerCase()] ?? armType;
}

/** The actions that a credential needs on a resource that it manages. */
export function resourceActions(armType: string, { writes, deletes }: ManagedAs): string[] {
  const prefix = actionPrefixOf(armType);
  return [`${prefix}/read`, ...(writes ? [`${prefix}/write`] : []), ...(deletes ? [`${prefix}/delete`] : [])];
}

/**
 * The action of a call on a resource. The path may include a child: in `AuthorizationRules/RootManageSharedAccessKey/listKeys` the name is
 * no part of the action.
 */
export function callAction(armType: string, method: string, path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const verb = segments[segments.length - 1] ?? '';
  const types = segments.slice(0, -1).filter((_, index) => index % 2 === 0);
  const end =
    method.toUpperCase() === 'GET' ? (segments.length % 2 === 0 ? types : [...types, verb]).concat('read') : [...types, verb, 'action'];
  return [actionPrefixOf(armType), ...end].join('/');
}

/** The action that Azure requires on a referenced resource, by the type of the referenced resource. */
const JOINED: Readonly<Record<string, string>> = {
  'microsoft.managedidentity/userassignedidentities': 'assign/action',
  'microsoft.network/applicationgatewaywebapplicationfirewallpolicies': 'join/action',
  'microsoft.network/applicationsecuritygroups': 'joinIpConfiguration/action',
  'microsoft.network/ddosprotectionplans': 'join/action',
  'microsoft.network/frontdoorwebapplicationfirewallpolicies': 'join/action',
  'microsoft.network/loadbalancers/backendaddresspools': 'join/action',
  'microsoft.network/loadbalancers/inboundnatrules': 'join/action',
  'microsoft.network/natgateways': 'join/action',
  'microsoft.network/networkinterfaces': 'join/action',
  'microsoft.network/networksecuritygroups': 'join/action',
  'microsoft.network/privatednszones': 'join/action',
  'microsoft.network/publicipaddresses': 'join/action',
  'microsoft.network/publicipprefixes': 'join/action',
  'microsoft.network/routetables': 'join/action',
  'microsoft.network/virtualnetworks': 'join/action',
  'microsoft.network/virtualnetworks/subnets': 'join/action',
  'microsoft.web/serverfarms': 'join/action',
};

/** Exceptions to `JOINED`, by the type of the referencing resource. */
const JOINED_BY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Peerings require `peer`, not `join`.
  'microsoft.network/virtualnetworks/virtualnetworkpeerings': { 'microsoft.network/virtualnetworks': 'peer/action' },
  // A network rule of a service allows access from a subnet.
  'microsoft.storage/storageaccounts': { 'microsoft.network/virtualnetworks/subnets': 'joinViaServiceEndpoint/action' },
  'microsoft.servicebus/namespaces/networkrulesets': { 'microsoft.network/virtualnetworks/subnets': 'joinViaServiceEndpoint/action' },
  'microsoft.eventhub/namespaces/networkrulesets': { 'microsoft.network/virtualnetworks/subnets': 'joinViaServiceEndpoint/action' },
  'microsoft.keyvault/vaults': { 'microsoft.network/virtualnetworks/subnets': 'joinViaServiceEndpoint/action' },
  'microsoft.documentdb/databaseaccounts': { 'microsoft.network/virtualnetworks/subnets': 'joinViaServiceEndpoint/action' },
  'microsoft.cognitiveservices/accounts': { 'microsoft.network/virtualnetworks/subnets': 'joinViaServiceEndpoint/action' },
  'microsoft.sql/servers/virtualnetworkrules': { 'microsoft.network/virtualnetworks/subnets': 'joinViaServiceEndpoint/action' },
};

const PRIVATE_ENDPOINT = 'microsoft.network/privateendpoints';

/**
 * The action that Azure requires on a referenced resource; undefined if it requires none.
 * @param from type of the referencing resource
 * @param to type of the referenced resource
 * @param path the path of the reference, e.g. `spec.subnet.reference`
 * @see https://learn.microsoft.com/azure/role-based-access-control/resource-provider-operations
 */
export function linkAction(from: string, to: string, path: string): string | undefined {
  const [source, target] = [from.toLowerCase(), to.toLowerCase()];
  // The request also approves the connection; connections in `manualPrivateLinkServiceConnections` are approved separately.
  if (source === PRIVATE_ENDPOINT && /(^|\.)privateLinkServiceConnections\[/.test(path)) {
    return `${actionPrefixOf(to)}/PrivateEndpointConnectionsApproval/action`;
  }
  const action = JOINED_BY[source]?.[target] ?? (Object.hasOwn(JOINED, target) ? JOINED[target] : undefined);
  return action === undefined ? undefined : `${actionPrefixOf(to)}/${action}`;
}
