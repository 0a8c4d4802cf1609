// The scope `service` of the acceptance cases, with a `request`: inputs → constructs. It knows inputs, never cases.
import type { Chart } from 'cdk8s';
import { Refused, step } from './refused';
import type { FieldNames } from './refused';
import { completed, sentinelOf } from './sentinels';
import type { Inputs } from './sentinels';
import type { PlatformConfiguration } from '../../examples/prefixed-platform/configuration';
import { configuredEnvironment } from '../../examples/prefixed-platform/environment';
import type { Environment, ServiceProps, TeamInEnvironment } from 'cdk8s-aso/platform';
import { Service, Team } from 'cdk8s-aso/platform';

/** The parts of an environment, under the same name in the cases and in `PlatformConfiguration`. */
const ENVIRONMENT_INPUTS = [
  'environment',
  'subscriptionId',
  'subscriptionName',
  'tenantId',
  'clusterName',
  'clusterOidcIssuerUrl',
  'platformNamespace',
  'sharedResourceGroup',
  'serviceBusNamespace',
  'databaseResourceGroup',
  'postgresServer',
  'keyVaultName',
  'identityPrefix',
  'privateEndpointSubnet',
  'virtualNetwork',
  'virtualNetworkResourceGroup',
  'privateDnsSubscriptionId',
  'storageDataWriterRoleDefinitionId',
  'storageDataReaderRoleDefinitionId',
  'serviceBusRoleDefinitionId',
  'databaseRoleDefinitionId',
];
/** Without these, whatever needs them says so. */
const ENVIRONMENT_OPTIONAL = ['environmentInstance', 'location', 'storageAccountPrefix', 'storageAccountSku', 'privateEndpointPrefix'];
const TEAM_INPUTS = ['namespace', 'teamResourceGroup', 'serviceCode'];
const SERVICE_INPUTS = ['serviceName'];
const ZONES = 'privateDnsResourceGroups';

/** Every input that gets a sentinel where a case leaves it out. */
export const SELFSERVICE_INPUTS: readonly string[] = [...ENVIRONMENT_INPUTS, ...TEAM_INPUTS, ...SERVICE_INPUTS, ZONES];

const ENVIRONMENT_FIELDS: FieldNames = {
  'name': 'environment',
  'clusters[0].name': 'clusterName',
  'clusters[0].oidcIssuerUrl': 'clusterOidcIssuerUrl',
  'platform.namespace': 'platformNamespace',
};
const TEAM_FIELDS: FieldNames = { name: 'namespace', resourceGroup: 'teamResourceGroup' };
const SERVICE_FIELDS: FieldNames = { name: 'serviceName' };

/** Lists of a request, and whether something else may own what is in them. */
const LISTS = ['queues', 'topics', 'storageAccounts', 'keyVaultSecrets', 'privateDnsRecords'];
const REQUEST = [...LISTS, 'identity', 'database', 'annotations'];
/** Members that only have a meaning for the service that owns the resource. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  queues: ['settings'],
  topics: ['settings'],
  storageAccounts: [
    'location',
    'accessTier',
    'allowSharedKeyAccess',
    'allowCrossTenantReplication',
    'defaultToOAuthAuthentication',
    'allowedIpRanges',
    'blobService',
    'fileService',
  ],
};

/** The request of a service. */
export function selfservice(inputs: Inputs, chart: Chart): void {
  const given = withoutNulls(inputs);
  const request = requestOf(given);
  if ((request.storageAccounts ?? []).some(({ owned }: Inputs) => owned !== false) && given.storageAccountSku === undefined) {
    throw new Refused('storageAccountSku: required. Give the SKU of the platform\'s storage accounts.');
  }
  const team = teamOf(given, environmentOf(given));
  const { serviceName } = completed(given, SERVICE_INPUTS);
  const { identity, ...things } = request;
  step(SERVICE_FIELDS, () => new Service(chart, 'service', {
    team,
    name: serviceName,
    identity: identity ? { federatedServiceAccounts: [], ...identity } : { existing: true },
    ...things,
  } as ServiceProps));
}

function requestOf({ request }: Inputs): Inputs {
  for (const [key, value] of Object.entries(request ?? {})) {
    if (!REQUEST.includes(key)) throw new Refused(`${key}: is nothing that a service can ask for. Give one of ${REQUEST.join(', ')}.`);
    if (LISTS.includes(key) && !Array.isArray(value)) throw new Refused(`${key}: has to be a list.`);
  }
  const lists = LISTS.filter((key) => request?.[key] !== undefined);
  return {
    ...request,
    ...Object.fromEntries(lists.map((key) => [key, request[key].map((item: unknown) => reference(item, OWNERS[key] ?? []))])),
  };
}

function reference(item: any, owners: readonly string[]): unknown {
  if (item?.owned !== false) return item;
  return Object.fromEntries(Object.entries(item).filter(([key]) => !owners.includes(key)));
}

function environmentOf(inputs: Inputs): Environment {
  const given = completed(inputs, ENVIRONMENT_INPUTS);
  const props = Object.fromEntries([...ENVIRONMENT_INPUTS, ...ENVIRONMENT_OPTIONAL].map((name) => [name, given[name]]));
  const zones = given[ZONES] ?? { uksouth: sentinelOf(ZONES), ukwest: sentinelOf(ZONES) };
  const privateEndpoints = [true, 'enable'].includes(given.privateEndpoints);
  // The inputs have the names of the properties; the types of their values are for the platform to check.
  return step(ENVIRONMENT_FIELDS, () =>
    configuredEnvironment({ ...props, [ZONES]: zones, privateEndpoints } as unknown as PlatformConfiguration),
  );
}

function teamOf(inputs: Inputs, environment: Environment): TeamInEnvironment {
  const { namespace, teamResourceGroup, serviceCode } = completed(inputs, TEAM_INPUTS);
  const uses = (environment.shared.services ?? []).map(({ name }) => name);
  return step(TEAM_FIELDS, () => new Team({ name: namespace, resourceGroup: teamResourceGroup, serviceCode, uses }).in(environment));
}

/** Members that a configuration leaves empty are absent. */
function withoutNulls(value: any): any {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null).map(([key, item]) => [key, withoutNulls(item)]));
}
