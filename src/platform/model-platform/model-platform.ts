import { ModelPlatformLabels } from './model-platform-labels';
import type { ModelPlatformProps } from './model-platform-props';
import { ModelPlatformTags } from './model-platform-tags';
import { AzureReference, BuiltInRole, RemovalPolicy } from '../../core';
import type { IAzureResourceRef } from '../../core';
import { UserAssignedIdentity } from '../../services/managedidentity/user-assigned-identity';
import type { IUserAssignedIdentityRef } from '../../services/managedidentity/user-assigned-identity';
import { omitUndefined, type Struct } from '../../util/records';
import { WorkloadIdentityMode } from '../model/cluster';
import { NetworkPolicyFlavour, PodSecurityLevel } from '../model/conventions';
import { Environment } from '../model/environment';
import { PlatformProblems } from '../model/problems';
import type { RoleChoices } from '../model/role-choices';
import type { PrivateAccess, SharedServices } from '../model/shared-services';
import { TeamIdentities } from '../model/team-identities';
import { ModelPlatformNaming } from '../naming/model-platform-naming';

/** Azure Service Operator 2.3.0, with the API versions of the model platform's manifests. */
const API_VERSIONS: Readonly<Record<string, string>> = {
  'resources.azure.com/ResourceGroup': 'v1api20200601',
  'managedidentity.azure.com/UserAssignedIdentity': 'v1api20181130',
  'managedidentity.azure.com/FederatedIdentityCredential': 'v1api20220131preview',
  'authorization.azure.com/RoleAssignment': 'v1api20200801preview',
  'servicebus.azure.com/NamespacesQueue': 'v1api20211101',
  'servicebus.azure.com/NamespacesTopic': 'v1api20211101',
  'servicebus.azure.com/NamespacesTopicsSubscription': 'v1api20211101',
  'servicebus.azure.com/NamespacesTopicsSubscriptionsRule': 'v1api20211101',
  'dbforpostgresql.azure.com/FlexibleServersDatabase': 'v1api20210601',
  'storage.azure.com/StorageAccount': 'v1api20220901',
  'storage.azure.com/StorageAccountsBlobService': 'v1api20220901',
  'storage.azure.com/StorageAccountsBlobServicesContainer': 'v1api20220901',
  'storage.azure.com/StorageAccountsTableService': 'v1api20220901',
  'storage.azure.com/StorageAccountsTableServicesTable': 'v1api20220901',
  'storage.azure.com/StorageAccountsFileService': 'v1api20220901',
  'storage.azure.com/StorageAccountsFileServicesShare': 'v1api20220901',
  'network.azure.com/PrivateEndpoint': 'v1api20220701',
  'network.azure.com/PrivateEndpointsPrivateDnsZoneGroup': 'v1api20220701',
  'network.azure.com/PrivateDnsZonesARecord': 'v1api20200601',
};

/**
 * The platform on which this model is based (Flux, Calico, Backstage, shared Service Bus and PostgreSQL, names with prefixes): its
 * conventions, names and API versions, so that teams that were onboarded there with templates can be migrated object by object.
 */
export class ModelPlatform {
  /**
   * An environment of the model platform.
   * @param props the environment in the platform's configuration
   */
  public static environment(props: ModelPlatformProps): Environment {
    assertGiven(props);
    const model = new ModelPlatform(props);
    const { identityPrefix, sharedResourceGroup, storageAccountPrefix, privateEndpointPrefix } = props;
    return new Environment(omitUndefined({
      name: props.environment,
      instance: props.environmentInstance,
      subscriptionId: props.subscriptionId,
      subscriptionName: props.subscriptionName,
      tenantId: props.tenantId,
      location: props.location ?? 'uksouth',
      clusters: [
        omitUndefined({
          name: props.clusterName,
          oidcIssuerUrl: props.clusterOidcIssuerUrl,
          operatorNamespace: props.operatorNamespace,
          operatorServiceAccount: props.operatorServiceAccount,
        }),
        ...(props.moreClusters ?? []),
      ],
      platform: omitUndefined({
        namespace: props.platformNamespace ?? 'flux-config',
        identityClientId: props.operatorIdentityClientId,
        databaseAdministrator: props.databaseAdministrator,
        databaseAdministratorClientId: props.databaseAdministratorClientId,
        databaseAdministratorIdentity: model.databaseAdministratorIdentity,
      }),
      shared: model.shared,
      roles: model.roles,
      naming: new ModelPlatformNaming(omitUndefined({ identityPrefix, sharedResourceGroup, storageAccountPrefix, privateEndpointPrefix })),
      conventions: {
        labels: new ModelPlatformLabels(),
        serviceTags: new ModelPlatformTags(),
        networkPolicy: NetworkPolicyFlavour.CALICO,
        podSecurity: PodSecurityLevel.CLUSTER_DEFAULT,
        credentialRequired: false,
        principalTypes: false,
        ownersByArmId: true,
        azureNames: false,
      },
      apiVersions: { ...API_VERSIONS },
      workloadIdentity: WorkloadIdentityMode.RELAXED,
      teamIdentities: props.teamIdentities ?? TeamIdentities.SHARED,
      groupRemoval: RemovalPolicy.RETAIN,
      storageAccountSku: props.storageAccountSku,
    }));
  }

