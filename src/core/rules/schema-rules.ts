import { Found, ofEach, ofSet } from './rule';
import type { AzureObject } from './set-object';
import { walkStructs } from './structs';
import { armNameProblem } from '../../azure/arm-segment';
import { segmentFix } from '../../azure/names/segment-fix';
import { UUID } from '../../azure/uuid';
import { isUuidNamed } from '../../azure/uuid-names';
import type { PropertyFacts } from '../../catalog/facts';
import type { KindVersion } from '../../catalog/kind';
import { droppedVersion, isDroppedGroup } from '../../catalog/successors';
import { FieldPath, spellPath, validateProperty, validateSpec, Violation } from '../../catalog/validate-spec';
import { isNewerThan, newerVersion } from '../../catalog/version-order';
import { suggestion } from '../../util/nearest';
import { member, text } from '../../util/records';
import { serviceOf } from '../graph/graph-object';

const known = new WeakMap<AzureObject, readonly Violation[]>();

/** The schema violations of an object, computed once for the rules that share them. */
function violationsOf(object: AzureObject): readonly Violation[] {
  let violations = known.get(object);
  if (!violations) {
    violations = validateSpec(object.manifest.spec, object.version);
    known.set(object, violations);
  }
  return violations;
}

const isMissing = ({ message }: Violation) => message === 'is missing';
const isForeignNamespace = ({ path }: Violation, object: AzureObject) =>
  path.at(-1) === 'namespace'
  && ['name', 'armId', 'kind'].some((sibling) => valueAt(object.spec, [...path.slice(1, -1), sibling]) !== undefined);

const found = (violations: readonly Violation[]): Found[] =>
  violations.map(({ path, message, fix }) => ({ field: spellPath(path), message, fix }));

/** The API group ends with `azure.com`, but is not in the catalog. */
export const unknownGroup = ofSet((set) =>
  set.objects.flatMap((object) => {
    const service = serviceOf(object.group);
    if (service === undefined || set.catalog.hasService(service) || isDroppedGroup(object.group)) return [];
    const near = suggestion(service, set.catalog.services).trim();
    return [
      {
        object,
        field: 'apiVersion',
        message: `${object.group} is no group of the catalog`,
        fix: near || 'correct the group, if the object is one of Azure Service Operator',
      },
    ];
  }),
);

/** The group has no such kind. */
export const unknownKind = ofSet((set) =>
  set.objects.flatMap((object) => {
    const service = serviceOf(object.group);
    if (service === undefined || !set.catalog.hasService(service) || set.catalog.kind(object.group, object.kind)) return [];
    const kinds = set.catalog.kindsOf(service).map(({ kind }) => kind);
    return [
      {
        object,
        field: 'kind',
        message: `${object.group} has no kind ${object.kind}`,
        fix: suggestion(object.kind, kinds).trim() || `use one of ${kinds.join(', ')}`,
      },
    ];
  }),
);

/** The kind has no such version, or Azure Service Operator dropped the version or the group. */
export const unknownVersion = ofSet((set) =>
  set.objects.flatMap((object) => {
    const kind = set.catalog.kind(object.group, object.kind);
    const version = object.manifest.apiVersion.slice(object.group.length + 1);
    if (kind?.version(version)) return [];
    const dropped = droppedVersion(object.group, object.kind, version, set.catalog);
    if (dropped) return [{ object, field: 'apiVersion', ...dropped }];
    if (!kind) return [];
    if (isNewerThan(version, kind.facts.latest)) {
      return [{ object, field: 'apiVersion', severity: 'warning' as const, ...newerVersion(object.kind, version) }];
    }
    return [
      {
        object,
        field: 'apiVersion',
        message: `${object.kind} has no version ${version}`,
        fix: `use ${kind.latest.apiVersion}, or one of ${kind.versionNames.join(', ')}`,
      },
    ];
  }),
);

/** A required field of the spec is missing. */
export const missingField = ofEach((object) => found(violationsOf(object).filter(isMissing)));

/** The value violates the type, enumeration, pattern, length or range. */
export const invalidValue = ofEach((object) =>
  found(violationsOf(object).filter((violation) => violation.fatal && !isMissing(violation))));

/** The kind has no such field in this version. */
export const unknownField = ofEach((object) =>
  found(violationsOf(object).filter((violation) => !violation.fatal && !isForeignNamespace(violation, object))));

/** An owner, reference, Secret or ConfigMap names a namespace. */
export const namespaceInReference = ofEach((object) =>
  violationsOf(object).filter((violation) => !violation.fatal && isForeignNamespace(violation, object)).map(({ path }) => ({
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
export const deprecatedVersion = ofEach(({ version, kind }) =>
  version.facts.deprecated
    ? [{ field: 'apiVersion', message: `${version.name} of ${kind} is deprecated`, fix: `use ${version.kind.latest.apiVersion}` }]
    : [],
);

function alternatives({ spec, version }: AzureObject): Found[] {
  const twice: Found[] = [];
  walkStructs(spec, version, (value, type, path) => {
    for (const [name, { alternativeTo, role }] of Object.entries(type.props)) {
      if (alternativeTo === undefined || member(value, name) === undefined || member(value, alternativeTo) === undefined) continue;
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
  walkStructs(spec, version, (value, type, path) => {
    if (!type.oneOf) return;
    const members = Object.entries(type.props).filter(([, { inline }]) => inline).map(([name]) => name);
    const chosen = members.filter((name) => member(value, name) !== undefined);
    if (chosen.length === 1 || members.length === 0) return;
    const message = chosen.length === 0 ? `none of ${members.join(', ')} is given` : `${chosen.join(' and ')} exclude each other`;
    wrong.push({ field: chosen.length === 0 ? path : `${path}.${chosen[1]}`, message, fix: `give exactly one of ${members.join(', ')}` });
  });
  return wrong;
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
