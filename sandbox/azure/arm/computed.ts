import type { KindVersion } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';
import { textBefore } from '../../../src/util/text-before';
import { statusValue, type StatusValue } from '../model/catalog-index';
import type { Simulation } from '../model/simulation';
import { getPath, withPath, type Json, type Resource } from '../model/store';

interface Facts {
  readonly name: string;
  readonly location: string;
  readonly uuid: (word: string) => string;
  readonly tenantId: string;
}

type Maker = (facts: Facts) => string | number;

/** Addresses in Azure's own form, by ARM type and the last segment of the property; all others are made up from the name. */
const KNOWN: Record<string, Maker> = {
  ...Object.fromEntries(['blob', 'dfs', 'file', 'queue', 'table'].map((service) => [
    `microsoft.storage/storageaccounts ${service}`, ({ name }: Facts) => `https://${name}.${service}.core.windows.net/`,
  ])),
  'microsoft.storage/storageaccounts web': ({ name }) => `https://${name}.z33.web.core.windows.net/`,
  'microsoft.servicebus/namespaces serviceBusEndpoint': ({ name }) => `https://${name}.servicebus.windows.net:443/`,
  'microsoft.notificationhubs/namespaces serviceBusEndpoint': ({ name }) => `https://${name}.servicebus.windows.net:443/`,
  'microsoft.dbforpostgresql/flexibleservers fullyQualifiedDomainName': ({ name }) => `${name}.postgres.database.azure.com`,
  'microsoft.dbformysql/flexibleservers fullyQualifiedDomainName': ({ name }) => `${name}.mysql.database.azure.com`,
  'microsoft.dbformariadb/servers fullyQualifiedDomainName': ({ name }) => `${name}.mariadb.database.azure.com`,
  'microsoft.sql/servers fullyQualifiedDomainName': ({ name }) => `${name}.database.windows.net`,
  'microsoft.cache/redis hostName': ({ name }) => `${name}.redis.cache.windows.net`,
  'microsoft.cache/redis port': () => 6379,
  'microsoft.cache/redis sslPort': () => 6380,
  'microsoft.documentdb/databaseaccounts documentEndpoint': ({ name }) => `https://${name}.documents.azure.com:443/`,
  'microsoft.communication/communicationservices hostName': ({ name }) => `${name}.communication.azure.com`,
  'microsoft.eventgrid/topics endpoint': ({ name, location }) => `https://${name}.${location}-1.eventgrid.azure.net/api/events`,
  'microsoft.insights/components ConnectionString': ({ uuid, location }) =>
    `InstrumentationKey=${uuid('InstrumentationKey')};IngestionEndpoint=https://${location}.in.applicationinsights.azure.com/`,
  'microsoft.network/trafficmanagerprofiles fqdn': ({ name }) => `${name}.trafficmanager.net`,
  'microsoft.network/privatelinkservices alias': ({ name, location, uuid }) =>
    `${name}.${uuid('alias')}.${location}.azure.privatelinkservice`,
  'microsoft.containerservice/managedclusters issuerURL': ({ location, tenantId, uuid }) =>
    `https://${location}.oic.prod-aks.azure.com/${tenantId}/${uuid('issuerURL')}/`,
};

/** The values that a service works out by itself and that a kind exports, where the body does not have them. */
export function withComputed(simulation: Simulation, version: KindVersion, resource: Resource): Json {
  const isCluster = resource.type.toLowerCase() === 'microsoft.containerservice/managedclusters';
  return exportedValues(version).reduce((body, value) => {
    // `identity` is filled in by what the body asks for, not for everybody.
    if (value.armPath[0] === 'identity' || getPath(body, value.armPath) !== undefined) return body;
    return withPath(body, value.armPath, valueOf(simulation, resource, value));
  }, isCluster ? withNodes(simulation, resource) : resource.body);
}

