import { isRecord } from '../../../src/util/records';
import type { Json } from '../model/store';

/** A resource as its service sees it when it works a value out. */
export interface ServiceFacts {
  readonly id: string;
  /** In lower case, as host names have it. */
  readonly name: string;
  readonly location: string;
  readonly tenantId: string;
  readonly properties: Json;
  readonly body: Json;
  readonly uuid: (word: string) => string;
  /** A value of another resource. */
  readonly valueOf: (id: unknown, property: string) => unknown;
}

/** Gives undefined where Azure has no value for such a resource. */
type Maker = (facts: ServiceFacts) => string | number | undefined;

/** An address of the range that RFC 5737 keeps for documentation. */
const address = ({ uuid }: ServiceFacts, word = 'address') => `203.0.113.${1 + (parseInt(uuid(word).slice(0, 2), 16) % 254)}`;
const four = ({ uuid }: ServiceFacts) => uuid('address').slice(0, 4);
const member = ({ properties }: ServiceFacts, name: string): Json => {
  const value = properties[name];
  return isRecord(value) ? value : {};
};
/** A cluster has an issuer once it is asked for one; newer versions of Kubernetes may have it without. */
function issuerUrl(facts: ServiceFacts): string | undefined {
  const { location, tenantId, uuid } = facts;
  if (member(facts, 'oidcIssuerProfile').enabled !== true) return undefined;
  return `https://${location}.oic.prod-aks.azure.com/${tenantId}/${uuid('issuerURL')}/`;
}

const skuName = ({ body }: ServiceFacts) => (isRecord(body.sku) ? String(body.sku.name) : '');
const isPrivate = (facts: ServiceFacts) => member(facts, 'apiServerAccessProfile').enablePrivateCluster === true;

function appHost(facts: ServiceFacts, name: string): string {
  const environment = facts.properties.environmentId ?? facts.properties.managedEnvironmentId;
  return `${name}.${String(facts.valueOf(environment, 'defaultDomain') ?? `${facts.uuid('environment').slice(0, 8)}.${facts.location}.azurecontainerapps.io`)}`;
}

function labelHost(facts: ServiceFacts, holder: string, label: string, domain: string): string | undefined {
  const given = member(facts, holder)[label];
  return typeof given === 'string' ? `${given.toLowerCase()}.${facts.location}.${domain}` : undefined;
}

function cognitiveEndpoint(facts: ServiceFacts): string {
  const { customSubDomainName: subdomain } = facts.properties;
  if (typeof subdomain !== 'string') return `https://${facts.location}.api.cognitive.microsoft.com/`;
  return `https://${subdomain}.${facts.body.kind === 'OpenAI' ? 'openai' : 'cognitiveservices'}.azure.com/`;
}

function openShiftDomain(facts: ServiceFacts): string {
  const domain = String(member(facts, 'clusterProfile').domain ?? facts.name);
  return domain.includes('.') ? domain : `${domain}.${facts.location}.aroapp.io`;
}

