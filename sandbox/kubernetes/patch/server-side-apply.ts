import { jsonEquals } from '../../../src/util/json-equals';
import { ApiError } from '../api-error';
import type { ManagedFieldsEntry, StoredObject } from '../objects';
import type { FieldPath, ListRules } from './field-set';
import { elementsOf, fieldsOf, fromFieldsV1, pathKey, toFieldsV1, valueAt, withoutPath } from './field-set';
import { isRecord } from '../../../src/util/records';

export interface ApplyOptions extends ListRules {
  readonly manager: string;
  /** Take over fields that others have applied with another value. */
  readonly force: boolean;
  /** Now, as a time stamp. */
  readonly time: string;
}

/**
 * Server-side apply, simplified: only those who apply own fields; whoever updates an applied field in another way takes
 * it from its owner, but does not become one. So conflicts exist between appliers only.
 *
 * @throws ApiError 409 when another applier owns a field that gets another value.
 */
export function serverSideApply(live: StoredObject | undefined, config: StoredObject, options: ApplyOptions): StoredObject {
  const entries = live?.metadata.managedFields ?? [];
  const own = entries.find((entry) => isOf(entry, options.manager));
  const others = entries.filter((entry) => entry !== own);
  const applied = fieldsOf(config, options);
  const conflicts = conflictsOf(live, config, applied, others);
  if (conflicts.length > 0 && !options.force) {
    throw ApiError.applyConflict(conflicts.map(({ entry, path }) => ({
      reason: 'FieldManagerConflict', message: `conflict with "${entry.manager}"`, field: readable(path),
    })));
  }
  const lost = new Set(conflicts.map(({ path }) => pathKey(path)));
  const kept = others.map((entry) => withFields(entry, fromFieldsV1(entry.fieldsV1).filter((path) => !lost.has(pathKey(path)))));
  const merged = merge(live ?? {}, config, [], options);
  const result = dropped(own, applied, kept).reduce<unknown>(withoutPath, merged) as StoredObject;
  const entry: ManagedFieldsEntry = {
    manager: options.manager,
    operation: 'Apply',
    apiVersion: config.apiVersion,
    time: options.time,
    fieldsType: 'FieldsV1',
    fieldsV1: toFieldsV1(applied),
  };
  const unchanged = own && jsonEquals(own.fieldsV1, entry.fieldsV1) && own.apiVersion === entry.apiVersion;
  return { ...result, metadata: { ...result.metadata, managedFields: [...kept.filter(hasFields), unchanged ? own : entry] } };
}

/** The entries after an update of another kind: what it changed belongs to nobody. */
export function managedFieldsAfterUpdate(previous: StoredObject, next: StoredObject): readonly ManagedFieldsEntry[] | undefined {
  const entries = previous.metadata.managedFields;
  if (!entries) return undefined;
  const left = entries
    .map((entry) =>
      withFields(
        entry,
        fromFieldsV1(entry.fieldsV1).filter((path) => path.at(-1) === '.' || jsonEquals(valueAt(previous, path), valueAt(next, path))),
      ),
    )
    .filter(hasFields);
  return left.length > 0 ? left : undefined;
}

const SPEC: FieldPath = ['f:spec'];

/** The entries with one that tells who last wrote the spec without apply, and in which version; an earlier one goes. */
export function withSpecWriter(
  entries: readonly ManagedFieldsEntry[] | undefined, manager: string, apiVersion: string, time: string,
): readonly ManagedFieldsEntry[] {
  const entry: ManagedFieldsEntry = {
    manager,
    operation: 'Update',
    apiVersion,
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: toFieldsV1([SPEC]),
  };
  return [...(entries ?? []).filter((one) => one.operation !== 'Update'), entry];
}

const isOf = (entry: ManagedFieldsEntry, manager: string): boolean =>
  entry.manager === manager && entry.operation === 'Apply' && !entry.subresource;

const hasFields = (entry: ManagedFieldsEntry): boolean => Object.keys(entry.fieldsV1).length > 0;

const withFields = (entry: ManagedFieldsEntry, paths: readonly FieldPath[]): ManagedFieldsEntry => ({
  ...entry,
  fieldsV1: toFieldsV1(paths),
});

function conflictsOf(
  live: StoredObject | undefined,
  config: StoredObject,
  applied: readonly FieldPath[],
  others: readonly ManagedFieldsEntry[],
) {
  const mine = new Set(applied.map(pathKey));
  return others.flatMap((entry) =>
    fromFieldsV1(entry.fieldsV1)
      .filter((path) => path.at(-1) !== '.' && mine.has(pathKey(path)) && !jsonEquals(valueAt(live, path), valueAt(config, path)))
      .map((path) => ({ entry, path })));
}

/** Members that the manager applied before, does not apply now, and no other manager owns. */
function dropped(own: ManagedFieldsEntry | undefined, applied: readonly FieldPath[], others: readonly ManagedFieldsEntry[]): FieldPath[] {
  if (!own) return [];
  const kept = [...applied, ...others.flatMap((entry) => fromFieldsV1(entry.fieldsV1))].map(pathKey);
  const isKept = (path: FieldPath): boolean => {
    const key = path.at(-1) === '.' ? pathKey(path.slice(0, -1)) : pathKey(path);
    return kept.some((other) => other === key || other.startsWith(`${key}/`));
  };
  return fromFieldsV1(own.fieldsV1).filter((path) => !isKept(path));
}

function merge(live: unknown, config: unknown, path: FieldPath, rules: ListRules): unknown {
  if (isRecord(config)) {
    const base = isRecord(live) ? live : {};
    return {
      ...base,
      ...Object.fromEntries(Object.entries(config).map(([name, value]) => [name, merge(base[name], value, [...path, `f:${name}`], rules)])),
    };
  }
  const elements = Array.isArray(config) ? elementsOf(config, path, rules) : undefined;
  if (!elements) return config;
  const existing = Array.isArray(live) ? elementsOf(live, path, rules) ?? [] : [];
  const known = new Map(existing);
  const mine = new Map(elements);
  return [
    ...existing.map(([segment, element]) => (mine.has(segment) ? merge(element, mine.get(segment), [...path, segment], rules) : element)),
    ...elements.filter(([segment]) => !known.has(segment)).map(([, element]) => element),
  ];
}

/** `.spec.containers[name="x"].image` */
function readable(path: FieldPath): string {
  return path.map((segment) => {
    if (segment.startsWith('f:')) return `.${segment.slice(2)}`;
    if (segment.startsWith('v:')) return `[=${segment.slice(2)}]`;
    return Object.entries(JSON.parse(segment.slice(2)) as object).map(([key, value]) => `[${key}=${JSON.stringify(value)}]`).join('');
  }).join('');
}
