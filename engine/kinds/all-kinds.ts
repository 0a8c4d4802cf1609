import { product } from './behaviour/apimanagement/product';
import { service } from './behaviour/apimanagement/service';
import { containerApp } from './behaviour/app/container-app';
import { job } from './behaviour/app/job';
import { roleAssignment } from './behaviour/authorization/role-assignment';
import { redis } from './behaviour/cache/redis';
import { afdCustomDomain } from './behaviour/cdn/afd-custom-domain';
import { route } from './behaviour/cdn/route';
import { rule } from './behaviour/cdn/rule';
import { securityPolicy } from './behaviour/cdn/security-policy';
import { account } from './behaviour/cognitiveservices/account';
import { disk } from './behaviour/compute/disk';
import { virtualMachine } from './behaviour/compute/virtual-machine';
import { virtualMachineScaleSet } from './behaviour/compute/virtual-machine-scale-set';
import { fleetsMember } from './behaviour/containerservice/fleets-member';
import { managedCluster } from './behaviour/containerservice/managed-cluster';
import { managedClustersAgentPool } from './behaviour/containerservice/managed-clusters-agent-pool';
import { backupVaultsBackupInstance } from './behaviour/dataprotection/backup-vaults-backup-instance';
import { flexibleServer } from './behaviour/dbforpostgresql/flexible-server';
import { flexibleServersDatabase } from './behaviour/dbforpostgresql/flexible-servers-database';
import { flexibleServersFirewallRule } from './behaviour/dbforpostgresql/flexible-servers-firewall-rule';
import { cassandraCluster } from './behaviour/documentdb/cassandra-cluster';
import { cassandraDataCenter } from './behaviour/documentdb/cassandra-data-center';
import { databaseAccount } from './behaviour/documentdb/database-account';
import { mongodbDatabase } from './behaviour/documentdb/mongodb-database';
import { sqlDatabase } from './behaviour/documentdb/sql-database';
import { sqlRoleAssignment } from './behaviour/documentdb/sql-role-assignment';
import { securityGroup } from './behaviour/entra/security-group';
import { dataCollectionRule } from './behaviour/insights/data-collection-rule';
import { scheduledQueryRule } from './behaviour/insights/scheduled-query-rule';
import { vault } from './behaviour/keyvault/vault';
import { cluster } from './behaviour/kusto/cluster';
import { database } from './behaviour/kusto/database';
import { workspace } from './behaviour/machinelearningservices/workspace';
import { userAssignedIdentity } from './behaviour/managedidentity/user-assigned-identity';
import { azureFirewall } from './behaviour/network/azure-firewall';
import { dnsForwardingRuleset } from './behaviour/network/dns-forwarding-ruleset';
import { dnsZonesARecord } from './behaviour/network/dns-zones-a-record';
import { dnsZonesAAAARecord } from './behaviour/network/dns-zones-aaaa-record';
import { dnsZonesCNAMERecord } from './behaviour/network/dns-zones-cname-record';
import { firewallPolicy } from './behaviour/network/firewall-policy';
import { loadBalancer } from './behaviour/network/load-balancer';
import { networkSecurityGroup } from './behaviour/network/network-security-group';
import { networkWatcher } from './behaviour/network/network-watcher';
import { networkWatchersFlowLog } from './behaviour/network/network-watchers-flow-log';
import { privateEndpoint } from './behaviour/network/private-endpoint';
import { publicIPAddress } from './behaviour/network/public-ip-address';
import { routeTable } from './behaviour/network/route-table';
import { virtualNetwork } from './behaviour/network/virtual-network';
import { virtualNetworksSubnet } from './behaviour/network/virtual-networks-subnet';
import { virtualNetworksVirtualNetworkPeering } from './behaviour/network/virtual-networks-virtual-network-peering';
import { hcpOpenShiftCluster } from './behaviour/redhatopenshift/hcp-open-shift-cluster';
import { namespacesTopicsSubscription } from './behaviour/servicebus/namespaces-topics-subscription';
import { server } from './behaviour/sql/server';
import { serversVulnerabilityAssessment } from './behaviour/sql/servers-vulnerability-assessment';
import { alias } from './behaviour/subscription/alias';
import type { KindBehaviour } from './kind-behaviour';
import { ownValue } from '../../src/util/elements';

