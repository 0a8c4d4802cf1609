import type { Destination, DestinationExpression } from './types';
import type { KindVersion } from '../../src/catalog';
import { isRecord } from '../../src/util/records';

type Spec = Readonly<Record<string, unknown>> | undefined;

/** Configured `operatorSpec.secrets`, by property name; without names that the kind does not have. */
export function secretDestinations(version: KindVersion, spec: Spec): [name: string, destination: Destination][] {
  return destinations(operatorSpec(spec).secrets, version.facts.exports?.secrets ?? []);
}

/** Configured `operatorSpec.configMaps`, by property name. */
export function configMapDestinations(version: KindVersion, spec: Spec): [name: string, destination: Destination][] {
  const { configMaps = {}, configMapsProperty = 'configMaps' } = version.facts.exports ?? {};
  return destinations(operatorSpec(spec)[configMapsProperty], Object.keys(configMaps));
}

export function expressions(spec: Spec, property: 'secretExpressions' | 'configMapExpressions'): DestinationExpression[] {
  const list = operatorSpec(spec)[property];
  return Array.isArray(list) ? list.filter(isExpression).map((expression) => withTextMarks(withTextKey(expression))) : [];
}

/** The texts of all expressions, including those of labels and annotations. */
export function expressionTexts(spec: Spec): string[] {
  return (['secretExpressions', 'configMapExpressions'] as const).flatMap((property) =>
    expressions(spec, property)
      .flatMap(({ value, labels = {}, annotations = {} }) => [value, ...Object.values(labels), ...Object.values(annotations)]));
}

/** `Name: "<n>", Key: "<k>"`, followed by the expression if there is one. */
export function printed({ name, key, value }: { readonly name: string; readonly key?: string; readonly value?: string }): string {
  return `Name: "${name}", Key: "${key ?? ''}"${value === undefined ? '' : `, Value: "${value}"`}`;
}

function destinations(found: unknown, names: readonly string[]): [string, Destination][] {
  if (!isRecord(found)) return [];
  return [...names].sort().flatMap((name): [string, Destination][] => {
    const destination = Object.hasOwn(found, name) ? found[name] : undefined;
    return isDestination(destination) ? [[name, withTextMarks(destination)]] : [];
  });
}

function operatorSpec(spec: Spec): Record<string, unknown> {
  return isRecord(spec?.operatorSpec) ? spec.operatorSpec : {};
}

function isDestination(value: unknown): value is Destination {
  return isRecord(value) && typeof value.name === 'string' && typeof value.key === 'string';
}

function isExpression(value: unknown): value is DestinationExpression {
  return isRecord(value) && typeof value.name === 'string' && typeof value.value === 'string';
}

/** Replaces a key that is not a string by its JSON: YAML reads `y` as true, and without this the expression would be skipped silently. */
function withTextKey(expression: DestinationExpression): DestinationExpression {
  const key: unknown = expression.key;
  return key === undefined || typeof key === 'string' ? expression : { ...expression, key: JSON.stringify(key) };
}

/** Drops labels and annotations that are not strings: an API server without a schema accepts them. */
function withTextMarks<T extends Pick<Destination, 'labels' | 'annotations'>>({ labels, annotations, ...rest }: T): T {
  return {
    ...rest,
    ...(labels === undefined ? {} : { labels: textsIn(labels) }),
    ...(annotations === undefined ? {} : { annotations: textsIn(annotations) }),
  } as T;
}

function textsIn(marks: unknown): Record<string, string> {
  return isRecord(marks)
    ? Object.fromEntries(Object.entries(marks).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    : {};
}
