import type { ObjectSet } from './object-set';
import { Found, ofEach, ofSet } from './rule';
import type { AzureObject } from './set-object';
import { alternativesOf, walkStructs } from './structs';
import { isArmId } from '../../azure/arm-id';
import { armNameProblem } from '../../azure/arm-segment';
import { segmentFix } from '../../azure/names/segment-fix';
import { UUID } from '../../azure/uuid';
import { isUuidNamed } from '../../azure/uuid-names';
import { meantProperty, propertyOfAzure } from '../../catalog/azure-names';
import type { Catalog } from '../../catalog/catalog';
import type { PropertyFacts, TypeFacts } from '../../catalog/facts';
import type { KindVersion } from '../../catalog/kind';
import { groupWithoutVersion, isMeantForAzure, kindFix } from '../../catalog/kind-advice';
import { meantKinds } from '../../catalog/meant-kinds';
import { droppedVersion, isDroppedGroup } from '../../catalog/successors';
import { FieldPath, spellPath, validateProperty, validateSpec, Violation } from '../../catalog/validate-spec';
import { ADD_CATALOG, isNewerThan, newerVersion } from '../../catalog/version-order';
import { versionNameOf } from '../../object-id';
import { member, text } from '../../util/records';
import { listed } from '../../util/words';
import { serviceOf } from '../graph/graph-object';

const known = new WeakMap<AzureObject, readonly Violation[]>();

/** The schema violations of an object, computed once for the rules that share them. */
function violationsOf(object: AzureObject): readonly Violation[] {
  // The schema of another version does not hold for it.
  if (object.written && object.written.manifest.apiVersion !== object.manifest.apiVersion) return [];
  let violations = known.get(object);
  if (!violations) {
    const beside = Object.keys(object.manifest).filter((name) => !OBJECT_FIELDS.has(name));
    violations = [...validateSpec(object.manifest.spec, object.version).filter((one) => !(isMissing(one) && isBeside(one, beside)))];
    known.set(object, violations);
  }
  return violations;
}

/** The fields of an object of the cluster. Others are dropped, or refused. */
const OBJECT_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'status']);

/** Whether a field of the spec stands beside the spec. */
function isBeside({ path }: Violation, beside: readonly string[]): boolean {
  return path.length === 2 && beside.some((name) => name === path[1]);
}

const isMissing = ({ message }: Violation) => message === 'is missing';
const isForeignNamespace = ({ path, unknown }: Violation, object: AzureObject) =>
  unknown === true && path.at(-1) === 'namespace'
  && ['name', 'armId', 'kind'].some((sibling) => valueAt(object.spec, [...path.slice(1, -1), sibling]) !== undefined);

const foundIn = (violations: readonly Violation[]): Found[] =>
  violations.map(({ path, message, fix }) => ({ field: spellPath(path), message, fix }));

/** The API group ends with `azure.com`, but is not in the catalog. */
export const unknownGroup = ofSet((set) =>
  set.objects.flatMap((object) => {
    const { group, kind } = object;
    const service = serviceOf(group);
    if (service === undefined || set.catalog.hasService(service) || isDroppedGroup(group) || isMeantForAzure(group, kind)) return [];
    return [{ object, field: 'apiVersion', message: `${group} is no group of the catalog`, fix: kindFix({ group, kind }, set.catalog) }];
  }),
);

/** A later release of the operator than that of the catalog may serve the object. */
const MAY_BE_SERVED = { severity: 'warning', why: 'a cluster whose operator does not serve it refuses the object' } as const;

/** The characters of a version's name: a text with others, such as `${VERSION}`, stands for a version that is not known yet. */
const VERSION_NAME = /^[\w.-]*$/;

