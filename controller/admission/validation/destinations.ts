import { ExpressionError, type ExpressionEngine, type ExpressionOutput } from '../../../engine/export/cel';
import { configMapDestinations, expressions, printed, secretDestinations } from '../../../engine/export/destinations';
import type { Destination, DestinationExpression } from '../../../engine/export/types';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import type { KindVersion } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';

/** The names of the two kinds in messages. */
interface Store {
  readonly name: 'secret' | 'configmap';
  readonly value: string;
}

const SECRET: Store = { name: 'secret', value: 'secret' };
const CONFIG_MAP: Store = { name: 'configmap', value: 'configmap value' };

const MARKS = ['annotations', 'labels'] as const;
const WORDS = { annotations: 'annotation', labels: 'label' } as const;
const OUTPUTS: Readonly<Record<ExpressionOutput, string>> = { string: 'string', map: 'map[string]string' };

/**
 * Checks what an object exports to Secrets: two values for one place, and expressions that do not compile or have the wrong type
 * (docs/spec/webhooks.md#destinations).
 */
export function secretDestinationErrors(version: KindVersion, { spec }: KubernetesObject, engine: ExpressionEngine): string[] {
  return destinationErrors(
    version,
    SECRET,
    secretDestinations(version, spec).map(([, destination]) => destination),
    expressions(spec, 'secretExpressions'),
    engine,
  );
}

/** The same for ConfigMaps, independently of Secrets. */
export function configMapDestinationErrors(version: KindVersion, { spec }: KubernetesObject, engine: ExpressionEngine): string[] {
  return destinationErrors(
    version,
    CONFIG_MAP,
    configMapDestinations(version, spec).map(([, destination]) => destination),
    expressions(spec, 'configMapExpressions'),
    engine,
  );
}

function destinationErrors(
  version: KindVersion, store: Store, plain: readonly Destination[], computed: readonly DestinationExpression[], engine: ExpressionEngine,
): string[] {
  // An expression without a key returns its keys at run time only, so its collisions are unknown here.
  const keyed = [...plain, ...computed.filter(({ key }) => Boolean(key))];
  return [
    ...keyCollisions(store, keyed),
    ...MARKS.flatMap((mark) => markCollisions(store, mark, keyed)),
    ...computed.flatMap((expression) => expressionErrors(version, expression, engine)),
  ];
}

function keyCollisions({ value }: Store, destinations: readonly (Destination | DestinationExpression)[]): string[] {
  const taken = new Set<string>();
  return destinations.flatMap((destination) => {
    const place = JSON.stringify([destination.name, destination.key]);
    if (taken.has(place)) return [`cannot write more than one ${value} to destination ${printed(destination)}`];
    taken.add(place);
    return [];
  });
}

function markCollisions(
  { name: store }: Store,
  mark: 'annotations' | 'labels',
  destinations: readonly (Destination | DestinationExpression)[],
): string[] {
  const taken = new Set<string>();
  return destinations.flatMap(({ name, [mark]: marks }) => textsOf(marks).flatMap(([key]) => {
    const place = JSON.stringify([name, key]);
    if (taken.has(place)) return [`collision for ${WORDS[mark]} on ${store} "${name}": key "${key}" is set by multiple destinations`];
    taken.add(place);
    return [];
  }));
}

function expressionErrors(version: KindVersion, expression: DestinationExpression, engine: ExpressionEngine): string[] {
  return [
    ...unlessRefused(() => {
      const { output } = engine.compile(version, expression.value);
      if ((output === 'string') === Boolean(expression.key)) return [];
      const rule = output === 'string' ? 'must specify' : 'must not specify';
      return [`CEL expression with output type ${OUTPUTS[output]} ${rule} destination 'key', ${printed(expression)}`];
    }),
    ...MARKS.flatMap((mark) => textsOf(expression[mark]).flatMap(([key, text]) => {
      const where = `${WORDS[mark]} expression on ${printed(expression)}: `;
      return unlessRefused(() => {
        const { output } = engine.compile(version, text);
        return output === 'string' ? [] : [`expression for key "${key}" must return a string, got map(string, string)`];
      }).map((error) => where + error);
    })),
  ];
}

/** The texts of a map; the schema checks other values. */
function textsOf(marks: Readonly<Record<string, unknown>> | undefined): [string, string][] {
  return isRecord(marks) ? Object.entries(marks).filter((entry): entry is [string, string] => typeof entry[1] === 'string') : [];
}

function unlessRefused(act: () => string[]): string[] {
  try {
    return act();
  } catch (error) {
    if (error instanceof ExpressionError) return [error.message];
    throw error;
  }
}
