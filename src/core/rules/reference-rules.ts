import { namedBy, writerOf, writersOf, type Named } from './named-objects';
import type { ObjectSet } from './object-set';
import { ofEach, type Found } from './rule';
import type { AzureObject } from './set-object';
import { armTypeOf, isArmId } from '../../azure/arm-id';
import { kindFix } from '../../catalog/kind-advice';
import { referencesOf, SpecReference } from '../../catalog/spec-references';
import { member, Struct, struct, text } from '../../util/records';
import { plural } from '../../util/words';
import { serviceOf } from '../graph/graph-object';

/** The owner has none or both of name (with group and kind where any kind may own) and `armId`, or an ARM id as name. */
export const ownerForm = ofEach(ownerFormProblems);

/** The ARM id of the owner is of another type, the kind of the owner does not exist, or the owner has to be an object. */
export const ownerKind = ofEach(ownerKindProblems);

/** A reference has none or several of group/kind/name, `armId`, `wellKnownName`, or is incomplete. */
export const referenceForm = ofEach(({ spec, version }) =>
  referencesOf(spec, version).flatMap((reference) => (reference.to === 'resource' ? referenceFormProblems(reference) : [])));

/** The group or kind of a reference does not exist. */
export const referenceKind = ofEach(referenceKindProblems);

/** The referenced object exists in the files, but only in another namespace. */
export const referenceAcrossNamespaces = ofEach(acrossNamespaces);

/** An owner, referenced object, Secret or ConfigMap is not in the files, and none of their objects writes it. */
export const notInFiles = ofEach(missingObjects);

function ownerOf({ spec, version }: AzureObject): { owner: Struct; type: string; field: string } | undefined {
  const property = version.facts.spec ? version.specProperty('owner') : undefined;
  if (!property) return undefined;
  const [name, { type }] = property;
  const owner = struct(member(spec, name));
  return owner && { owner, type: typeof type === 'object' && 'common' in type ? type.common : '', field: `spec.${name}` };
}

function ownerFormProblems(object: AzureObject): Found[] {
  const found = ownerOf(object);
  if (!found || found.type === 'KubernetesOwnerReference') return [];
  const { owner, type, field } = found;
  const any = type === 'ArbitraryOwnerReference';
  return formProblems(owner, field, any ? ['group', 'kind', 'name'] : ['name'], []);
}

function referenceFormProblems(reference: Extract<SpecReference, { to: 'resource' }>): Found[] {
  const { path, ...value } = reference;
  return formProblems(value, path, ['group', 'kind', 'name'], ['wellKnownName']);
}

/** Requires exactly one of: all of the object's parts, the ARM id, another single form. */
function formProblems(value: Struct, field: string, parts: readonly string[], others: readonly string[]): Found[] {
  const has = (name: string) => text(value, name) !== undefined;
  const given = parts.filter(has);
  const forms = [...(given.length > 0 ? [given.join(', ')] : []), ...['armId', ...others].filter(has)];
  const byName = parts.join(', ');
  const fix = `give ${parts.length > 1 ? byName : 'name'}, or armId`;
  if (forms.length === 0) return [{ field, message: 'names nothing', fix }];
  if (forms.length > 1) return [{ field, message: `${forms.join(' and ')} exclude each other`, fix }];
  const name = text(value, 'name');
  if (name !== undefined && isArmId(name)) {
    return [
      {
        field: `${field}.name`,
        message: 'is an ARM id, but has to be the name of an object',
        fix: 'write armId instead of name (without group and kind)',
      },
    ];
  }
  if (given.length > 0 && given.length < parts.length) {
    return [
      {
        field,
        message: `${parts.filter((part) => !has(part)).join(' and ')} ${plural(parts.length - given.length, 'is', 'are')} missing`,
        fix: `give all of ${byName}, or armId alone`,
      },
    ];
  }
  return [];
}

