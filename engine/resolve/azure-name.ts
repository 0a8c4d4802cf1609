import { ownerOf } from './owner';
import { ResolutionError, type ObjectLookup } from './types';
import { AZURE_NAME_FROM_CONFIG } from '../../src/azure/annotations';
import { isUuidNamed, uuidNameOf } from '../../src/azure/uuid-names';
import { isRef, type KindVersion } from '../../src/catalog';
import { isText, member, text } from '../../src/util/records';
import type { KubernetesObject } from '../kubernetes/types';

/**
 * The Azure name of an object; undefined when it has none (yet): a role assignment without owner, or a name from a ConfigMap that the claim
 * has not stored yet. Derives the value that the defaulting webhook writes into `spec.azureName`, so the controller works without the
 * webhook.
 */
export function azureNameOf(object: KubernetesObject, version: KindVersion): string | undefined {
  const rule = version.facts.name;
  if (rule === null || rule === undefined) return undefined;
  if (typeof rule === 'object') return rule.fixed;
  const written = object.spec && Object.hasOwn(object.spec, 'azureName') ? object.spec.azureName : undefined;
  if (typeof written === 'string' && written !== '') return written;
  if (nameFromConfigOf(object, version)) return object.metadata.annotations?.[AZURE_NAME_FROM_CONFIG] || undefined;
  if (isUuidNamed(version.kind.group, version.kind.kind)) return uuidName(object, version);
  return object.metadata.name;
}

/**
 * The object as the defaulting webhook stores it: with `spec.azureName`, which expressions may read. Returns the same object when it has a
 * name, or takes it from a ConfigMap (then the webhook writes none either).
 */
export function withDefaultName(object: KubernetesObject, version: KindVersion): KubernetesObject {
  if (version.facts.name !== 'azureName' || nameFromConfigOf(object, version)) return object;
  const azureName = azureNameOf(object, version);
  return azureName === undefined || azureName === object.spec?.azureName ? object : { ...object, spec: { ...object.spec, azureName } };
}

const nameProperties = new WeakMap<KindVersion, { readonly property?: string | undefined }>();

function nameProperty(version: KindVersion): string | undefined {
  let known = nameProperties.get(version);
  if (!known) {
    const property = Object.entries(version.specType.props).find(
      ([, facts]) => facts.role === 'configMap' && facts.alternativeTo === 'azureName',
    )?.[0];
    nameProperties.set(version, (known = { property }));
  }
  return known.property;
}

/** The reference to the ConfigMap with the object's Azure name, if its spec has one (docs/spec/webhooks.md#name-from-configmap). */
export function nameFromConfigOf(object: KubernetesObject, version: KindVersion): { name: string; key: string } | undefined {
  const property = nameProperty(version);
  const value = property && member(object.spec, property);
  const [name, key] = [member(value, 'name'), member(value, 'key')];
  return isText(name) && isText(key) ? { name, key } : undefined;
}

/**
 * Reads the Azure name from the ConfigMap that the spec names; the claim stores it in the annotation `azure-name-from-config`. Undefined
 * when the spec names none. Throws `Failed` when the value is absent, empty, or differs from the annotation.
 */
export function resolveNameFromConfig(object: KubernetesObject, version: KindVersion, lookup: ObjectLookup): string | undefined {
  const reference = nameFromConfigOf(object, version);
  if (!reference) return undefined;
  const failed = (message: string) => new ResolutionError('Failed', 'Error', message);
  const namespace = object.metadata.namespace ?? 'default';
  const where = `${namespace}/${reference.name}`;
  const configMap = lookup.find('', 'ConfigMap', namespace, reference.name);
  if (!configMap) {
    throw failed(
      `couldn't resolve config map reference ${where}.${reference.key}: ${where} does not exist (configmaps "${reference.name}" not found)`,
    );
  }
  const data = configMap.data ?? {};
  if (!Object.hasOwn(data, reference.key)) {
    throw failed(
      `couldn't resolve config map reference ${where}.${reference.key}: ConfigMap "${where}" does not contain key "${reference.key}"`,
    );
  }
  const value = data[reference.key];
  if (value === '') throw failed(`resolved azureNameFromConfig ${where}.${reference.key} is empty`);
  const known = object.metadata.annotations?.[AZURE_NAME_FROM_CONFIG];
  if (known && known !== value) {
    throw failed(
      `cannot change AzureName for ${version.apiVersion}, Kind=${version.kind.kind}: ConfigMap value changed from "${known}" to "${value}"`,
    );
  }
  return value;
}

function uuidName(object: KubernetesObject, version: KindVersion): string | undefined {
  const owner = ownerOf(object, version);
  if (!owner) return undefined;
  const convention = namingConventionOf(version, object);
  // The webhook writes a new UUID into the spec. Without the webhook the object's uid serves: random, unique and immutable.
  if (convention === 'random') return object.metadata.uid;
  if (convention === undefined) return undefined;
  return uuidNameOf({
    group: version.kind.group,
    kind: version.kind.kind,
    version: version.name,
    namespace: object.metadata.namespace ?? 'default',
    name: object.metadata.name,
    owner: owner.by === 'armId' ? { armId: owner.armId } : owner,
  });
}

/**
 * The rule for an Azure name that is a UUID (docs/spec/names.md#uuid-rules). Undefined: an unknown rule, so the object gets no name; older
 * versions treat every value but `random` as `stable`.
 */
export function namingConventionOf(version: KindVersion, { spec }: KubernetesObject): 'stable' | 'random' | undefined {
  if (!hasConvention(version)) return 'stable';
  const convention = text(member(spec, 'operatorSpec'), 'namingConvention')?.toLowerCase() ?? 'stable';
  if (convention === 'stable' || convention === 'random') return convention;
  return version.name.startsWith('v1api') ? 'stable' : undefined;
}

function hasConvention(version: KindVersion): boolean {
  const type = version.specProperty('operatorSpec')?.[1].type;
  return type !== undefined && isRef(type) && Object.hasOwn(version.type(type.ref).props, 'namingConvention');
}
