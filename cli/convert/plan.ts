import { literal, nullsIn, usesOf, type Entry, type Expression, type ObjectExpression } from './expression';
import type { Item } from './item';
import { plannedMetadata } from './metadata';
import { Misfit } from './misfit';
import { isObject } from './read';
import type { Surroundings } from './references';
import { shown, typedSpec, type Movable } from './typed-value';
import type { FieldPath } from '../manifests';

/** A JSON patch that gives the object what its construct cannot say. */
export interface Patch {
  readonly operation: 'add' | 'replace' | 'remove';
  readonly path: string;
  /** Absent for `remove`. */
  readonly value?: Expression;
}

/** The construct that an object becomes. */
export interface Plan {
  readonly item: Item;
  readonly props: ObjectExpression;
  readonly patches: readonly Patch[];
  readonly movable: readonly Movable[];
  readonly uses: readonly Item[];
  readonly notes: readonly string[];
}

/** Works out the construct of an object. An object that its class cannot hold is refused, and becomes an ApiObject. */
export function planItem(item: Item, around: Surroundings): Plan {
  if (item.typed) {
    try {
      return planTyped(item, around);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      item.refused = error.at ? `${shown(error.at)} ${error.message}` : error.message;
    }
  }
  return planUntyped(item, around);
}

function planTyped(item: Item, around: Surroundings): Plan {
  const metadata = plannedMetadata(item, around);
  if (metadata.patches.length > 0) throw new Misfit('metadata has no name, or something that is not a text');
  const spec = typedSpec(item, around);
  const version = item.version!.name;
  const entries: Entry[] = [
    ...metadata.entries,
    ...(version === item.kindClass!.model.version.name ? [] : [{ key: 'apiVersion', value: literal(version), at: ['apiVersion'] }]),
    ...metadata.props,
    ...spec.entries,
    ...(Object.keys(spec.additional).length === 0 ? [] : [{ key: 'additionalSpec', value: literal(spec.additional, ['spec']) }]),
  ];
  const nulls = [...spec.nulls, ...nullsIn(spec.additional, ['spec'])];
  return plan(item, entries, [...metadata.patches, ...nulls.map(nullPatch)], spec.movable, spec.notes);
}

/** Its owner is mentioned all the same. */
function planUntyped(item: Item, around: Surroundings): Plan {
  const metadata = plannedMetadata(item);
  const { apiVersion, kind, metadata: _, ...rest } = item.object;
  const entries: Entry[] = [
    { key: 'apiVersion', value: literal(apiVersion), at: ['apiVersion'] },
    { key: 'kind', value: literal(kind), at: ['kind'] },
    ...metadata.entries,
    ...Object.entries(rest).flatMap(([key, value]) => (value === null ? [] : [{ key, value: key === 'spec' ? withOwner(literal(value, [key]), item, around) : literal(value, [key]), at: [key] }])),
  ];
  return plan(item, entries, [...metadata.patches, ...nullsIn(rest, []).map(nullPatch)], [], []);
}

function withOwner(spec: Expression, item: Item, around: Surroundings): Expression {
  const kind = item.version?.facts.owner;
  const owner = isObject(item.object.spec) && isObject(item.object.spec.owner) ? item.object.spec.owner : {};
  const target = typeof kind === 'object' && kind !== null && typeof owner.name === 'string' ? around.object(kind.group, kind.kind, owner.name) : undefined;
  return target ? replaced(spec, ['owner', 'name'], nameOf(target)) : spec;
}

function nameOf(item: Item): Expression {
  return { is: 'code', uses: [item], value: () => item.name, text: (names) => `${names.variable(item)}.name` };
}

function replaced(expression: Expression, [key, ...rest]: readonly string[], by: Expression): Expression {
  if (key === undefined || expression.is !== 'object') return by;
  return { ...expression, entries: expression.entries.map((entry) => (entry.key === key ? { ...entry, value: replaced(entry.value, rest, by) } : entry)) };
}

function plan(item: Item, entries: Entry[], patches: Patch[], movable: Movable[], notes: string[]): Plan {
  const props: ObjectExpression = { is: 'object', entries };
  return { item, props, patches, movable, uses: [...new Set(usesOf(props))], notes };
}

function nullPatch(path: FieldPath): Patch {
  return { operation: 'add', path: pointer(path), value: literal(null) };
}

/** RFC 6901. */
function pointer(path: FieldPath): string {
  return path.map((step) => `/${String(step).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
}
