// The scope `service` of the acceptance cases, with a `request`: inputs → constructs. It knows inputs, never cases.
import type { Chart } from 'cdk8s';
import type { ClaimOfCase } from './claim-of-case';
import { Refused, step } from './refused';
import type { FieldNames } from './refused';
import { completed, sentinelOf } from './sentinels';
import type { Inputs } from './sentinels';
import type { PlatformConfiguration } from '../../examples/prefixed-platform/configuration';
import { configuredEnvironment } from '../../examples/prefixed-platform/environment';
import type { Environment, ServiceProps, TeamInEnvironment, TeamProps } from 'cdk8s-aso/platform';
import { OnboardingPart, Service, Team } from 'cdk8s-aso/platform';

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
export const SERVICE_FIELDS: FieldNames = { name: 'serviceName' };

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
  const team = teamOf(given, environmentOf(given));
  const { serviceName } = completed(given, SERVICE_INPUTS);
  step(SERVICE_FIELDS, () => new Service(chart, 'service', { team, name: serviceName, ...requestedProps(given) } as ServiceProps));
}

/** The claim of a service, and that of its team. */
export function serviceClaims(inputs: Inputs): [service: ClaimOfCase, team: ClaimOfCase] {
  const given = withoutNulls(inputs);
  const { name, ...spec } = teamProps(given, environmentOf(given));
  const metadata = { name: completed(given, SERVICE_INPUTS).serviceName as string, namespace: name };
  return [{ kind: 'Service', metadata, spec: requestedProps(given) }, { kind: 'Team', metadata: { name }, spec: { ...spec, only: [OnboardingPart.NAMESPACE] } }];
}

function requestedProps(given: Inputs): Inputs {
  const request = requestOf(given);
  if ((request.storageAccounts ?? []).some(({ owned }: Inputs) => owned !== false) && given.storageAccountSku === undefined) {
    throw new Refused('storageAccountSku: required. Give the SKU of the platform\'s storage accounts.');
  }
  const { identity, ...things } = request;
  return { identity: identity ? { federatedServiceAccounts: [], ...identity } : { existing: true }, ...things };
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

/** The configuration of the platform's environment. */
export function selfserviceConfiguration(inputs: Inputs): PlatformConfiguration {
  const given = completed(inputs, ENVIRONMENT_INPUTS);
  const props = Object.fromEntries([...ENVIRONMENT_INPUTS, ...ENVIRONMENT_OPTIONAL].map((name) => [name, given[name]]));
  const zones = given[ZONES] ?? { uksouth: sentinelOf(ZONES), ukwest: sentinelOf(ZONES) };
  const privateEndpoints = [true, 'enable'].includes(given.privateEndpoints);
  // The inputs have the names of the properties; the types of their values are for the platform to check.
  return { ...props, [ZONES]: zones, privateEndpoints } as unknown as PlatformConfiguration;
}

function environmentOf(inputs: Inputs): Environment {
  return step(ENVIRONMENT_FIELDS, () => configuredEnvironment(selfserviceConfiguration(inputs)));
}

function teamOf(inputs: Inputs, environment: Environment): TeamInEnvironment {
  return step(TEAM_FIELDS, () => new Team(teamProps(inputs, environment)).in(environment));
}

function teamProps(inputs: Inputs, environment: Environment): TeamProps {
  const { namespace, teamResourceGroup, serviceCode } = completed(inputs, TEAM_INPUTS);
  const uses = (environment.shared.services ?? []).map(({ name }) => name);
  return { name: namespace, resourceGroup: teamResourceGroup, serviceCode, uses };
}

/** Members that a configuration leaves empty are absent. */
function withoutNulls(value: any): any {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null).map(([key, item]) => [key, withoutNulls(item)]));
}