/** Values in Azure's own form, by ARM type in lower case and path below `properties`; all others are made up from the name. */
export const SERVICE_VALUES: Readonly<Record<string, Maker>> = {
  'microsoft.apimanagement/service gatewayUrl': ({ name }) => `https://${name}.azure-api.net`,
  'microsoft.apimanagement/service managementApiUrl': ({ name }) => `https://${name}.management.azure-api.net`,
  'microsoft.apimanagement/service developerPortalUrl': ({ name }) => `https://${name}.developer.azure-api.net`,
  'microsoft.app/containerapps configuration/ingress/fqdn': (facts) =>
    (isRecord(member(facts, 'configuration').ingress) ? appHost(facts, facts.name) : undefined),
  'microsoft.app/containerapps latestRevisionFqdn': (facts) => appHost(facts, `${facts.name}--${facts.uuid('revision').slice(0, 7)}`),
  'microsoft.app/containerapps eventStreamEndpoint': ({ id, location }) => `https://${location}.azurecontainerapps.dev${id}/eventstream`,
  'microsoft.app/managedenvironments defaultDomain': ({ uuid, location }) => `${uuid('domain').slice(0, 8)}.${location}.azurecontainerapps.io`,
  'microsoft.app/managedenvironments staticIp': (facts) => address(facts),
  'microsoft.appconfiguration/configurationstores endpoint': ({ name }) => `https://${name}.azconfig.io`,
  'microsoft.batch/batchaccounts accountEndpoint': ({ name, location }) => `${name}.${location}.batch.azure.com`,
  'microsoft.cache/redis hostName': ({ name }) => `${name}.redis.cache.windows.net`,
  'microsoft.cache/redis port': () => 6379,
  'microsoft.cache/redis sslPort': () => 6380,
  'microsoft.cache/redisenterprise hostName': (facts) =>
    `${facts.name}.${facts.location}.${/^enterprise/i.test(skuName(facts)) ? 'redisenterprise.cache' : 'redis'}.azure.net`,
  'microsoft.cache/redisenterprise/databases port': () => 10_000,
  'microsoft.cdn/profiles/afdendpoints hostName': (facts) => `${facts.name}-${facts.uuid('host').slice(0, 8)}.z01.azurefd.net`,
  'microsoft.cdn/profiles/customdomains validationProperties/validationToken': ({ uuid }) => `_${uuid('validation').replace(/-/g, '')}`,
  'microsoft.cdn/profiles/endpoints hostName': ({ name }) => `${name}.azureedge.net`,
  'microsoft.cognitiveservices/accounts endpoint': cognitiveEndpoint,
  'microsoft.communication/communicationservices hostName': ({ name }) => `${name}.communication.azure.com`,
  'microsoft.containerinstance/containergroups ipAddress/ip': (facts) => (isRecord(facts.properties.ipAddress) ? address(facts) : undefined),
  'microsoft.containerinstance/containergroups ipAddress/fqdn': (facts) => labelHost(facts, 'ipAddress', 'dnsNameLabel', 'azurecontainer.io'),
  'microsoft.containerregistry/registries loginServer': ({ name }) => `${name}.azurecr.io`,
  'microsoft.containerservice/managedclusters oidcIssuerProfile/issuerURL': issuerUrl,
  'microsoft.containerservice/managedclusters privateFQDN': (facts) => (isPrivate(facts)
    ? `${String(facts.properties.dnsPrefix ?? facts.name)}-${facts.uuid('fqdn').slice(0, 8)}.${facts.uuid('private')}.privatelink.${facts.location}.azmk8s.io`
    : undefined),
  'microsoft.dbformariadb/servers fullyQualifiedDomainName': ({ name }) => `${name}.mariadb.database.azure.com`,
  'microsoft.dbformysql/flexibleservers fullyQualifiedDomainName': ({ name }) => `${name}.mysql.database.azure.com`,
  'microsoft.dbforpostgresql/flexibleservers fullyQualifiedDomainName': ({ name }) => `${name}.postgres.database.azure.com`,
  'microsoft.devices/iothubs hostName': ({ name }) => `${name}.azure-devices.net`,
  'microsoft.documentdb/databaseaccounts documentEndpoint': ({ name }) => `https://${name}.documents.azure.com:443/`,
  'microsoft.eventgrid/domains endpoint': ({ name, location }) => `https://${name}.${location}-1.eventgrid.azure.net/api/events`,
  'microsoft.eventgrid/topics endpoint': ({ name, location }) => `https://${name}.${location}-1.eventgrid.azure.net/api/events`,
  'microsoft.eventhub/namespaces serviceBusEndpoint': ({ name }) => `https://${name}.servicebus.windows.net:443/`,
  'microsoft.insights/components ConnectionString': ({ uuid, location }) =>
    `InstrumentationKey=${uuid('InstrumentationKey')};IngestionEndpoint=https://${location}.in.applicationinsights.azure.com/`,
  'microsoft.insights/datacollectionendpoints configurationAccess/endpoint': (facts) =>
    `https://${facts.name}-${four(facts)}.${facts.location}-1.handler.control.monitor.azure.com`,
  'microsoft.insights/datacollectionendpoints logsIngestion/endpoint': (facts) =>
    `https://${facts.name}-${four(facts)}.${facts.location}-1.ingest.monitor.azure.com`,
  'microsoft.insights/datacollectionendpoints metricsIngestion/endpoint': (facts) =>
    `https://${facts.name}-${four(facts)}.${facts.location}-1.metrics.ingest.monitor.azure.com`,
  'microsoft.insights/datacollectionrules immutableId': ({ uuid }) => `dcr-${uuid('immutableId').replace(/-/g, '')}`,
  'microsoft.keyvault/vaults vaultUri': ({ name }) => `https://${name}.vault.azure.net/`,
  'microsoft.kusto/clusters dataIngestionUri': ({ name, location }) => `https://ingest-${name}.${location}.kusto.windows.net`,
  'microsoft.kusto/clusters uri': ({ name, location }) => `https://${name}.${location}.kusto.windows.net`,
  'microsoft.machinelearningservices/workspaces discoveryUrl': ({ location }) => `https://${location}.api.azureml.ms/discovery`,
  'microsoft.machinelearningservices/workspaces mlFlowTrackingUri': ({ id, location }) =>
    `azureml://${location}.api.azureml.ms/mlflow/v1.0${id}`,
  'microsoft.monitor/accounts metrics/prometheusQueryEndpoint': (facts) =>
    `https://${facts.name}-${four(facts)}.${facts.location}.prometheus.monitor.azure.com`,
  'microsoft.network/bastionhosts dnsName': ({ uuid }) => `bst-${uuid('dnsName')}.bastion.azure.com`,
  'microsoft.network/privatelinkservices alias': ({ name, location, uuid }) => `${name}.${uuid('alias')}.${location}.azure.privatelinkservice`,
  'microsoft.network/publicipaddresses dnsSettings/fqdn': (facts) => labelHost(facts, 'dnsSettings', 'domainNameLabel', 'cloudapp.azure.com'),
  // A dynamic address is given when the resource is attached to something that runs.
  'microsoft.network/publicipaddresses ipAddress': (facts) =>
    (/^static$/i.test(String(facts.properties.publicIPAllocationMethod)) ? address(facts) : undefined),
  'microsoft.network/trafficmanagerprofiles dnsConfig/fqdn': (facts) =>
    `${String(member(facts, 'dnsConfig').relativeName ?? facts.name)}.trafficmanager.net`,
  'microsoft.notificationhubs/namespaces serviceBusEndpoint': ({ name }) => `https://${name}.servicebus.windows.net:443/`,
  'microsoft.redhatopenshift/openshiftclusters apiserverProfile/url': (facts) => `https://api.${openShiftDomain(facts)}:6443/`,
  'microsoft.redhatopenshift/openshiftclusters consoleProfile/url': (facts) =>
    `https://console-openshift-console.apps.${openShiftDomain(facts)}/`,
  'microsoft.servicebus/namespaces serviceBusEndpoint': ({ name }) => `https://${name}.servicebus.windows.net:443/`,
  'microsoft.signalrservice/signalr hostName': ({ name }) => `${name}.service.signalr.net`,
  'microsoft.sql/servers fullyQualifiedDomainName': ({ name }) => `${name}.database.windows.net`,
  // The body has it, or there is none.
  ...Object.fromEntries(['dbformysql/flexibleservers', 'dbforpostgresql/flexibleservers', 'sql/servers'].map((type) => [
    `microsoft.${type} administratorLogin`, () => undefined,
  ])),
  ...Object.fromEntries(['blob', 'dfs', 'file', 'queue', 'table'].map((service) => [
    `microsoft.storage/storageaccounts primaryEndpoints/${service}`, ({ name }: ServiceFacts) => `https://${name}.${service}.core.windows.net/`,
  ])),
  'microsoft.storage/storageaccounts primaryEndpoints/web': ({ name }) => `https://${name}.z33.web.core.windows.net/`,
  'microsoft.web/sites customDomainVerificationId': ({ uuid }) =>
    `${uuid('verification')}${uuid('domain')}`.replace(/-/g, '').toUpperCase(),
  'microsoft.web/sites defaultHostName': ({ name }) => `${name}.azurewebsites.net`,
  'microsoft.web/sites outboundIpAddresses': (facts) => ['first', 'second', 'third'].map((word) => address(facts, word)).join(','),
};
