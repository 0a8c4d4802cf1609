/*
 * States of resources beyond the words `Succeeded`, `Failed` and `Canceled` of `properties.provisioningState`. The enumerations are those
 * of Azure's type definitions (https://github.com/Azure/bicep-types-az); evidence beyond them is at the row.
 */

/** The request that brings a failed resource back. */
export type Repair =
  /** The same PUT again: the rule of Azure Resource Manager, and what Microsoft's troubleshooting pages recommend. */
  | 'put'
  /** Only a deletion: Azure refuses every update. */
  | 'delete'
  /** Azure, its support, or a setting elsewhere: a PUT changes nothing. */
  | 'wait';

/** A property besides `provisioningState` in which a type shows its state. */
export interface StateFact {
  /** Path in the ARM body, with `/` between the segments; `*` stands for each element of a list. */
  readonly path: string;
  /** Words that mean that the resource does not work, in any case: word → explanation. */
  readonly failed?: Readonly<Record<string, string>>;
  /** Words that are worth a warning; the resource is as it was set up: word → explanation. */
  readonly warned?: Readonly<Record<string, string>>;
  /** The value is a time (ISO 8601); in the past it is worth this warning. */
  readonly expired?: string;
  /** Whether a PUT repairs what `failed` names. Default: `wait`. */
  readonly repair?: Repair;
}

const DISABLED_REDIS_ENTERPRISE: StateFact = {
  path: 'properties/resourceState',
  failed: {
    CreateFailed: 'its creation failed',
    UpdateFailed: 'its last update failed',
    DeleteFailed: 'its deletion failed',
    EnableFailed: 'it could not be enabled',
    DisableFailed: 'it could not be disabled',
    ScalingFailed: 'it could not be scaled',
    Disabled: 'Azure has disabled it',
  },
  repair: 'put',
};
const DEPLOYED: StateFact = { path: 'properties/deploymentStatus', failed: { Failed: 'it could not be deployed to the edge' }, repair: 'put' };
const KEY_INVALID = (path: string): StateFact => ({ path, warned: { Invalid: 'its encryption key cannot be used' } });
const DATABASE: StateFact = {
  path: 'properties/status',
  failed: {
    Inaccessible: 'its encryption key cannot be read',
    Suspect: 'it is damaged',
    EmergencyMode: 'it is in emergency mode',
    RecoveryPending: 'its recovery has failed',
    Disabled: 'Azure has disabled it',
  },
  warned: { Paused: 'it is paused', Stopped: 'it is stopped', Offline: 'it is offline', Shutdown: 'it is shut down' },
};
const SERVER: StateFact = {
  path: 'properties/state',
  failed: { Disabled: 'Azure has disabled it', Inaccessible: 'its encryption key cannot be read' },
  warned: { Stopped: 'it is stopped' },
};
const POWER: StateFact = { path: 'properties/powerState/code', warned: { Stopped: 'it is stopped' } };
const ENDPOINT_CONNECTION = (list: string): StateFact => ({
  path: `properties/${list}/*/properties/privateLinkServiceConnectionState/status`,
  warned: {
    Rejected: 'the connection of the private endpoint was rejected',
    Disconnected: 'the connection of the private endpoint was removed by its target',
    Timeout: 'the connection of the private endpoint timed out',
  },
});
const CERTIFICATE = (path: string): StateFact => ({ path, expired: 'its certificate has expired' });

