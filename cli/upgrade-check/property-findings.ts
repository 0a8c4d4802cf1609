import { placeOf, type Edit, type UpgradeFinding } from './finding';
import { PROPERTY_CHANGES, type PropertyChange } from './property-changes';
import { passes, type Upgrade } from './releases';
import type { VersionUse } from './version-uses';
import { CREDENTIAL_FROM } from '../../src/azure/annotations';
import { Catalog } from '../../src/catalog';
import { spellPath, validateSpec, type FieldPath } from '../../src/catalog/validate-spec';
import { AsoRelease } from '../../src/core/versions/aso-release';
import { isRecord } from '../../src/util/records';
import { isLaterAt } from '../manifests/later/later-values';

/** The first release in which `credential-from` names no Secret of another namespace. */
const CREDENTIAL_RELEASE = 'v2.1.0';

/** Properties and annotations of an object that the new release takes no longer as they are. */
export function propertyFindings(use: VersionUse, upgrade: Upgrade, catalog = Catalog.default()): UpgradeFinding[] {
  const { spec } = use;
  if (spec === undefined) return [];
  const changed = PROPERTY_CHANGES.filter(({ group, kind }) => group === use.group && kind === use.kind)
    .filter(({ release }) => passes(upgrade, release));
  const found = changed.flatMap((change) => textsAt(spec, change.path).map((path) => findingOf(use, change, path)));
  return [...credentialFinding(use, upgrade), ...found, ...schemaFindings(use, upgrade, new Set(found.map(({ field }) => field)), catalog)];
}

/** Paths below `spec` at which a text is. */
function textsAt(spec: unknown, path: string): FieldPath[] {
  let open: { readonly value: unknown; readonly path: FieldPath }[] = [{ value: spec, path: [] }];
  for (const step of path.split('.')) {
    const name = step.replace('[]', '');
    open = open.flatMap(({ value, path: before }) => {
      const inner = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
      const at = [...before, name];
      if (!step.endsWith('[]')) return [{ value: inner, path: at }];
      return Array.isArray(inner) ? inner.map((item: unknown, index) => ({ value: item, path: [...at, index] })) : [];
    });
  }
  return open.filter(({ value }) => typeof value === 'string').map(({ path: at }) => at);
}

function findingOf(use: VersionUse, change: PropertyChange, below: FieldPath): UpgradeFinding {
  const { release } = change;
  const path = ['spec', ...below];
  const common = { ...placeOf(use, path), severity: 'error', field: spellPath(path), release } as const;
  if (change.change === 'reference') {
    return {
      ...common,
      rule: 'property-renamed',
      message: `${release} takes a reference named ${change.name} in its place`,
      why: 'the new CRD does not have the property: the value is dropped',
      fix: `write ${change.name} with armId and the same value`,
      edits: renamed(use, path, change.name!),
    };
  }
  return {
    ...common,
    rule: 'property-secret',
    message: `is a text; ${release} takes a reference to a key of a Secret`,
    why: 'an object with a text there cannot be converted, read or deleted after the upgrade',
    fix: 'before the upgrade set the policy skip, save the manifest, put the value into a Secret, and delete the object; after it apply the manifest with name and key of the Secret',
  };
}

/** `old: ID` → `new: { armId: ID }`, which is YAML and, with quotes, JSON. */
function renamed(use: VersionUse, path: FieldPath, name: string): Edit[] | undefined {
  const [key, value] = [use.keyRangeOf(path), use.rangeOf(path)];
  // A text of several lines has no place in a map of one.
  if (!key || !value || use.textAt(value).includes('\n')) return undefined;
  const quote = use.textAt(key).startsWith('"') ? '"' : '';
  return [
    { file: use.file, ...key, text: `${quote}${name}${quote}` },
    { file: use.file, ...value, text: `{ ${quote}armId${quote}: ${use.textAt(value)} }` },
  ];
}

function credentialFinding(use: VersionUse, upgrade: Upgrade): UpgradeFinding[] {
  const named = use.annotations[CREDENTIAL_FROM];
  if (typeof named !== 'string' || !named.includes('/') || !passes(upgrade, CREDENTIAL_RELEASE)) return [];
  const path = ['metadata', 'annotations', CREDENTIAL_FROM];
  return [{
    ...placeOf(use, path),
    severity: 'error',
    rule: 'credential-namespace',
    field: `metadata.annotations['${CREDENTIAL_FROM}']`,
    release: CREDENTIAL_RELEASE,
    message: 'names a Secret of another namespace',
    why: `since ${CREDENTIAL_RELEASE} the Secret is in the namespace of the object, and the object has no credential after the upgrade`,
    fix: 'put the Secret into the namespace of the object, and name it alone',
  }];
}

/** The schema of the newest release is the only one that the catalog has. */
function schemaFindings(use: VersionUse, { to }: Upgrade, known: ReadonlySet<string | undefined>, catalog: Catalog): UpgradeFinding[] {
  const version = to === AsoRelease.LATEST.name ? catalog.kind(use.group, use.kind)?.version(use.version) : undefined;
  if (!version) return [];
  return validateSpec(use.spec, version)
    .filter(({ path }) => !known.has(spellPath(path)) && !isLaterAt(use, path) && !(use.isPartial && isMissingAt(use, path)))
    .map(({ path, message, fix, fatal }) => ({
      ...placeOf(use, path),
      severity: fatal ? 'error' : 'warning',
      rule: 'schema',
      field: spellPath(path),
      message: `${message} in the CRD of ${to}`,
      why: fatal ? 'the cluster refuses the object' : 'kubectl refuses it, other appliers have the cluster drop it in silence',
      fix: fatal ? fix : 'remove it',
      edits: fatal ? undefined : removed(use, path),
    }));
}

/** Whether a field is not written; another file, or what renders a template, may have it. */
function isMissingAt(use: VersionUse, path: FieldPath): boolean {
  return path.reduce<unknown>((at, step) => (typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[step] : undefined), use) === undefined;
}

function removed(use: VersionUse, path: FieldPath): Edit[] | undefined {
  const range = use.linesOf(path);
  return range && [{ file: use.file, ...range, text: '' }];
}
