import { RESOURCE_ID } from './annotations';
import { ResolutionError, type ObjectLookup, type SpecReference } from './types';
import { isArmId } from '../../src/azure/arm-id';
import { isArray, isCommon, isConstrained, isMap, isRef, type KindVersion, type PropertyFacts, type TypeExpression } from '../../src/catalog';

/** A reference to another resource, as it stands in a spec. */
export interface ReferenceValue {
  readonly group?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly armId?: string;
}

/** Specs of real kinds nest some fifteen levels deep. */
const MAX_DEPTH = 64;

/**
 * Everything that a spec refers to, in the order of the catalog's properties: resources, Secrets, ConfigMaps, each with its place
 * (`spec.identity.userAssignedIdentities[0].reference`). The owner is not among them (`ownerOf`). What is malformed is left out: the
 * conversion complains about it.
 */
export function referencesOf(spec: Readonly<Record<string, unknown>> | undefined, version: KindVersion): SpecReference[] {
  if (!spec || !version.facts.spec) return [];
  return ofType(spec, { ref: version.facts.spec }, undefined, 'spec', version, 0);
}

function ofType(value: unknown, type: TypeExpression, role: PropertyFacts['role'], path: string, version: KindVersion, depth: number): SpecReference[] {
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return [];
  if (isConstrained(type)) return ofType(value, type.type, role, path, version, depth);
  if (isArray(type)) return Array.isArray(value) ? value.flatMap((element, index) => ofType(element, type.array, role, `${path}[${index}]`, version, depth + 1)) : [];
  if (Array.isArray(value)) return [];
  if (isMap(type)) return Object.entries(value).flatMap(([key, element]) => ofType(element, type.map, role, `${path}.${key}`, version, depth + 1));
  if (isCommon(type)) return referenceAt(value as Record<string, unknown>, role, path);
  if (!isRef(type)) return [];
  return Object.entries(version.type(type.ref).props).flatMap(([name, facts]) =>
    Object.hasOwn(value, name) ? ofType((value as Record<string, unknown>)[name], facts.type, facts.role, `${path}.${name}`, version, depth + 1) : [],
  );
}

function referenceAt(value: Record<string, unknown>, role: PropertyFacts['role'], path: string): SpecReference[] {
  const text = (key: string): string | undefined => {
    const member = Object.hasOwn(value, key) ? value[key] : undefined;
    return typeof member === 'string' && member !== '' ? member : undefined;
  };
  const name = text('name');
  const key = text('key');
  switch (role) {
    case 'armReference':
    case 'wellKnownReference':
      return [{ to: 'resource', path, group: text('group'), kind: text('kind'), name, armId: text('armId'), wellKnownName: text('wellKnownName') }];
    case 'secret':
    case 'configMap':
      return name && key ? [{ to: role, path, name, key }] : [];
    case 'secretMap':
      return name ? [{ to: role, path, name }] : [];
    default:
      return [];
  }
}

/** Whether a reference has exactly one form; throws ResolutionError in the words of the validating webhook (webhooks.md 4.2). */
export function checkReference(reference: ReferenceValue): asserts reference is { armId: string } | { group: string; kind: string; name: string } {
  const { armId, group, kind, name } = reference;
  if (!armId && !group && !kind && !name) {
    throw notFound("at least one of ['ARMID'] or ['Group', 'Kind', 'Namespace', 'Name'] must be set for ResourceReference");
  }
  if (armId && (group || kind || name)) {
    throw notFound(`the 'ARMID' field is mutually exclusive with 'Group', 'Kind', 'Namespace', and 'Name' for ResourceReference: ${armId}`);
  }
  if (!armId && (!group || !kind || !name)) {
    throw notFound(`when referencing a Kubernetes resource, 'Group', 'Kind', 'Namespace', and 'Name' must all be specified for ResourceReference: Group: ${JSON.stringify(group ?? '')}, Kind: ${JSON.stringify(kind ?? '')}, Name: ${JSON.stringify(name ?? '')}`);
  }
}

/** The ARM id of a reference: `armId` verbatim, or the annotation `resource-id` of the object (controller.md 6.2). */
export function resolveReference(reference: ReferenceValue, namespace: string, lookup: ObjectLookup): string {
  checkReference(reference);
  if ('armId' in reference && reference.armId) return reference.armId;
  const { group, kind, name } = reference as { group: string; kind: string; name: string };
  if (!lookup.serves(group, kind)) throw notFound(`group: "${group}", kind: "${kind}" was not in reconciledResourceLookup`);
  const found = lookup.find(group, kind, namespace, name);
  if (!found) {
    const where = `${namespace}/${name}`;
    const hint = isArmId(name) ? `. '${name}' looks like it might be an ARM ID; did you mean 'armID: ${name}'?` : '';
    throw notFound(`couldn't resolve reference ${where}: ${where} does not exist (${kind}.${group} "${name}" not found)${hint}`);
  }
  const id = found.metadata.annotations?.[RESOURCE_ID];
  if (!id) throw notFound(`ref ${name}, Group/Kind: ${group}/${kind} doesn't have an assigned ARM ID`);
  return id;
}

function notFound(message: string): ResolutionError {
  return new ResolutionError('ReferenceNotFound', 'Warning', message);
}