/** By ARM type, in lower case. */
export const STATE_FACTS: Readonly<Record<string, readonly StateFact[]>> = {
  'microsoft.apimanagement/service': [CERTIFICATE('properties/hostnameConfigurations/*/certificate/expiry')],
  'microsoft.apimanagement/service/certificates': [CERTIFICATE('properties/expirationDate')],
  'microsoft.app/containerapps': [{
    path: 'properties/runningStatus', warned: { Stopped: 'it is stopped', Suspended: 'it is suspended' },
  }],
  'microsoft.app/managedenvironments': [CERTIFICATE('properties/customDomainConfiguration/expirationDate')],
  'microsoft.appconfiguration/configurationstores/snapshots': [{
    path: 'properties/status', failed: { Failed: 'the snapshot could not be made' }, repair: 'delete',
  }],
  'microsoft.cache/redisenterprise': [DISABLED_REDIS_ENTERPRISE],
  'microsoft.cache/redisenterprise/databases': [DISABLED_REDIS_ENTERPRISE],
  'microsoft.cdn/profiles': [{ path: 'properties/resourceState', failed: { Disabled: 'Azure has disabled it' } }],
  'microsoft.cdn/profiles/afdendpoints': [DEPLOYED],
  'microsoft.cdn/profiles/afdendpoints/routes': [DEPLOYED],
  'microsoft.cdn/profiles/customdomains': [DEPLOYED, {
    path: 'properties/domainValidationState',
    warned: {
      Rejected: 'the validation of the domain was rejected',
      TimedOut: 'the validation of the domain timed out',
      InternalError: 'the validation of the domain failed in Azure',
    },
  }],
  'microsoft.cdn/profiles/endpoints': [{ path: 'properties/resourceState', warned: { Stopped: 'it is stopped' } }],
  'microsoft.cdn/profiles/origingroups': [DEPLOYED],
  'microsoft.cdn/profiles/origingroups/origins': [DEPLOYED],
  'microsoft.cdn/profiles/rulesets': [DEPLOYED],
  'microsoft.cdn/profiles/rulesets/rules': [DEPLOYED],
  'microsoft.cdn/profiles/secrets': [DEPLOYED, CERTIFICATE('properties/parameters/expirationDate')],
  'microsoft.cdn/profiles/securitypolicies': [DEPLOYED],
  'microsoft.containerinstance/containergroups': [{
    path: 'properties/instanceView/state', warned: { Failed: 'its containers have failed', Stopped: 'it is stopped' },
  }],
  'microsoft.containerservice/managedclusters': [POWER],
  'microsoft.containerservice/managedclusters/agentpools': [POWER],
  'microsoft.databasewatcher/watchers/sharedprivatelinkresources': [{
    path: 'properties/status', warned: { Rejected: 'the private link was rejected', Disconnected: 'the private link was removed by its target' },
  }],
  'microsoft.dbformariadb/servers': [{ ...SERVER, path: 'properties/userVisibleState' }],
  'microsoft.dbformysql/flexibleservers': [SERVER],
  'microsoft.dbforpostgresql/flexibleservers': [
    SERVER,
    KEY_INVALID('properties/dataEncryption/primaryEncryptionKeyStatus'),
    KEY_INVALID('properties/dataEncryption/geoBackupEncryptionKeyStatus'),
    { path: 'properties/replica/replicationState', warned: { Broken: 'its replication is broken' } },
  ],
  'microsoft.documentdb/mongoclusters': [{ path: 'properties/clusterStatus', warned: { Stopped: 'it is stopped' } }],
  'microsoft.eventhub/namespaces': [{ path: 'properties/status', failed: { Disabled: 'Azure has disabled it' } }],
  'microsoft.kubernetesconfiguration/fluxconfigurations': [{
    path: 'properties/complianceState', warned: { 'Non-Compliant': 'the cluster does not comply with it', 'Suspended': 'it is suspended' },
  }],
  'microsoft.kusto/clusters': [{
    path: 'properties/state', failed: { Unavailable: 'the cluster is unavailable' }, warned: { Stopped: 'it is stopped' },
  }],
  'microsoft.network/applicationgateways': [{ path: 'properties/operationalState', warned: { Stopped: 'it is stopped' } }],
  'microsoft.network/applicationgatewaywebapplicationfirewallpolicies': [{
    path: 'properties/resourceState', warned: { Disabled: 'it is disabled' },
  }],
  'microsoft.network/frontdoorwebapplicationfirewallpolicies': [{
    path: 'properties/resourceState', warned: { Disabled: 'it is disabled' },
  }],
  'microsoft.network/privateendpoints': [
    ENDPOINT_CONNECTION('privateLinkServiceConnections'), ENDPOINT_CONNECTION('manualPrivateLinkServiceConnections'),
  ],
  'microsoft.network/virtualnetworks/virtualnetworkpeerings': [{
    path: 'properties/peeringState', warned: { Disconnected: 'the other side of the peering was deleted' },
  }],
  'microsoft.operationalinsights/workspaces': [{
    path: 'properties/workspaceCapping/dataIngestionStatus',
    warned: { OverQuota: 'its daily cap is reached', SubscriptionSuspended: 'its subscription is suspended' },
  }],
  'microsoft.search/searchservices': [{
    path: 'properties/status',
    failed: { error: 'the service has failed', disabled: 'Azure has disabled it' },
    warned: { degraded: 'it is degraded', stopped: 'it is stopped' },
  }],
  'microsoft.servicebus/namespaces': [{ path: 'properties/status', failed: { Disabled: 'Azure has disabled it' } }],
  'microsoft.sql/servers': [{ path: 'properties/state', failed: { Disabled: 'Azure has disabled it' } }],
  'microsoft.sql/servers/databases': [DATABASE],
  'microsoft.sql/servers/elasticpools': [{ path: 'properties/state', failed: { Disabled: 'Azure has disabled it' } }],
  'microsoft.sql/servers/virtualnetworkrules': [{ path: 'properties/state', failed: { Failed: 'the rule does not apply' }, repair: 'put' }],
  'microsoft.storage/storageaccounts': [{ path: 'properties/statusOfPrimary', warned: { unavailable: 'its primary region is unavailable' } }],
  'microsoft.synapse/workspaces/sqlpools': [DATABASE],
  'microsoft.web/certificates': [CERTIFICATE('properties/expirationDate')],
  'microsoft.web/sites': [{
    path: 'properties/usageState', warned: { Exceeded: 'its quota is exceeded, and Azure has stopped it' },
  }, {
    path: 'properties/availabilityState', warned: { Limited: 'its availability is limited' },
  }],
};

/**
 * Types of which a failed resource is repaired by something else than a PUT; in lower case.
 *
 * Whether a PUT repairs a failed resource is left to each service (https://github.com/Azure/azure-resource-manager-rpc/issues/147).
 */
export const REPAIRS: Readonly<Record<string, Repair>> = {
  // https://github.com/Azure/bicep/issues/7316, https://github.com/microsoft/mcp/issues/1139
  'microsoft.documentdb/databaseaccounts': 'delete',
  // https://github.com/Azure/azure-sdk-for-net/issues/30766, https://github.com/langchain-ai/terraform/issues/258
  'microsoft.cache/redisenterprise': 'delete',
};
