import { credentialProps, isDefaultMetadata } from './credential-props';
import { exactly, literal, nullsIn, replaceAt, usesOf, type Entry, type Expression, type ObjectExpression } from './expression';
import { withInnerCharts } from './inner-chart';
import type { Item } from './item';
import { metadataPatch, plannedMetadata } from './metadata';
import { Misfit } from './misfit';
import type { Patch } from './patch';
import { valueAt } from './read';
import { nameText, type Surroundings } from './references';
import { formatPath, typedSpec, type Movable } from './typed-value';
import type { FieldPath } from '../../src/catalog/validate-spec';
import { pointerOf } from '../../src/util/json-pointer';

/** The construct that an object becomes. */
export interface Plan {
  readonly item: Item;
  readonly props: ObjectExpression;
  readonly patches: readonly Patch[];
  readonly movable: readonly Movable[];
  readonly uses: readonly Item[];
  readonly notes: readonly string[];
}

/** Plans the construct of an object. An object that its class cannot hold is refused and becomes an ApiObject. */
export function planItem(item: Item, around: Surroundings): Plan {
  if (item.typed) {
    try {
      return planTyped(item, around);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      item.refuse(error.at ? `${formatPath(error.at)} ${error.message}` : error.message);
    }
  }
  if (item.isCredential) return planCredential(item);
  return item.patched ? planPatched(item) : planUntyped(item, around);
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
    ...(Object.keys(spec.additional).length === 0 ? [] : [{ key: 'additionalSpec', value: literal(spec.additional, ['spec'], item.texts) }]),
  ];
  const nulls = [...spec.nulls, ...nullsIn(spec.additional, ['spec'])].filter((path) => hasKnownKeys(path, item));
  return plan(item, entries, [...metadata.patches, ...nulls.map(nullPatch)], spec.movable, spec.notes);
}

function planCredential(item: Item): Plan {
  const metadata = plannedMetadata(item);
  return plan(item, [...(isDefaultMetadata(item) ? [] : metadata.entries), ...credentialProps(item)!], metadata.patches, [], []);
}

/** Sets everything by patch: cdk8s does not render an object with a key such as `constructor`. */
function planPatched(item: Item): Plan {
  const { apiVersion, kind, metadata, ...rest } = item.object;
  const entries: Entry[] = [
    { key: 'apiVersion', value: literal(apiVersion, ['apiVersion'], item.texts) },
    { key: 'kind', value: literal(kind, ['kind'], item.texts) },
  ];
  const patches = Object.entries(rest).map(([key, value]): Patch => ({
    operation: 'add',
    path: pointerOf([key]),
    value: exactly(value, [key], item.texts),
  }));
  return plan(item, entries, [metadataPatch(metadata, item.texts), ...patches], [], []);
}

/** Plans an ApiObject; the reference to its owner stays. */
function planUntyped(item: Item, around: Surroundings): Plan {
  const metadata = plannedMetadata(item);
  const { apiVersion, kind, metadata: _, ...rest } = item.object;
  const entries: Entry[] = [
    { key: 'apiVersion', value: literal(apiVersion, ['apiVersion'], item.texts), at: ['apiVersion'] },
    { key: 'kind', value: literal(kind, ['kind'], item.texts), at: ['kind'] },
    ...metadata.entries,
    ...Object.entries(rest).filter(([, value]) => value !== null).map(([key, value]) => {
      const expression = literal(value, [key], item.texts);
      const withInner = withInnerCharts(expression, key, item);
      return { key, value: key === 'spec' ? withOwner(withInner, item, around) : withInner, at: [key] };
    }),
  ];
  const nulls = nullsIn(rest, []).filter((path) => hasKnownKeys(path, item) && !isInInnerChart(path, item));
  return plan(item, entries, [...metadata.patches, ...nulls.map(nullPatch)], [], []);
}

function withOwner(spec: Expression, item: Item, around: Surroundings): Expression {
  const kind = item.version?.facts.owner;
  const name = valueAt(item.object, ['spec', 'owner', 'name']);
  if (typeof kind !== 'object' || kind === null || typeof name !== 'string') return spec;
  const target = around.object(kind.group, kind.kind, name);
  return target ? replaceAt(spec, ['owner', 'name'], nameOf(target)) : spec;
}

function nameOf(item: Item): Expression {
  return { is: 'code', uses: [item], value: (run) => item.texts.of(item.name!).text(run), text: (names) => nameText(item, item.texts.of(item.name!), names) };
}

function plan(item: Item, entries: Entry[], patches: Patch[], movable: Movable[], notes: string[]): Plan {
  const props: ObjectExpression = { is: 'object', entries };
  return { item, props, patches, movable, uses: [...new Set(usesOf(props))], notes };
}

/** Whether a path is known to JSON patches; a null is left out below a key with parameters. */
function hasKnownKeys(path: FieldPath, { texts }: Item): boolean {
  return path.every((step) => typeof step === 'number' || texts.keyCode(step, path) === undefined);
}

function isInInnerChart(at: FieldPath, { openPlaces }: Item): boolean {
  return openPlaces.some(({ path }) => path.every((step, index) => at[index] === step));
}

function nullPatch(path: FieldPath): Patch {
  return { operation: 'add', path: pointerOf(path), value: literal(null) };
}