function ownerKindProblems(object: AzureObject, set: ObjectSet): Found[] {
  const found = ownerOf(object);
  if (!found) return [];
  const { owner, type, field } = found;
  const { owner: rule } = object.version.facts;
  const armId = text(owner, 'armId');
  if (typeof rule === 'object' && rule !== null) {
    const wanted = set.catalog.kind(rule.group, rule.kind)?.latest.facts.arm?.type;
    const got = armId === undefined ? undefined : armTypeOf(armId);
    // The operator creates database users by logging in to their server, so the server has to be an object.
    if (armId !== undefined && !object.version.isArm) {
      return [{ field: `${field}.armId`, message: `a ${object.kind} cannot be owned by ARM id`, fix: `give the name of a ${rule.kind}` }];
    }
    if (got !== undefined && wanted !== undefined && got.toLowerCase() !== wanted.toLowerCase()) {
      return [
        {
          field: `${field}.armId`,
          message: `is the id of a ${got}, but a ${object.kind} is owned by a ${wanted}`,
          fix: `give the id of a ${rule.kind}`,
        },
      ];
    }
    return [];
  }
  const [group, kind] = [text(owner, 'group'), text(owner, 'kind')];
  if (type !== 'ArbitraryOwnerReference' || group === undefined || kind === undefined) return [];
  return (
    unknownKind(group, kind, field, set)
    ?? (set.catalog.kind(group, kind)!.latest.isArm
      ? []
      : [{ field, message: `a ${kind} is no ARM resource and cannot be extended`, fix: 'give the resource that it belongs to' }])
  );
}

function referenceKindProblems({ spec, version }: AzureObject, set: ObjectSet): Found[] {
  return referencesOf(spec, version).flatMap((reference) => {
    if (reference.to !== 'resource' || reference.group === undefined || reference.kind === undefined) return [];
    return unknownKind(reference.group, reference.kind, reference.path, set) ?? [];
  });
}

/** Problems of an unknown kind; undefined if the catalog has the kind. */
function unknownKind(group: string, kind: string, field: string, set: ObjectSet): Found[] | undefined {
  if (set.catalog.kind(group, kind)) return undefined;
  const service = serviceOf(group);
  const fix = kindFix({ group, kind }, set.catalog);
  if (service !== undefined && set.catalog.hasService(service)) return [{ field: `${field}.kind`, message: `${group} has no kind ${kind}`, fix }];
  return [{ field: `${field}.group`, message: `${group} is no group of the catalog`, fix: group.includes('/') ? withoutVersion(group) : fix }];
}

function withoutVersion(group: string): string {
  return `write the group without version: ${group.split('/')[0]}`;
}

function isThere(object: AzureObject, named: Named, set: ObjectSet): boolean {
  return set.find(named.group, named.kind, object.namespace, named.name) !== undefined || writerOf(object, named, set) !== undefined;
}

function elsewhere(object: AzureObject, { group, kind, name }: Named, set: ObjectSet): string[] {
  const written = group === '' ? [...(writersOf(set).get(`${kind} ${name}`)?.keys() ?? [])] : [];
  return [...new Set([...set.elsewhere(object, group, kind, name), ...written])].filter(
    (namespace) => namespace !== (object.namespace ?? '') && namespace !== '',
  );
}

function acrossNamespaces(object: AzureObject, set: ObjectSet): Found[] {
  return namedBy(object).flatMap((named) => {
    const others = isThere(object, named, set) ? [] : elsewhere(object, named, set);
    if (others.length === 0) return [];
    return [{
      field: named.field,
      message: `${named.what} '${named.name}' is in namespace ${others.join(', ')}, not in ${object.namespace ?? 'the namespace of this object'}`,
      fix: named.group === '' ? 'put both into one namespace, or copy it' : 'put both into one namespace, or give armId',
    }];
  });
}

function missingObjects(object: AzureObject, set: ObjectSet): Found[] {
  return namedBy(object).flatMap((named) => {
    if (isThere(object, named, set) || elsewhere(object, named, set).length > 0) return [];
    // Another rule reports a kind that does not exist.
    if (named.group !== '' && !set.catalog.kind(named.group, named.kind)) return [];
    return [
      {
        field: named.field,
        message: `${named.what} '${named.name}' is not in the files`,
        fix: 'make sure that it is in the cluster, or check its name',
      },
    ];
  });
}
