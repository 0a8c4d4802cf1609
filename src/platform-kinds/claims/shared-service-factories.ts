import { SharedService } from '../../platform';

/** The types of shared services that data can name: the factories of `SharedService`. */
export const SHARED_SERVICE_FACTORIES = {
  serviceBus: SharedService.serviceBus,
  eventHubs: SharedService.eventHubs,
  postgresServer: SharedService.postgresServer,
  mysqlServer: SharedService.mysqlServer,
  sqlServer: SharedService.sqlServer,
  cosmosDb: SharedService.cosmosDb,
  redis: SharedService.redis,
  managedRedis: SharedService.managedRedis,
  keyVault: SharedService.keyVault,
  appConfiguration: SharedService.appConfiguration,
  containerRegistry: SharedService.containerRegistry,
  storageAccount: SharedService.storageAccount,
  frontDoorEndpoint: SharedService.frontDoorEndpoint,
  dnsZone: SharedService.dnsZone,
} as const;
