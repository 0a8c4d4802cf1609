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
import { KUBERNETES_ADDON_RULES } from './kubernetes-addons';
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
import { SHARED_KEY_RULES } from './shared-keys';
import { SIGN_IN_RULES } from './sign-in';
import { SQL_RULES } from './sql';
import { SQL_RELATION_RULES } from './sql-relations';
import { STORAGE_RULES } from './storage';
import { STORAGE_CHILDREN_RULES } from './storage-children';
import { STORAGE_FEATURE_RULES } from './storage-features';
import { CONFIGURATION_SWITCH_RULES, MACHINE_SWITCH_RULES, PRIVATE_LINK_SERVICE_RULES, VAULT_ROLE_RULES } from './switched-off';
import { TRAFFIC_MANAGER_RULES } from './traffic-manager';

/** All services. */
const EVERY = undefined;

interface Part {
  /** API groups that the rules are about, without `.azure.com`. */
  readonly services: readonly string[] | undefined;
  /** A function: a synth loads only the files of the services that its app has. */
  readonly rules: () => readonly AzureRule[];
}

/** Limits of Azure beyond the schemas of the kinds, service by service. */
export const AZURE_RULE_PARTS: readonly Part[] = [
  { services: EVERY, rules: () => COMMON_RULES },
  { services: EVERY, rules: () => NAME_RULES },
  { services: EVERY, rules: () => PLACEMENT_RULES },
  { services: ['network'], rules: () => ADDRESS_SPACE_RULES },
  { services: ['network'], rules: () => NETWORK_RULES },
  { services: ['network'], rules: () => LOAD_BALANCER_RULES },
  { services: ['network'], rules: () => APPLICATION_GATEWAY_RULES },
  { services: ['network'], rules: () => TRAFFIC_MANAGER_RULES },
  { services: ['network'], rules: () => NETWORK_PART_RULES },
  { services: EVERY, rules: () => LINK_RULES },
  { services: ['network'], rules: () => PRIVATE_ENDPOINT_RULES },
  { services: ['network'], rules: () => DNS_RULES },
  { services: ['compute'], rules: () => MACHINE_RULES },
  { services: ['compute'], rules: () => SCALE_SET_RULES },
  { services: ['compute'], rules: () => DISK_RULES },
  { services: ['containerservice'], rules: () => KUBERNETES_SERVICE_RULES },
  { services: ['containerservice'], rules: () => KUBERNETES_CLUSTER_RULES },
  { services: ['containerservice'], rules: () => KUBERNETES_MAINTENANCE_RULES },
  { services: ['app'], rules: () => CONTAINER_APPS_RULES },
  { services: ['app'], rules: () => CONTAINER_ENVIRONMENT_RULES },
  { services: ['web'], rules: () => APP_SERVICE_RULES },
  { services: ['containerregistry'], rules: () => REGISTRY_RULES },
  { services: ['storage'], rules: () => STORAGE_RULES },
  { services: ['storage'], rules: () => STORAGE_CHILDREN_RULES },
  { services: ['storage'], rules: () => STORAGE_FEATURE_RULES },
  { services: ['keyvault'], rules: () => KEY_VAULT_RULES },
  { services: ['dbforpostgresql', 'dbformysql'], rules: () => DATABASE_SERVER_RULES },
  { services: ['dbforpostgresql'], rules: () => POSTGRESQL_RULES },
  { services: ['dbforpostgresql', 'dbformysql'], rules: () => DATABASE_SETTINGS_RULES },
  { services: ['dbformysql'], rules: () => DATABASE_RULES },
  { services: ['sql'], rules: () => SQL_RULES },
  { services: ['sql'], rules: () => SQL_RELATION_RULES },
  { services: ['cache'], rules: () => REDIS_RULES },
  { services: ['cache'], rules: () => CACHE_RULES },
  { services: ['documentdb'], rules: () => COSMOS_DB_RULES },
  { services: ['documentdb'], rules: () => COSMOS_DB_RESOURCE_RULES },
  { services: ['servicebus'], rules: () => SERVICE_BUS_RULES },
  { services: ['eventhub'], rules: () => EVENT_HUBS_RULES },
  { services: ['servicebus', 'eventhub'], rules: () => MESSAGING_ACCESS_RULES },
  { services: ['operationalinsights', 'insights'], rules: () => MONITORING_RULES },
  { services: ['managedidentity', 'authorization'], rules: () => IDENTITY_RULES },
  { services: ['authorization'], rules: () => ROLE_RULES },
  { services: ['containerservice'], rules: () => KUBERNETES_ADDON_RULES },
  { services: ['compute'], rules: () => MACHINE_SWITCH_RULES },
  { services: ['network'], rules: () => PRIVATE_LINK_SERVICE_RULES },
  { services: ['appconfiguration'], rules: () => CONFIGURATION_SWITCH_RULES },
  { services: ['authorization'], rules: () => VAULT_ROLE_RULES },
  { services: ['dbforpostgresql', 'dbformysql', 'sql'], rules: () => SIGN_IN_RULES },
  { services: ['web', 'containerinstance', 'batch', 'eventhub', 'machinelearningservices', 'app', 'sql'], rules: () => SHARED_KEY_RULES },
  { services: ['search', 'appconfiguration', 'signalrservice', 'eventgrid'], rules: () => MORE_SERVICES_RULES },
];

/** All of Azure's rules. */
export function allAzureRules(): AzureRule[] {
  return AZURE_RULE_PARTS.flatMap(({ rules }) => rules());
}

/** The rules about kinds of these API groups (`storage.azure.com`), in the order of all rules. */
export function azureRulesOf(groups: Iterable<string>): AzureRule[] {
  const services = new Set([...groups].map((group) => group.replace(/\.azure\.com$/, '')));
  return AZURE_RULE_PARTS
    .filter((part) => part.services?.some((service) => services.has(service)) ?? true)
    .flatMap(({ rules }) => rules());
}