/** The group has no such kind; or group and kind are names of ARM or Terraform. */
export const unknownKind = ofSet((set) =>
  set.objects.flatMap((object) => {
    const { group, kind, manifest } = object;
    const fix = () => kindFix({ group, kind }, set.catalog);
    const bare = groupWithoutVersion(manifest.apiVersion, set.catalog);
    if (bare !== undefined) {
      const meant = set.catalog.kind(bare, kind) ?? meantKinds({ group: bare, kind }, set.catalog)[0];
      const write = meant ? `write ${meant.latest.apiVersion}${meant.kind === kind ? '' : `, kind ${meant.kind}`}` : `write a version behind it: ${bare}/…`;
      return [{ object, field: 'apiVersion', message: `${bare} is a group without a version`, fix: write }];
    }
    const isGroup = set.catalog.hasService(serviceOf(group) ?? '');
    if (isMeantForAzure(group, kind)) {
      const [field, name] = isGroup ? ['kind', kind] : ['apiVersion', manifest.apiVersion];
      return [{ object, field, message: `${name} is no name in Kubernetes`, fix: fix() }];
    }
    if (!isGroup || set.catalog.kind(group, kind)) return [];
    const version = versionNameOf(manifest);
    if (isNewerThanGroup(group, version, set.catalog)) {
      return [{ object, field: 'kind', ...MAY_BE_SERVED, ...newerVersion(kind, version) }];
    }
    if (!VERSION_NAME.test(version)) {
      return [{ object, field: 'kind', ...MAY_BE_SERVED, message: `${kind} is not in this catalog`, fix: `${ADD_CATALOG}; or ${fix()}` }];
    }
    return [{ object, field: 'kind', message: `${group} has no kind ${kind}`, fix: fix() }];
  }),
);

/** Whether no kind of the group has so new a version: then a kind that the catalog lacks may be one of a later release. */
function isNewerThanGroup(group: string, version: string, catalog: Catalog): boolean {
  return catalog.kindsOf(serviceOf(group) ?? '').every(({ facts }) => isNewerThan(version, facts.latest));
}

/** The kind has no such version, or Azure Service Operator dropped the version or the group. */
export const unknownVersion = ofSet((set) =>
  set.objects.flatMap((object) => {
    const kind = set.catalog.kind(object.group, object.kind);
    const version = versionNameOf(object.manifest);
    if (kind?.version(version)) return [];
    const dropped = droppedVersion(object.group, object.kind, version, set.catalog);
    if (dropped) return [{ object, field: 'apiVersion', ...dropped }];
    if (!kind) return [];
    if (isNewerThan(version, kind.facts.latest)) {
      return [{ object, field: 'apiVersion', ...MAY_BE_SERVED, ...newerVersion(object.kind, version) }];
    }
    return [
      {
        object,
        field: 'apiVersion',
        message: `${object.kind} has no version ${version}`,
        fix: `use ${listed([kind.latest.apiVersion, ...kind.versionNames.filter((name) => name !== kind.latest.name)], 'or')}`,
      },
    ];
  }),
);

/** A required field of the spec is missing. */
export const missingField = ofEach((object) => foundIn(violationsOf(object).filter(isMissing)));

/** The value violates the type, enumeration, pattern, length or range. */
export const invalidValue = ofEach((object) =>
  foundIn(violationsOf(object).filter((violation) => violation.fatal && violation.unknown !== true && !isMissing(violation))));

/** The kind has no such field in this version. */
export const unknownField = ofEach((object, set) => [
  ...fieldsBeside(object),
  ...foundIn(violationsOf(object).filter((violation) => violation.unknown === true && !isForeignNamespace(violation, object)))
    .map((one) => (one.field === 'spec.scope' ? scopeOf(one, object, set) : one)),
]);

/** Fields that stand beside `spec`, as in ARM templates. */
function fieldsBeside({ manifest, version }: AzureObject): Found[] {
  const spec = version.facts.spec ? version.specType : { props: {} };
  return Object.keys(manifest).filter((name) => !OBJECT_FIELDS.has(name)).map((name) => {
    const meant = Object.hasOwn(spec.props, name) ? name : propertyOfAzure(name, spec.props);
    const below = name === 'properties' ? 'write its members below spec' : 'remove it';
    return { field: name, message: 'is no field of an object of the cluster', fix: meant === undefined ? below : `write it as spec.${meant}` };
  });
}

/** The owner that a scope means, if it is an object of the set. */
function scopeOf(found: Found, object: AzureObject, set: ObjectSet): Found {
  const scope = text(object.spec, 'scope');
  if (scope === undefined || member(object.manifest.spec, 'owner') !== undefined) return found;
  const near = set.azure.filter((one) => one.namespace === object.namespace);
  const named = near.filter((one) => one.name === scope || one.facts.azureName === scope);
  const owner = isArmId(scope) ? set.resourceOf(scope) : named.length === 1 ? named[0] : undefined;
  if (!owner || owner.namespace !== object.namespace || owner === object) return found;
  return { ...found, fix: `write it as the owner: spec.owner: { group: ${owner.group}, kind: ${owner.kind}, name: ${owner.name} }` };
}

