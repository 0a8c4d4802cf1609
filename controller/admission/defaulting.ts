import { uuidV1 } from './uuid-v1';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { nameFromConfigOf, namingConventionOf } from '../../engine/resolve/azure-name';
import { isUuidNamed, uuidNameOf } from '../../src/azure/uuid-names';
import type { KindVersion } from '../../src/catalog';
import { isRecord, type JsonObject, ownMember } from '../../src/util/records';

/** One operation of a JSON patch (RFC 6902). */
export interface PatchOperation {
  readonly op: 'add';
  readonly path: string;
  readonly value: unknown;
}

/**
 * The defaults that the webhook adds to an object (docs/spec/webhooks.md#defaulting and docs/spec/names.md#generated-uuids): the Azure
 * name, and how a security group is created. Other members have no default.
 *
 * @param random makes the names of convention `random`
 */
export function defaultsOf(version: KindVersion, object: KubernetesObject, random: () => string = uuidV1): PatchOperation[] {
  const spec = isRecord(object.spec) ? object.spec : undefined;
  const additions = [...azureName(version, object, spec ?? {}, random), ...creationMode(version, spec ?? {})];
  if (additions.length === 0) return [];
  return spec ? additions : [{ op: 'add', path: '/spec', value: {} }, ...additions];
}

function azureName(version: KindVersion, object: KubernetesObject, spec: JsonObject, random: () => string): PatchOperation[] {
  if (version.facts.name !== 'azureName' || Boolean(ownMember(spec, 'azureName'))) return [];
  if (nameFromConfigOf(object, version)) return [];
  const { group, kind } = version.kind;
  const name = isUuidNamed(group, kind) ? uuidName(version, object, spec, random) : object.metadata.name;
  // With `generateName` the server may not have made the name yet; the controller takes it from the metadata then.
  return name ? [{ op: 'add', path: '/spec/azureName', value: name }] : [];
}

function uuidName(version: KindVersion, object: KubernetesObject, spec: JsonObject, random: () => string): string | undefined {
  const owner = ownMember(spec, 'owner');
  const { metadata } = object;
  if (!isRecord(owner) || !metadata.name) return undefined;
  const convention = namingConventionOf(version, object);
  if (convention === undefined) return undefined;
  if (convention === 'random') return random();
  return uuidNameOf({
    group: version.kind.group,
    kind: version.kind.kind,
    version: version.name,
    namespace: metadata.namespace ?? 'default',
    name: metadata.name,
    owner: { group: text(owner, 'group'), kind: text(owner, 'kind'), name: text(owner, 'name'), armId: text(owner, 'armId') },
  });
}

function creationMode(version: KindVersion, spec: JsonObject): PatchOperation[] {
  if (version.kind.group !== 'entra.azure.com' || version.kind.kind !== 'SecurityGroup') return [];
  const operatorSpec = ownMember(spec, 'operatorSpec');
  if (!isRecord(operatorSpec)) return [{ op: 'add', path: '/spec/operatorSpec', value: { creationMode: 'AdoptOrCreate' } }];
  return ownMember(operatorSpec, 'creationMode') ? [] : [{ op: 'add', path: '/spec/operatorSpec/creationMode', value: 'AdoptOrCreate' }];
}

function text(object: JsonObject, key: string): string | undefined {
  const value = ownMember(object, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
