import type { PlatformConfiguration } from './configuration';
import { DeveloperPortalLabels } from './labels';
import { FinanceTags } from './tags';
import { AzureReference, BuiltInRole, type IAzureResourceRef } from 'cdk8s-aso';
import { UserAssignedIdentity, type IUserAssignedIdentityRef } from 'cdk8s-aso/managedidentity';
import {
  PlatformPreset, SharedService,
  type Environment, type PlatformTeam, type PrivateAccess, type RoleChoices, type SharedServices,
} from 'cdk8s-aso/platform';

/**
 * An environment from the platform's configuration. Teams that were onboarded with the platform's templates keep all their objects.
 * @throws when a value is missing or malformed
 */
export function configuredEnvironment(configuration: PlatformConfiguration): Environment {
  assertGiven(configuration);
  const { clusterName, clusterOidcIssuerUrl, operatorNamespace, operatorServiceAccount } = configuration;
  const { environmentInstance, teamIdentities, storageAccountSku } = configuration;
  return preset(configuration).environment({
    name: configuration.environment,
    subscriptionId: configuration.subscriptionId,
    subscriptionName: configuration.subscriptionName,
    tenantId: configuration.tenantId,
    location: configuration.location ?? 'uksouth',
    clusters: [
      { name: clusterName, oidcIssuerUrl: clusterOidcIssuerUrl, ...given({ operatorNamespace, operatorServiceAccount }) },
      ...(configuration.moreClusters ?? []),
    ],
    platform: platformTeam(configuration),
    shared: sharedServices(configuration),
    roles: roles(configuration),
    ...given({ instance: environmentInstance, teamIdentities, storageAccountSku }),
  });
}

/** The library's preset for names with prefixes, with the labels and tags of this platform. */
function preset(configuration: PlatformConfiguration): PlatformPreset {
  const { identityPrefix, sharedResourceGroup, storageAccountPrefix, privateEndpointPrefix } = configuration;
  const prefixes = { identityPrefix, ...given({ sharedResourceGroup, storageAccountPrefix, privateEndpointPrefix }) };
  return PlatformPreset.prefixedNames(prefixes).extend({
    conventions: { labels: new DeveloperPortalLabels(), serviceTags: new FinanceTags() },
  });
}

function platformTeam(configuration: PlatformConfiguration): PlatformTeam {
  const { platformNamespace, operatorIdentityClientId, databaseAdministrator, databaseAdministratorClientId } = configuration;
  return {
    namespace: platformNamespace ?? 'flux-config',
    ...given({
      identityClientId: operatorIdentityClientId,
      databaseAdministrator,
      databaseAdministratorClientId,
      databaseAdministratorIdentity: databaseAdministratorIdentity(configuration),
    }),
  };
}

function databaseAdministratorIdentity(configuration: PlatformConfiguration): IUserAssignedIdentityRef | undefined {
  const { databaseResourceGroup, identityPrefix, databaseAdministrator } = configuration;
  if (!databaseResourceGroup || !databaseAdministrator) return undefined;
  const name = `${identityPrefix}-${databaseAdministrator}`;
  const armId = armIdIn(configuration, databaseResourceGroup, 'Microsoft.ManagedIdentity/userAssignedIdentities', name);
  return UserAssignedIdentity.fromArmId(armId);
}

function sharedServices(configuration: PlatformConfiguration): SharedServices {
  const { privateDnsResourceGroups = {}, privateDnsSubscriptionId } = configuration;
  return {
    privateDnsZones: Object.entries(privateDnsResourceGroups).map(([location, resourceGroup]) => ({
      location,
      subscriptionId: privateDnsSubscriptionId ?? configuration.subscriptionId,
      resourceGroup,
    })),
    services: services(configuration),
    ...given({
      appConfigurationReaderClientId: configuration.appConfigurationIdentityClientId,
      trustedCertificates: configuration.trustedCertificates,
      privateAccess: privateAccess(configuration),
    }),
  };
}

