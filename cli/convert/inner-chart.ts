import { ApiObject, Chart, DependencyGraph } from 'cdk8s';
import { replaceAt, type Code, type Expression, type Run } from './expression';
import { Item, type InnerPlace } from './item';
import { valueAt, type SourceObject } from './read';
import type { FieldPath } from '../../src/catalog/validate-spec';
import { isRecord } from '../../src/util/records';
import { counted, firstOf, plural } from '../../src/util/words';

const MAX_NAMED = 5;

/**
 * The places in an object whose objects become constructs of charts of their own.
 * @param itemOf an object in it as an item
 */
export function innerPlaces(holder: Item, itemOf: (source: SourceObject) => Item): InnerPlace[] {
  const paths = new Map<string, readonly string[]>();
  for (const { path, isAzure, isApplied } of holder.source.inside ?? []) {
    const place = typeof path.at(-1) === 'number' ? path.slice(0, -1) : path;
    if (isAzure && isApplied && place.length > 0 && place.every((step) => typeof step === 'string')) paths.set(place.join('\u0000'), place);
  }
  return [...paths.values()].flatMap((path) => innerPlace(holder, path, itemOf) ?? []);
}

/** The objects at a place; undefined where something else stands there, or no class is for any of them. */
function innerPlace(holder: Item, path: readonly string[], itemOf: (source: SourceObject) => Item): InnerPlace | undefined {
  const found = valueAt(holder.object, path);
  const isList = Array.isArray(found);
  const objects: unknown[] = isList ? found : [found];
  if (objects.length === 0 || !objects.every(isObject)) return undefined;
  const { file, line, comments, isPlain } = holder.source;
  const items = objects.map((object, index) => {
    const prefix: FieldPath = isList ? [...path, index] : path;
    return itemOf({ file, line, object, comments: comments.inside(prefix), isPlain: (at) => isPlain?.([...prefix, ...at]) });
  });
  if (!items.some(({ typed }) => typed)) return undefined;
  const place: InnerPlace = { holder, path, isList, items };
  for (const item of items) item.inside = place;
  return place;
}

/** A note about the Azure objects in an object that are no constructs. */
export function closedNote({ source: { inside = [] }, openPlaces }: Item): string | undefined {
  const isOpen = (at: FieldPath) => openPlaces.some(({ path }) => path.every((step, index) => at[index] === step));
  const closed = inside.filter(({ path, isAzure }) => isAzure && !isOpen(path));
  if (closed.length === 0) return undefined;
  const kinds = firstOf([...new Set(closed.map(({ kind }) => kind))], MAX_NAMED);
  const why = closed.some(({ isApplied }) => !isApplied) ? '; it is a template of another tool' : '';
  return `holds ${counted(closed.length, 'Azure object')} (${kinds}), which ${plural(closed.length, 'stays', 'stay')} as written${why}`;
}

/** An object with the charts of the objects in it in their places. */
export function withInnerCharts(value: Expression, key: string, holder: Item): Expression {
  const own = holder.openPlaces.filter(({ path: [first] }) => first === key);
  return own.reduce<Expression>((whole, place) => replaceAt(whole, place.path.slice(1), chartJson(place)), value);
}

function chartJson(place: InnerPlace): Code {
  return {
    is: 'code',
    uses: place.items,
    text: (names) => `${names.innerChart(place)}.toJson()${place.isList ? '' : '[0]'}`,
    value: (run) => jsonOf(place, run),
  };
}

/** The answer of `toJson()` of the chart: the objects in the order of their references. */
function jsonOf({ items, isList }: InnerPlace, { built }: Run): unknown {
  const first = built.get(items[0]!);
  const constructs = first ? new DependencyGraph(Chart.of(first).node).topology() : [];
  const objects = constructs.filter((one): one is ApiObject => ApiObject.isApiObject(one)).map((object) => object.toJson() as unknown);
  return isList ? objects : objects[0];
}

function isObject(value: unknown): value is SourceObject['object'] {
  return isRecord(value) && typeof value.apiVersion === 'string' && typeof value.kind === 'string' && isRecord(value.metadata);
}
