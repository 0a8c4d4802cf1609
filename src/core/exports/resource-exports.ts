import { createHash } from 'node:crypto';
import { templateExpression } from './template';
import { propertyNameOf } from '../../catalog/property-names';
import { ownValue } from '../../util/elements';
import { suggestion } from '../../util/nearest';
import { CelExpression } from '../cel/cel-expression';
import { expressionCheck } from '../cel/expression-check';
import type { ConfigMapDestination } from '../destinations';
import { Output } from '../output';
import type { ResourceInternals } from '../resource-internals';
import type { Conversion } from '../schema/conversion';
import { KindSchema } from '../schema/kind-schema';
import { SecretOutput } from '../secret-value';
import type { ChosenVersion } from '../versions/chosen-version';
import { firstReleaseThat } from '../versions/first-release';

type Store = 'ConfigMap' | 'Secret';
/** The properties common to ConfigMap and Secret destinations. */
type DestinationLike = Pick<ConfigMapDestination, 'name' | 'key'>;

const WORDS = {
  ConfigMap: { what: 'output', suffix: 'outputs', expressions: 'configMapExpressions' },
  Secret: { what: 'secret output', suffix: 'secrets', expressions: 'secretExpressions' },
} as const;

/** The values that a resource exports on request: the operator's own exports, outputs of the catalog, formatted texts. */
export class ResourceExports {
  private readonly outputs = new Map<string, Output>();
  private readonly secrets = new Map<string, SecretOutput>();
  /** Key → the expression of the exported text. */
  private readonly expressions = { ConfigMap: new Map<string, CelExpression>(), Secret: new Map<string, CelExpression>() };

  public constructor(private readonly resource: ResourceInternals, private readonly chosen: ChosenVersion) {}

  /** @throws when the kind has no such output */
  public output(name: string): Output {
    return this.known(this.outputs, name, 'ConfigMap', Output._of);
  }

  /** @throws when the kind has no such secret */
  public secretOutput(name: string): SecretOutput {
    return this.known(this.secrets, name, 'Secret', SecretOutput._of);
  }

  /** An export of a text with values of the resource. */
  public text(store: Store, parts: readonly (string | CelExpression)[]): Output | SecretOutput {
    if (this.schema.exports.expressions !== true) {
      throw new Error(`[${this.resource.node.path}] ${this.resource.kind} exports no expressions in version ${this.schema.version.name}. Give a container the values as variables, and put the text together there.`);
    }
    const expression = CelExpression._together(parts);
    const name = `text-${createHash('sha256').update(expression.text).digest('hex').slice(0, 8)}`;
    return store === 'ConfigMap'
      ? this.made(this.outputs, name, store, Output._of, expression)
      : this.made(this.secrets, name, store, SecretOutput._of, expression);
  }

  /** Whether a secret has been asked for. */
  public get hasSecrets(): boolean {
    return this.secrets.size > 0;
  }

  /** Adds the destinations to the spec. */
  public addTo(spec: Record<string, unknown>, run: Conversion): void {
    const operatorSpec = { ...(spec.operatorSpec as Record<string, unknown> | undefined) };
    this.addDestinations(operatorSpec, 'ConfigMap', this.outputs, run);
    this.addDestinations(operatorSpec, 'Secret', this.secrets, run);
    spec.operatorSpec = operatorSpec;
  }

  private get schema(): KindSchema {
    return KindSchema.of(this.chosen.facts);
  }

  private propertyOf(store: Store): string {
    return store === 'Secret' ? 'secrets' : (this.schema.exports.configMapsProperty ?? 'configMaps');
  }

  private known<T>(
    found: Map<string, T>, name: string, store: Store,
    make: (producer: ResourceInternals, name: string, destination: string, key: string, expression: () => CelExpression | undefined) => T,
  ): T {
    const before = found.get(name);
    if (before) return before;
    const { schema } = this;
    if (exportNames(schema, store).includes(name)) return this.made(found, name, store, make);
    const template = ownValue(schema.namedOutputs(store), name)?.value;
    if (template === undefined) throw this.unknown(name, store);
    const expression = templateExpression(template);
    const problem = expressionCheck(schema.version)(expression.text);
    if (problem !== undefined) throw new Error(`[${this.resource.node.path}] ${this.resource.kind} has no ${WORDS[store].what} '${name}' in version ${schema.version.name}: ${problem}.`);
    return this.made(found, name, store, make, expression);
  }

