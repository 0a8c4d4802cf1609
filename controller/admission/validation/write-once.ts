import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { RESOURCE_ID } from '../../../src/azure/annotations';
import type { KindVersion } from '../../../src/catalog';
import { isRecord, ownMember } from '../../../src/util/records';

/**
 * Members that identify the Azure resource of an object: they are immutable once the controller has communicated with Azure
 * (docs/spec/webhooks.md#write-once).
 */
export function writeOnceErrors(version: KindVersion, object: KubernetesObject, old: KubernetesObject): string[] {
  return object.metadata.annotations?.[RESOURCE_ID] ? identityErrors(version, object, old) : [];
}

/** The changes of an object's name and owner. */
export function identityErrors(version: KindVersion, object: KubernetesObject, old: KubernetesObject): string[] {
  // The quotation mark is not closed in ASO's texts either.
  const what = `'${version.apiVersion}, Kind=${version.kind.kind} : ${object.metadata.name}`;
  const name = textOf(old.spec, 'azureName');
  const renamed = name !== '' && name !== textOf(object.spec, 'azureName');
  return [...(renamed ? [`updating 'spec.azureName' is not allowed for ${what}`] : []), ...ownerErrors(version, what, object, old)];
}

function ownerErrors(version: KindVersion, what: string, object: KubernetesObject, old: KubernetesObject): string[] {
  const property = version.specProperty('owner')?.[0];
  if (property === undefined) return [];
  const owner = (of: KubernetesObject) => (isRecord(of.spec) ? ownMember(of.spec, property) : undefined) ?? undefined;
  const [before, after] = [owner(old), owner(object)];
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [`adding an owner to an already created resource is not allowed for ${what}`];
  if (after === undefined) return [`removing 'spec.owner' is not allowed for ${what}`];
  const different = ['name', 'armId'].find((key) => textOf(before, key) !== textOf(after, key));
  return different === undefined ? [] : [`updating 'spec.owner.${different}' is not allowed for ${what}`];
}

function textOf(object: unknown, key: string): string {
  const value = isRecord(object) ? ownMember(object, key) : undefined;
  return typeof value === 'string' ? value : '';
}
