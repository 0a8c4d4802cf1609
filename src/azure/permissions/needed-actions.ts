/** Types whose actions have another name than the type. */
const ACTION_TYPES: Readonly<Record<string, string>> = {
  'microsoft.resources/resourcegroups': 'Microsoft.Resources/subscriptions/resourceGroups',
  'microsoft.resources/subscriptions': 'Microsoft.Resources/subscriptions',
};

/** How far a resource is managed: whether it is created and changed, and whether it is deleted with its object. */
export interface ManagedAs {
  readonly writes: boolean;
  readonly deletes: boolean;
}

/** `Microsoft.Storage/storageAccounts` → what stands before `/read`, `/write` and `/delete`. */
export function actionPrefixOf(armType: string): string {
  return ACTION_TYPES[armType.toLowerCase()] ?? armType;
}

/** What a credential has to be allowed on a resource of its own. */
export function resourceActions(armType: string, { writes, deletes }: ManagedAs): string[] {
  const prefix = actionPrefixOf(armType);
  return [`${prefix}/read`, ...(writes ? [`${prefix}/write`] : []), ...(deletes ? [`${prefix}/delete`] : [])];
}

/**
 * The action of a call on a resource. A path may lead through a child: of `AuthorizationRules/RootManageSharedAccessKey/listKeys` the
 * name is no part of the action.
 */
export function callAction(armType: string, method: string, path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const verb = segments[segments.length - 1] ?? '';
  const types = segments.slice(0, -1).filter((_, index) => index % 2 === 0);
  const end = method.toUpperCase() === 'GET' ? (segments.length % 2 === 0 ? types : [...types, verb]).concat('read') : [...types, verb, 'action'];
  return [actionPrefixOf(armType), ...end].join('/');
}

/** What Azure asks for on a resource that another one refers to, by the type of the one that is referred to. */
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

/** Those that ask for something else. */
const JOINED_BY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Two networks are peered, not joined.
  'microsoft.network/virtualnetworks/virtualnetworkpeerings': { 'microsoft.network/virtualnetworks': 'peer/action' },
  // A network rule of a service opens it to a subnet.
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
 * What has to be allowed on a resource that another one refers to; undefined where Azure asks for nothing.
 * @param from type of the resource that refers to the other one
 * @param to type of the one that is referred to
 * @param path where it is referred to, e.g. `spec.subnet.reference`
 * @see https://learn.microsoft.com/azure/role-based-access-control/resource-provider-operations
 */
export function linkAction(from: string, to: string, path: string): string | undefined {
  const [source, target] = [from.toLowerCase(), to.toLowerCase()];
  // The connection is approved in the same request; asked for in `manualPrivateLinkServiceConnections`, somebody else approves it.
  if (source === PRIVATE_ENDPOINT && /(^|\.)privateLinkServiceConnections\[/.test(path)) return `${actionPrefixOf(to)}/PrivateEndpointConnectionsApproval/action`;
  const action = JOINED_BY[source]?.[target] ?? (Object.hasOwn(JOINED, target) ? JOINED[target] : undefined);
  return action === undefined ? undefined : `${actionPrefixOf(to)}/${action}`;
}
