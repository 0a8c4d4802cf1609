import { normalizedLocation } from './location';
import { SERVICE_VALUES, type ServiceFacts } from './service-values';
import type { KindVersion } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';
import { textBefore } from '../../../src/util/text-before';
import { statusValue, type StatusValue } from '../model/catalog-index';
import type { Simulation } from '../model/simulation';
import { getPath, withPath, type Json, type Resource } from '../model/store';

/** The values that a service works out by itself and that a kind exports, where the body does not have them. */
export function withComputed(simulation: Simulation, version: KindVersion, resource: Resource): Json {
  return exportedValues(version).reduce((body, value) => {
    // `identity` is filled in by what the body asks for, not for everybody.
    if (value.armPath[0] === 'identity' || getPath(body, value.armPath) !== undefined) return body;
    const computed = valueOf(simulation, { ...resource, body }, value);
    return computed === undefined ? body : withPath(body, value.armPath, computed);
  }, withOwnValues(resource));
}

/** The body with values that are not exported, where the controller works with them. */
function withOwnValues(resource: Resource): Json {
  const isPostgres = resource.type.toLowerCase() === 'microsoft.dbforpostgresql/flexibleservers';
  return isPostgres ? withPath(resource.body, ['properties', 'state'], 'Ready') : resource.body;
}

/** The values of the status that a kind exports, by itself or as a named output of the library. */
function exportedValues(version: KindVersion): StatusValue[] {
  const { facts } = version.kind;
  const configMaps = Object.values(version.facts.exports?.configMaps ?? {}).filter((path) => path !== null);
  const secrets = Object.values(facts.secretSources?.values ?? {})
    .filter((source) => source.startsWith('status:'))
    .map((source) => source.slice('status:'.length));
  const named = [...Object.values(facts.outputs ?? {}), ...Object.values(facts.secretOutputs ?? {})]
    .flatMap(({ value = '' }) => [...value.matchAll(/\bstatus\.([\w.]+)(?![\w.[])/g)].map(([, path = '']) => path));
  const paths = [...new Set([...configMaps, ...secrets, ...named])];
  return paths.map((path) => statusValue(version, path)).filter((value) => value !== undefined);
}

function valueOf(simulation: Simulation, resource: Resource, { armPath, scalar }: StatusValue): unknown {
  const property = armPath.at(-1) ?? '';
  const { id, type, body } = resource;
  const facts: ServiceFacts = {
    id,
    name: resource.name.toLowerCase(),
    location: normalizedLocation(body.location),
    tenantId: simulation.tenantId,
    properties: isRecord(body.properties) ? body.properties : {},
    body,
    uuid: (word) => simulation.values.uuid(id.toLowerCase(), resource.incarnation, word),
    valueOf: (of, name) => (typeof of === 'string' ? getPath(simulation.store.get(of)?.body, ['properties', name]) : undefined),
  };
  const known = SERVICE_VALUES[`${type.toLowerCase()} ${armPath.filter((step) => step !== 'properties').join('/')}`];
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