  private made<T>(
    found: Map<string, T>, name: string, store: Store,
    make: (producer: ResourceInternals, name: string, destination: string, key: string, expression: () => CelExpression | undefined) => T,
    expression?: CelExpression,
  ): T {
    const before = found.get(name);
    if (before) return before;
    const own = expression ? undefined : this.destinationOf(this.propertyOf(store), name);
    const key = own?.key ?? name;
    const value = make(this.resource, name, own?.name ?? `${this.resource.name}-${WORDS[store].suffix}`, key, () => expression ?? this.expressionOf(name, store));
    if (expression) this.expressions[store].set(name, expression);
    found.set(name, value);
    this.resource._invalidate();
    return value;
  }

  /** The expression of a value that the operator exports by name. */
  private expressionOf(name: string, store: Store): CelExpression | undefined {
    if (store === 'Secret') return CelExpression.secret(name);
    const path = this.schema.exports.configMaps?.[name];
    return typeof path === 'string' ? CelExpression.status(path) : undefined;
  }

  private unknown(name: string, store: Store): Error {
    const { what } = WORDS[store];
    const { kind, node } = this.resource;
    const names = allNames(this.schema, store);
    const others = names.length > 0 ? `It has: ${names.join(', ')}.` : 'It has none; operatorSpec.configMapExpressions may give what you need.';
    const why = firstReleaseThat(this.chosen, (schema) => allNames(schema, store).includes(name)) ?? `${suggestion(name, names)} ${others}`.trim();
    return new Error(`[${node.path}] ${kind} has no ${what} '${name}'. ${why}`);
  }

  /** The destination that the user wrote for an export. */
  private destinationOf(property: string, name: string): DestinationLike | undefined {
    const { operatorSpec } = this.resource._given as { operatorSpec?: Record<string, Record<string, DestinationLike> | undefined> };
    return operatorSpec?.[propertyNameOf(property, false)]?.[propertyNameOf(name, false)];
  }

  private addDestinations(
    operatorSpec: Record<string, unknown>, store: Store, exported: Map<string, Output | SecretOutput>, run: Conversion,
  ): void {
    if (exported.size === 0) return;
    const property = this.propertyOf(store);
    const list = WORDS[store].expressions;
    const destinations = { ...(operatorSpec[property] as Record<string, unknown> | undefined) };
    const expressions = [...((operatorSpec[list] as unknown[] | undefined) ?? [])];
    for (const [name, value] of exported) {
      if (destinations[name] !== undefined) continue;
      const to = { store, name: value instanceof Output ? value.configMapName : value.secretName };
      const expression = this.expressions[store].get(name);
      const path = expression ? `operatorSpec.${list}[${expressions.length}]` : `operatorSpec.${property}.${name}`;
      if (expression) expressions.push({ name: to.name, key: value.key, value: expression.text });
      else destinations[name] = { name: to.name, key: value.key };
      run.destinations.push({ ...to, path, key: value.key, annotations: [], labels: [] });
    }
    if (Object.keys(destinations).length > 0) operatorSpec[property] = destinations;
    if (expressions.length > 0) operatorSpec[list] = expressions;
  }
}

/** Names of the values that the operator exports. */
function exportNames({ exports }: KindSchema, store: Store): readonly string[] {
  return store === 'Secret' ? (exports.secrets ?? []) : Object.keys(exports.configMaps ?? {});
}

function allNames(schema: KindSchema, store: Store): string[] {
  const named = Object.entries(schema.namedOutputs(store)).filter(([, { value }]) => value !== undefined);
  return [...exportNames(schema, store), ...named.map(([name]) => name)];
}