/** An owner, reference, Secret or ConfigMap names a namespace. */
export const namespaceInReference = ofEach((object) =>
  violationsOf(object).filter((violation) => isForeignNamespace(violation, object)).map(({ path }) => ({
    field: spellPath(path),
    message: 'a reference cannot name a namespace',
    fix: 'remove it and put both objects into one namespace, or refer by armId',
  })));

/** A value is set together with its `…FromConfig` or `…FromSecret`. A warning where the operator silently prefers one. */
export const valueTwice = ofEach(alternatives);

/** None or several members of a union are set. */
export const oneOf = ofEach(unions);

/** `spec.azureName`, or the `metadata.name` that replaces it, is no valid name in Azure. */
export const azureName = ofEach(azureNames);

/** The removal of the version is announced. */
export const deprecatedVersion = ofEach(({ version, kind, written }) =>
  version.facts.deprecated && (!written || written.manifest.apiVersion === version.apiVersion)
    ? [{ field: 'apiVersion', message: `${version.name} of ${kind} is deprecated`, fix: `use ${version.kind.latest.apiVersion}` }]
    : [],
);

function alternatives({ spec, version }: AzureObject): Found[] {
  const twice: Found[] = [];
  walkStructs(spec, version, 'alternatives', (value, type, path) => {
    for (const { name, alternativeTo, facts: { role } } of alternativesOf(type)) {
      if (member(value, name) === undefined || member(value, alternativeTo) === undefined) continue;
      // For these two the operator silently prefers one; it refuses all others.
      const severity = alternativeTo === 'azureName' || role === 'armReference' ? 'warning' : 'error';
      twice.push({
        field: `${path}.${name}`,
        message: `${alternativeTo} and ${name} are two ways to give one value`,
        fix: 'remove one of them',
        severity,
      });
    }
  });
  return twice;
}

function unions({ spec, version }: AzureObject): Found[] {
  const wrong: Found[] = [];
  walkStructs(spec, version, 'unions', (value, type, path) => {
    const members = Object.entries(type.props).filter(([, { inline }]) => inline).map(([name]) => name);
    const chosen = members.filter((name) => member(value, name) !== undefined);
    if (chosen.length === 1 || members.length === 0) return;
    // Fields of a member stand beside it, as in Azure's templates: `unknown-field` says where they go.
    if (chosen.length === 0 && Object.keys(value).some((name) => isOfMember(name, type, version))) return;
    const message = chosen.length === 0 ? `none of ${members.join(', ')} is given` : `${chosen.join(' and ')} exclude each other`;
    wrong.push({ field: chosen.length === 0 ? path : `${path}.${chosen[1]}`, message, fix: `give exactly one of ${members.join(', ')}` });
  });
  return wrong;
}

function isOfMember(name: string, type: TypeFacts, version: KindVersion): boolean {
  return !Object.hasOwn(type.props, name) && (meantProperty(name, type, (ref) => version.type(ref))?.path.length ?? 0) > 1;
}

function azureNames({ spec, version, group, kind, name, facts }: AzureObject): Found[] {
  const field = 'spec.azureName';
  const written = text(spec, 'azureName');
  const property = version.facts.spec ? version.specType.props.azureName : undefined;
  if (!property || !version.isArm) return [];
  if (isUuidNamed(group, kind)) {
    return written === undefined || UUID.test(written)
      ? []
      : [{ field, message: `the Azure name of a ${kind} is a UUID`, fix: 'give a UUID, or leave azureName out: the operator makes one' }];
  }
  const problem = written === undefined ? undefined : armNameProblem(written, version.facts.scope);
  if (problem !== undefined) return [{ field, message: problem, fix: segmentFix(version.facts.arm?.type ?? '', written!) }];
  if (written !== undefined) return [];
  // The operator writes a default metadata.name into the spec before the API server validates it, so the schema's rules for the name apply.
  return facts.azureName === name ? defaultName(name, property, version) : [];
}

function defaultName(name: string, property: PropertyFacts, version: KindVersion): Found[] {
  return validateProperty(name, property, ['spec', 'azureName'], version).map(({ message, fix }) => ({
    field: 'metadata.name',
    message: `is the Azure name, for want of spec.azureName, and ${message}`,
    fix: `give spec.azureName; ${fix}`,
  }));
}

function valueAt(spec: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((value, step) => (Array.isArray(value) ? value[Number(step)] as unknown : member(value, String(step))), spec);
}
