import { ADDRESS_SPACE_RULES } from './address-spaces';
import { APP_SERVICE_RULES } from './app-service';
import { APPLICATION_GATEWAY_RULES } from './application-gateways';
import { CACHE_RULES } from './caches';
import { COMMON_RULES } from './common';
import { CONTAINER_APPS_RULES } from './container-apps';
import { CONTAINER_ENVIRONMENT_RULES } from './container-environments';
import { COSMOS_DB_RULES } from './cosmos-db';
import { COSMOS_DB_RESOURCE_RULES } from './cosmos-db-resources';
import { DATABASE_SERVER_RULES } from './database-servers';
import { DATABASE_SETTINGS_RULES } from './database-settings';
import { DATABASE_RULES } from './databases';
import { DISK_RULES } from './disks';
import { DNS_RULES } from './dns';
import { EVENT_HUBS_RULES } from './event-hubs';
import { IDENTITY_RULES } from './identity';
import { KEY_VAULT_RULES } from './key-vault';
import { KUBERNETES_CLUSTER_RULES } from './kubernetes-cluster';
import { KUBERNETES_MAINTENANCE_RULES } from './kubernetes-maintenance';
import { KUBERNETES_SERVICE_RULES } from './kubernetes-service';
import { LINK_RULES } from './links';
import { LOAD_BALANCER_RULES } from './load-balancers';
import { MACHINE_RULES } from './machines';
import { MESSAGING_ACCESS_RULES } from './messaging-access';
import { MONITORING_RULES } from './monitoring';
import { MORE_SERVICES_RULES } from './more-services';
import { NAME_RULES } from './names';
import { NETWORK_RULES } from './network';
import { NETWORK_PART_RULES } from './network-parts';
import { PLACEMENT_RULES } from './placement';
import { POSTGRESQL_RULES } from './postgresql';
import { PRIVATE_ENDPOINT_RULES } from './private-endpoints';
import { REDIS_RULES } from './redis';
import { REGISTRY_RULES } from './registry';
import { ROLE_RULES } from './roles';
import type { AzureRule } from './rule';
import { SCALE_SET_RULES } from './scale-sets';
import { SERVICE_BUS_RULES } from './service-bus';
import { SQL_RULES } from './sql';
import { SQL_RELATION_RULES } from './sql-relations';
import { STORAGE_RULES } from './storage';
import { STORAGE_CHILDREN_RULES } from './storage-children';
import { STORAGE_FEATURE_RULES } from './storage-features';
import { TRAFFIC_MANAGER_RULES } from './traffic-manager';

/** Limits of Azure beyond the schemas of the kinds, service by service. */
export const AZURE_RULES: readonly AzureRule[] = [
  ...COMMON_RULES,
  ...NAME_RULES,
  ...PLACEMENT_RULES,
  ...ADDRESS_SPACE_RULES,
  ...NETWORK_RULES,
  ...LOAD_BALANCER_RULES,
  ...APPLICATION_GATEWAY_RULES,
  ...TRAFFIC_MANAGER_RULES,
  ...NETWORK_PART_RULES,
  ...LINK_RULES,
  ...PRIVATE_ENDPOINT_RULES,
  ...DNS_RULES,
  ...MACHINE_RULES,
  ...SCALE_SET_RULES,
  ...DISK_RULES,
  ...KUBERNETES_SERVICE_RULES,
  ...KUBERNETES_CLUSTER_RULES,
  ...KUBERNETES_MAINTENANCE_RULES,
  ...CONTAINER_APPS_RULES,
  ...CONTAINER_ENVIRONMENT_RULES,
  ...APP_SERVICE_RULES,
  ...REGISTRY_RULES,
  ...STORAGE_RULES,
  ...STORAGE_CHILDREN_RULES,
  ...STORAGE_FEATURE_RULES,
  ...KEY_VAULT_RULES,
  ...DATABASE_SERVER_RULES,
  ...POSTGRESQL_RULES,
  ...DATABASE_SETTINGS_RULES,
  ...DATABASE_RULES,
  ...SQL_RULES,
  ...SQL_RELATION_RULES,
  ...REDIS_RULES,
  ...CACHE_RULES,
  ...COSMOS_DB_RULES,
  ...COSMOS_DB_RESOURCE_RULES,
  ...SERVICE_BUS_RULES,
  ...EVENT_HUBS_RULES,
  ...MESSAGING_ACCESS_RULES,
  ...MONITORING_RULES,
  ...IDENTITY_RULES,
  ...ROLE_RULES,
  ...MORE_SERVICES_RULES,
];