/** The shared services that the configuration has. */
function services(configuration: PlatformConfiguration): SharedService[] {
  const { sharedResourceGroup, databaseResourceGroup } = configuration;
  const shared = (type: string, name: string | undefined) => reference(configuration, sharedResourceGroup, type, name);
  const serviceBus = shared('Microsoft.ServiceBus/namespaces', configuration.serviceBusNamespace);
  const postgres = reference(
    configuration, databaseResourceGroup, 'Microsoft.DBforPostgreSQL/flexibleServers', configuration.postgresServer,
  );
  const store = shared('Microsoft.AppConfiguration/configurationStores', configuration.appConfigurationName);
  const vault = shared('Microsoft.KeyVault/vaults', configuration.keyVaultName);
  const registry = shared('Microsoft.ContainerRegistry/registries', configuration.containerRegistryName);
  const role = (field: RoleField) => given({ role: customRole(field, configuration) });
  // The platform's objects have no reconcile policy of their own, although the custom roles allow no deletion.
  const mayDelete = true;
  return [
    ...(serviceBus ? [SharedService.serviceBus({ resource: serviceBus, mayDelete, ...role('serviceBusRoleDefinitionId') })] : []),
    ...(postgres ? [SharedService.postgresServer({ resource: postgres, mayDelete, ...role('databaseRoleDefinitionId') })] : []),
    ...(store ? [SharedService.appConfiguration({ resource: store, role: BuiltInRole.USER_ACCESS_ADMINISTRATOR })] : []),
    ...(vault ? [SharedService.keyVault({ resource: vault })] : []),
    ...(registry ? [SharedService.containerRegistry({ resource: registry })] : []),
  ];
}

function privateAccess(configuration: PlatformConfiguration): PrivateAccess | undefined {
  const { privateEndpoints, virtualNetworkResourceGroup: group, virtualNetwork, privateEndpointSubnet } = configuration;
  if (!privateEndpoints || !group || !virtualNetwork || !privateEndpointSubnet) return undefined;
  const path = `${virtualNetwork}/subnets/${privateEndpointSubnet}`;
  return { subnet: AzureReference.fromArmId(armIdIn(configuration, group, 'Microsoft.Network/virtualNetworks', path)) };
}

function roles(configuration: PlatformConfiguration): RoleChoices {
  return given({
    storageDataWriter: customRole('storageDataWriterRoleDefinitionId', configuration),
    storageDataReader: customRole('storageDataReaderRoleDefinitionId', configuration),
  });
}

type RoleField =
  'serviceBusRoleDefinitionId' | 'databaseRoleDefinitionId' | 'storageDataWriterRoleDefinitionId' | 'storageDataReaderRoleDefinitionId';

function customRole(field: RoleField, configuration: PlatformConfiguration): BuiltInRole | undefined {
  const id = configuration[field];
  if (id === undefined) return undefined;
  try {
    return BuiltInRole.custom(id);
  } catch (error) {
    throw new Error(`${field}: ${(error as Error).message}`);
  }
}

function reference(
  configuration: PlatformConfiguration,
  group: string | undefined,
  type: string,
  name: string | undefined,
): IAzureResourceRef | undefined {
  return group && name ? AzureReference.fromArmId(armIdIn(configuration, group, type, name)) : undefined;
}

function armIdIn({ subscriptionId }: PlatformConfiguration, group: string, type: string, name: string): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/${type}/${name}`;
}

/** An empty text counts as missing: an undefined variable results in an empty text. */
function assertGiven(configuration: PlatformConfiguration): void {
  const needed = ['environment', 'subscriptionId', 'subscriptionName', 'tenantId', 'clusterName', 'clusterOidcIssuerUrl', 'identityPrefix'];
  const values: Record<string, unknown> = { ...configuration };
  const problems = [...new Set([...needed, ...Object.keys(configuration)])]
    .filter((field) => values[field] === '' || (values[field] === undefined && needed.includes(field)))
    .map((field) => `${field}: required. An empty text is what a variable gives that nobody defined.`);
  const { clusterOidcIssuerUrl } = configuration;
  if (clusterOidcIssuerUrl && !clusterOidcIssuerUrl.startsWith('https://')) {
    problems.push(`clusterOidcIssuerUrl: '${clusterOidcIssuerUrl}' is no https:// URL. Give the issuer as the cluster spells it.`);
  }
  if (problems.length > 0) throw new Error(`The platform's configuration: ${problems.join('\n  ')}`);
}

/** The values that are given: an optional property is left out, not undefined. */
function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