  private constructor(private readonly props: ModelPlatformProps) {}

  private get shared(): SharedServices {
    const { sharedResourceGroup, databaseResourceGroup } = this.props;
    return omitUndefined({
      serviceBus: this.reference(sharedResourceGroup, 'Microsoft.ServiceBus/namespaces', this.props.serviceBusNamespace),
      postgresServer: this.reference(databaseResourceGroup, 'Microsoft.DBforPostgreSQL/flexibleServers', this.props.postgresServer),
      appConfiguration: this.reference(
        sharedResourceGroup,
        'Microsoft.AppConfiguration/configurationStores',
        this.props.appConfigurationName,
      ),
      appConfigurationReaderClientId: this.props.appConfigurationIdentityClientId,
      trustedCertificates: this.props.trustedCertificates,
      keyVault: this.reference(sharedResourceGroup, 'Microsoft.KeyVault/vaults', this.props.keyVaultName),
      containerRegistry: this.reference(sharedResourceGroup, 'Microsoft.ContainerRegistry/registries', this.props.containerRegistryName),
      privateAccess: this.privateAccess,
      privateDnsZones: Object.entries(this.props.privateDnsResourceGroups ?? {}).map(([location, resourceGroup]) => ({
        location,
        subscriptionId: this.props.privateDnsSubscriptionId ?? this.props.subscriptionId,
        resourceGroup,
      })),
    });
  }

  private get privateAccess(): PrivateAccess | undefined {
    const { privateEndpoints, virtualNetworkResourceGroup: group, virtualNetwork, privateEndpointSubnet } = this.props;
    if (!privateEndpoints || !group || !virtualNetwork || !privateEndpointSubnet) return undefined;
    return {
      subnet: AzureReference.fromArmId(
        this.armId(group, 'Microsoft.Network/virtualNetworks', `${virtualNetwork}/subnets/${privateEndpointSubnet}`),
      ),
    };
  }

  private get roles(): RoleChoices {
    const role = (field: RoleField) => customRole(field, this.props[field]);
    return omitUndefined({
      serviceBus: role('serviceBusRoleDefinitionId'),
      database: role('databaseRoleDefinitionId'),
      appConfiguration: BuiltInRole.USER_ACCESS_ADMINISTRATOR,
      // The platform's objects have no reconcile policy of their own, although the custom roles allow no deletion.
      serviceBusMayDelete: true,
      databaseMayDelete: true,
      storageDataWriter: role('storageDataWriterRoleDefinitionId'),
      storageDataReader: role('storageDataReaderRoleDefinitionId'),
    });
  }

  private get databaseAdministratorIdentity(): IUserAssignedIdentityRef | undefined {
    const { databaseResourceGroup, identityPrefix, databaseAdministrator } = this.props;
    if (!databaseResourceGroup || !databaseAdministrator) return undefined;
    const name = `${identityPrefix}-${databaseAdministrator}`;
    return UserAssignedIdentity.fromArmId(this.armId(databaseResourceGroup, 'Microsoft.ManagedIdentity/userAssignedIdentities', name));
  }

  private reference(group: string | undefined, type: string, name: string | undefined): IAzureResourceRef | undefined {
    return group && name ? AzureReference.fromArmId(this.armId(group, type, name)) : undefined;
  }

  private armId(group: string, type: string, name: string): string {
    return `/subscriptions/${this.props.subscriptionId}/resourceGroups/${group}/providers/${type}/${name}`;
  }
}

type RoleField =
  'serviceBusRoleDefinitionId' | 'databaseRoleDefinitionId' | 'storageDataWriterRoleDefinitionId' | 'storageDataReaderRoleDefinitionId';

function customRole(field: RoleField, id: string | undefined): BuiltInRole | undefined {
  if (id === undefined) return undefined;
  try {
    return BuiltInRole.custom(id);
  } catch (error) {
    throw new Error(`ModelPlatform: ${field}: ${(error as Error).message}`);
  }
}

/** An empty text counts as missing: an undefined variable results in an empty text. */
function assertGiven(props: ModelPlatformProps): void {
  const problems = new PlatformProblems('ModelPlatform');
  const needed = ['environment', 'subscriptionId', 'subscriptionName', 'tenantId', 'clusterName', 'clusterOidcIssuerUrl', 'identityPrefix'];
  const given: Struct = { ...props };
  for (const field of new Set([...needed, ...Object.keys(props)])) {
    const value = given[field];
    if (value === '' || (value === undefined && needed.includes(field))) {
      problems.add(field, 'required. An empty text is what a variable gives that nobody defined.');
    }
  }
  if (props.clusterOidcIssuerUrl && !props.clusterOidcIssuerUrl.startsWith('https://')) {
    problems.add('clusterOidcIssuerUrl', `'${props.clusterOidcIssuerUrl}' is no https:// URL. Give the issuer as the cluster spells it.`);
  }
  problems.throwIfAny();
}
