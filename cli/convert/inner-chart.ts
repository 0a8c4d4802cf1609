import { ApiObject, Chart, DependencyGraph } from 'cdk8s';
import { replaceAt, type Code, type Expression, type Run } from './expression';
import { Item, type InnerPlace } from './item';
import { valueAt, type SourceObject } from './read';
import type { FieldPath } from '../../src/catalog/validate-spec';
import { isRecord } from '../../src/util/records';

/**
 * The objects in another one, which become constructs of a chart of their own; undefined where something else stands at the place.
 * @param itemOf the object as an item
 */
export function innerPlace(holder: Item, path: readonly string[], itemOf: (source: SourceObject) => Item): InnerPlace | undefined {
  const found = valueAt(holder.object, path);
  const isList = Array.isArray(found);
  const objects: unknown[] = isList ? found : [found];
  if (objects.length === 0 || !objects.every(isObject)) return undefined;
  const { file, line, comments, isPlain } = holder.source;
  const items = objects.map((object, index) => {
    const prefix: FieldPath = isList ? [...path, index] : path;
    return itemOf({ file, line, object, comments: comments.inside(prefix), isPlain: (at) => isPlain?.([...prefix, ...at]) });
  });
  // Without a class for any of them, the object is better off as it is.
  if (!items.some(({ typed }) => typed)) return undefined;
  const place: InnerPlace = { holder, path, isList, items };
  for (const item of items) item.inside = place;
  return place;
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