/** All kinds with behaviour beyond the catalog. */
export const ALL_KINDS: Readonly<Record<string, KindBehaviour>> = {
  'apimanagement.azure.com/Product': product,
  'apimanagement.azure.com/Service': service,
  'app.azure.com/ContainerApp': containerApp,
  'app.azure.com/Job': job,
  'authorization.azure.com/RoleAssignment': roleAssignment,
  'cache.azure.com/Redis': redis,
  'cdn.azure.com/AfdCustomDomain': afdCustomDomain,
  'cdn.azure.com/Route': route,
  'cdn.azure.com/Rule': rule,
  'cdn.azure.com/SecurityPolicy': securityPolicy,
  'cognitiveservices.azure.com/Account': account,
  'compute.azure.com/Disk': disk,
  'compute.azure.com/VirtualMachine': virtualMachine,
  'compute.azure.com/VirtualMachineScaleSet': virtualMachineScaleSet,
  'containerservice.azure.com/FleetsMember': fleetsMember,
  'containerservice.azure.com/ManagedCluster': managedCluster,
  'containerservice.azure.com/ManagedClustersAgentPool': managedClustersAgentPool,
  'dataprotection.azure.com/BackupVaultsBackupInstance': backupVaultsBackupInstance,
  'dbforpostgresql.azure.com/FlexibleServer': flexibleServer,
  'dbforpostgresql.azure.com/FlexibleServersDatabase': flexibleServersDatabase,
  'dbforpostgresql.azure.com/FlexibleServersFirewallRule': flexibleServersFirewallRule,
  'documentdb.azure.com/CassandraCluster': cassandraCluster,
  'documentdb.azure.com/CassandraDataCenter': cassandraDataCenter,
  'documentdb.azure.com/DatabaseAccount': databaseAccount,
  'documentdb.azure.com/MongodbDatabase': mongodbDatabase,
  'documentdb.azure.com/SqlDatabase': sqlDatabase,
  'documentdb.azure.com/SqlRoleAssignment': sqlRoleAssignment,
  'entra.azure.com/SecurityGroup': securityGroup,
  'insights.azure.com/DataCollectionRule': dataCollectionRule,
  'insights.azure.com/ScheduledQueryRule': scheduledQueryRule,
  'keyvault.azure.com/Vault': vault,
  'kusto.azure.com/Cluster': cluster,
  'kusto.azure.com/Database': database,
  'machinelearningservices.azure.com/Workspace': workspace,
  'managedidentity.azure.com/UserAssignedIdentity': userAssignedIdentity,
  'network.azure.com/AzureFirewall': azureFirewall,
  'network.azure.com/DnsForwardingRuleset': dnsForwardingRuleset,
  'network.azure.com/DnsZonesAAAARecord': dnsZonesAAAARecord,
  'network.azure.com/DnsZonesARecord': dnsZonesARecord,
  'network.azure.com/DnsZonesCNAMERecord': dnsZonesCNAMERecord,
  'network.azure.com/FirewallPolicy': firewallPolicy,
  'network.azure.com/LoadBalancer': loadBalancer,
  'network.azure.com/NetworkSecurityGroup': networkSecurityGroup,
  'network.azure.com/NetworkWatcher': networkWatcher,
  'network.azure.com/NetworkWatchersFlowLog': networkWatchersFlowLog,
  'network.azure.com/PrivateEndpoint': privateEndpoint,
  'network.azure.com/PublicIPAddress': publicIPAddress,
  'network.azure.com/RouteTable': routeTable,
  'network.azure.com/VirtualNetwork': virtualNetwork,
  'network.azure.com/VirtualNetworksSubnet': virtualNetworksSubnet,
  'network.azure.com/VirtualNetworksVirtualNetworkPeering': virtualNetworksVirtualNetworkPeering,
  'redhatopenshift.azure.com/HcpOpenShiftCluster': hcpOpenShiftCluster,
  'servicebus.azure.com/NamespacesTopicsSubscription': namespacesTopicsSubscription,
  'sql.azure.com/Server': server,
  'sql.azure.com/ServersVulnerabilityAssessment': serversVulnerabilityAssessment,
  'subscription.azure.com/Alias': alias,
};

const NONE: KindBehaviour = { evidence: [] };

/** The behaviour of a kind beyond the catalog; empty for most kinds. */
export function behaviourOf(group: string, kind: string): KindBehaviour {
  return ownValue(ALL_KINDS, `${group}/${kind}`) ?? NONE;
}
