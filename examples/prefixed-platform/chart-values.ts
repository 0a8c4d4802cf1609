import type { IAzureResourceRef } from 'cdk8s-aso';
import type { TeamInEnvironment } from 'cdk8s-aso/platform';

/** Spelling of regions in the values of the library chart. */
const REGIONS: Readonly<Record<string, string>> = { uksouth: 'UKSouth', ukwest: 'UKWest' };

/** A service account whose tokens the service's identity trusts. */
export interface FederatedServiceAccount {
  /** Namespace of the service account. */
  readonly namespace: string;
  /** Name of the service account. */
  readonly name: string;
}

/** Input of the values for the platform's library chart (version 2), besides team and environment. */
export interface ChartValuesProps {
  /** The team that owns the service. */
  readonly team: TeamInEnvironment;
  /** Name of the service. */
  readonly service: string;
  /** Prefix of identity names, e.g. `devpltinfmid1401`. */
  readonly identityPrefix: string;
  /**
   * Prefix of storage account names.
   * @default - none
   */
  readonly storageAccountPrefix?: string;
  /**
   * SKU of storage accounts.
   * @default - the chart's default
   */
  readonly storageAccountSku?: string;
  /**
   * Whether the chart creates private endpoints.
   * @default - true if the environment has private access
   */
  readonly privateEndpoints?: boolean;
  /**
   * Prefix of private endpoint names.
   * @default - none
   */
  readonly privateEndpointPrefix?: string;
  /**
   * The tenant whose custom role ids the chart uses.
   * @default - the chart's default
   */
  readonly roleTenant?: string;
  /**
   * Service accounts whose tokens the service's identity trusts.
   * @default - the service's own, and the one that reads App Configuration for the service
   */
  readonly federatedServiceAccounts?: FederatedServiceAccount[];
}

/** Values for the platform's library chart (version 2), from one typed environment instead of an overlay for each service. */
export function chartValues(props: ChartValuesProps): Record<string, unknown> {
  const { team, service } = props;
  const { environment, namespace, resourceGroup } = team;
  const { serviceCode } = team.team.props;
  const { privateAccess } = environment.shared;
  const shared = (name: string) => environment.sharedService(name)?.resource;
  const place = (reference: IAzureResourceRef | undefined) => (reference ? partsOf(environment.armIdOf(reference)) : undefined);
  const [bus, database, vault, subnet] = [shared('service-bus'), shared('postgres'), shared('key-vault'), privateAccess?.subnet].map(place);
  const [network, subnetName] = subnet?.names ?? [];
  const accounts = props.federatedServiceAccounts ?? [
    { namespace, name: service },
    { namespace: 'app-config-service', name: 'az-appconfig-k8s-provider' },
  ];
  return withValues({
    serviceName: service,
    namespace,
    environment: environment.name,
    tenant: props.roleTenant,
    subscriptionId: environment.subscriptionId,
    clusterOIDCIssuerUrl: environment.activeCluster.oidcIssuerUrl,
    fluxConfigNamespace: environment.platformNamespace,
    teamResourceGroupName: resourceGroup,
    teamMIPrefix: props.identityPrefix,
    storageAccountPrefix: props.storageAccountPrefix,
    storageAccountSku: props.storageAccountSku,
    serviceBusNamespaceName: bus?.names.at(-1),
    serviceBusResourceGroupName: bus?.resourceGroup,
    postgresServerName: database?.names.at(-1),
    postgresResourceGroupName: database?.resourceGroup,
    keyVaultName: vault?.names.at(-1),
    keyVaultResourceGroupName: vault?.resourceGroup,
    enablePrivateEndpoint: (props.privateEndpoints ?? privateAccess !== undefined) ? 'enable' : 'disable',
    privateEndpointPrefix: props.privateEndpointPrefix,
    privateEndpointSubnetName: subnetName,
    virtualNetworkName: network,
    virtualNetworkResourceGroupName: subnet?.resourceGroup,
    ...dnsValues(team),
    commonTags: withValues({
      environment: environment.name,
      serviceCode,
      serviceName: service,
      serviceType: 'Dedicated',
      kubernetes_cluster: environment.activeCluster.name,
      kubernetes_namespace: namespace,
      kubernetes_label_serviceCode: serviceCode,
    }),
    userAssignedIdentity: {
      federatedCreds: accounts.map((account) => ({ namespace: account.namespace, serviceAccountName: account.name })),
    },
  });
}

/** The resource group of a resource and its names, the parents' first. */
function partsOf(armId: string): { readonly resourceGroup: string | undefined; readonly names: readonly string[] } {
  const [before = '', after = ''] = armId.split('/providers/');
  const names = after.split('/').slice(1).filter((_, index) => index % 2 === 1);
  return { resourceGroup: before.split('/')[4], names };
}

function dnsValues({ environment }: TeamInEnvironment): Record<string, string> {
  const zones = environment.shared.privateDnsZones ?? [];
  const known = zones.filter(({ location }) => REGIONS[location] !== undefined);
  return {
    ...(zones[0] ? { azrMSTPrivateLinkDNSSubscriptionID: zones[0].subscriptionId } : {}),
    ...Object.fromEntries(
      known.map(({ location, resourceGroup }) => [`azrMSTPrivateLinkDNS${REGIONS[location]}ResourceGroupName`, resourceGroup]),
    ),
  };
}

function withValues(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