/** A cluster (AKS) with its resource group of nodes, its address, and the identity of the kubelets. */
function withNodes({ values, principals, clock }: Simulation, { id, name, incarnation, body }: Resource): Json {
  const location = normalizedLocation(body.location);
  const given = isRecord(body.properties) ? body.properties : {};
  const [, , subscription = '', , group = ''] = id.split('/');
  const nodes = given.nodeResourceGroup ?? `MC_${group}_${name}_${location}`;
  const uuid = (word: string) => values.uuid(id.toLowerCase(), incarnation, word);
  const objectId = uuid('kubelet principal');
  if (!principals.has(objectId)) principals.set(objectId, clock.now());
  const identities = `/subscriptions/${subscription}/resourceGroups/${String(nodes)}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
  const kubeletidentity = { clientId: uuid('kubelet'), objectId, resourceId: `${identities}/${name}-agentpool` };
  const computed = {
    nodeResourceGroup: nodes,
    fqdn: `${String(given.dnsPrefix ?? name)}-${uuid('fqdn').slice(0, 8)}.hcp.${location}.azmk8s.io`,
    identityProfile: { kubeletidentity },
  };
  const missing = Object.entries(computed).filter(([property]) => given[property] === undefined || given[property] === null);
  return { ...body, properties: { ...given, ...Object.fromEntries(missing) } };
}

function exportedValues(version: KindVersion): StatusValue[] {
  const configMaps = Object.values(version.facts.exports?.configMaps ?? {}).filter((path) => path !== null);
  const secrets = Object.values(version.kind.facts.secretSources?.values ?? {})
    .filter((source) => source.startsWith('status:'))
    .map((source) => source.slice('status:'.length));
  return [...new Set([...configMaps, ...secrets])].map((path) => statusValue(version, path)).filter((value) => value !== undefined);
}

function valueOf(simulation: Simulation, resource: Resource, { armPath, scalar }: StatusValue): unknown {
  const property = armPath.at(-1) ?? '';
  const facts: Facts = {
    name: resource.name,
    location: normalizedLocation(resource.body.location),
    uuid: (word) => simulation.values.uuid(resource.id.toLowerCase(), resource.incarnation, word),
    tenantId: simulation.tenantId,
  };
  const known = KNOWN[`${resource.type.toLowerCase()} ${property}`];
  if (known) return known(facts);
  if (scalar === 'integer' || scalar === 'number') return simulation.values.integer(1024, 65_535, resource.id.toLowerCase(), property);
  if (scalar === 'boolean') return false;
  if (/tenantId$/i.test(property)) return simulation.tenantId;
  if (/(id|key)$/i.test(property)) return facts.uuid(property);
  const host = `${resource.name}.${textBefore(resource.type, '/').split('.').pop()!.toLowerCase()}.sandbox.invalid`;
  return /(url|uri|endpoint)$/i.test(property) ? `https://${host}/` : host;
}

/** The identities that a body asks for, as Azure fills them in. */
export function withIdentity(simulation: Simulation, resource: Resource): Json {
  const { identity } = resource.body;
  if (!isRecord(identity) || typeof identity.type !== 'string') return resource.body;
  const filled: Json = { ...identity };
  if (/systemassigned/i.test(identity.type)) {
    const principalId = simulation.values.uuid(resource.id.toLowerCase(), resource.incarnation, 'principal');
    if (!simulation.principals.has(principalId)) simulation.principals.set(principalId, simulation.clock.now());
    Object.assign(filled, { principalId, tenantId: simulation.tenantId });
  }
  if (isRecord(identity.userAssignedIdentities)) {
    filled.userAssignedIdentities = Object.fromEntries(Object.entries(identity.userAssignedIdentities).map(([id, value]) => {
      const properties = simulation.store.get(id)?.body.properties as Json | undefined;
      return [id, properties ? { principalId: properties.principalId, clientId: properties.clientId } : value];
    }));
  }
  return { ...resource.body, identity: filled };
}

/** `UK South` and `uksouth` are one location. */
export function normalizedLocation(location: unknown): string {
  return typeof location === 'string' ? location.toLowerCase().replace(/\s/g, '') : 'global';
}
