import type { AzureObject } from './object-set';
import { Found, objectRule, Rule, setRule } from './rule';
import { walkStructs } from './structs';
import { FieldPath, spellPath, validateProperty, validateSpec, Violation } from './validate-spec';
import { armNameProblem } from '../../azure/arm-segment';
import { UUID } from '../../azure/uuid';
import { isUuidNamed } from '../../azure/uuid-names';
import type { KindVersion } from '../../catalog/kind';
import { suggestion } from '../../util/nearest';
import { member, text } from '../../util/records';
import { serviceOf } from '../graph/graph-object';

const known = new WeakMap<AzureObject, readonly Violation[]>();

/** What the schema has to say, worked out once for the rules that share it. */
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
  path.at(-1) === 'namespace' && ['name', 'armId', 'kind'].some((sibling) => valueAt(object.spec, [...path.slice(1, -1), sibling]) !== undefined);

const found = (violations: readonly Violation[]): Found[] => violations.map(({ path, message, fix }) => ({ field: spellPath(path), message, fix }));

/** What the API server compares with the CRDs' schemas. */
export const SCHEMA_RULES: readonly Rule[] = [
  setRule('unknown-group', 'warning', 'no CRD of Azure Service Operator serves it; another operator may', (set) => set.objects.flatMap((object) => {
    const service = serviceOf(object.group);
    if (service === undefined || set.catalog.hasService(service)) return [];
    const near = suggestion(service, set.catalog.services).trim();
    return [{ object, field: 'apiVersion', message: `${object.group} is no group of the catalog`, fix: near || 'correct the group, if the object is one of Azure Service Operator' }];
  })),
  setRule('unknown-kind', 'error', 'no CRD serves it, so the cluster refuses the object', (set) => set.objects.flatMap((object) => {
    const service = serviceOf(object.group);
    if (service === undefined || !set.catalog.hasService(service) || set.catalog.kind(object.group, object.kind)) return [];
    const kinds = set.catalog.kindsOf(service).map(({ kind }) => kind);
    return [{ object, field: 'kind', message: `${object.group} has no kind ${object.kind}`, fix: suggestion(object.kind, kinds).trim() || `use one of ${kinds.join(', ')}` }];
  })),
  setRule('unknown-version', 'error', 'the CRD does not serve it, so the cluster refuses the object', (set) => set.objects.flatMap((object) => {
    const kind = set.catalog.kind(object.group, object.kind);
    const version = object.manifest.apiVersion.slice(object.group.length + 1);
    if (!kind || kind.version(version)) return [];
    return [{ object, field: 'apiVersion', message: `${object.kind} has no version ${version}`, fix: `use ${kind.latest.apiVersion}, or one of ${kind.versionNames.join(', ')}` }];
  })),
  objectRule('missing-field', 'error', 'the CRD requires it, so the cluster refuses the object', (object) => found(violationsOf(object).filter(isMissing))),
  objectRule('invalid-value', 'error', 'the CRD does not allow it, so the cluster refuses the object', (object) =>
    found(violationsOf(object).filter((violation) => violation.fatal && !isMissing(violation)))),
  objectRule('unknown-field', 'error', 'kubectl refuses it, other appliers have the cluster drop it in silence', (object) =>
    found(violationsOf(object).filter((violation) => !violation.fatal && !isForeignNamespace(violation, object)))),
  objectRule('namespace-in-reference', 'error', 'owners, references, Secrets and ConfigMaps are looked up in the namespace of the object that names them; there is no such field', (object) =>
    violationsOf(object).filter((violation) => !violation.fatal && isForeignNamespace(violation, object)).map(({ path }) => ({
      field: spellPath(path),
      message: 'a reference cannot name a namespace',
      fix: 'remove it and put both objects into one namespace, or refer by armId',
    }))),
  objectRule('value-twice', 'error', 'the webhook refuses a value and its ConfigMap or Secret together', alternatives),
  objectRule('one-of', 'error', 'Azure takes exactly one of these; the operator sends the first in silence', unions),
  objectRule('azure-name', 'error', 'the name goes into the id of the resource, and cannot be changed once it exists', azureNames),
  objectRule('deprecated-version', 'warning', 'a coming release of the operator no longer serves it', ({ version, kind }) =>
    (version.facts.deprecated ? [{ field: 'apiVersion', message: `${version.name} of ${kind} is deprecated`, fix: `use ${version.kind.latest.apiVersion}` }] : [])),
];

function alternatives({ spec, version }: AzureObject): Found[] {
  const twice: Found[] = [];
  walkStructs(spec, version, (value, type, path) => {
    for (const [name, { alternativeTo, role }] of Object.entries(type.props)) {
      if (alternativeTo === undefined || member(value, name) === undefined || member(value, alternativeTo) === undefined) continue;
      // Of these two, one wins in silence; all others are refused.
      const severity = alternativeTo === 'azureName' || role === 'armReference' ? 'warning' : 'error';
      twice.push({ field: `${path}.${name}`, message: `${alternativeTo} and ${name} are two ways to give one value`, fix: 'remove one of them', severity });
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
    return written === undefined || UUID.test(written) ? [] : [{ field, message: `the Azure name of a ${kind} is a UUID`, fix: 'give a UUID, or leave azureName out: the operator makes one' }];
  }
  const problem = written === undefined ? undefined : armNameProblem(written, version.facts.scope);
  if (problem !== undefined) return [{ field, message: problem, fix: 'give the last segment of the ARM id only, as Azure shows it' }];
  if (written !== undefined) return [];
  // The schema's rules for a name that is left to metadata.name: the operator writes it into the spec before they are checked.
  return facts.azureName === name ? defaultName(name, version) : [];
}

function defaultName(name: string, version: KindVersion): Found[] {
  const property = version.specType.props.azureName;
  return validateProperty(name, property, ['spec', 'azureName'], version)
    .map(({ message, fix }) => ({ field: 'metadata.name', message: `is the Azure name, for want of spec.azureName, and ${message}`, fix: `give spec.azureName; ${fix}` }));
}

function valueAt(spec: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((value, step) => (Array.isArray(value) ? value[Number(step)] as unknown : member(value, String(step))), spec);
}
