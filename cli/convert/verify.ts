import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import { evaluate, type ObjectExpression } from './expression';
import type { Item } from './item';
import type { Patch } from './patch';
import type { Plan } from './plan';
import type { FieldPath } from '../../src/catalog/validate-spec';
import { Defaults, type DefaultValues } from '../../src/core/aspects/defaults';
import { AzureResource } from '../../src/core/azure-resource';
import type { AzureKindFacts, AzureResourceProps } from '../../src/core/azure-resource-props';
import { AsoCredential, type AsoCredentialProps } from '../../src/core/credentials/aso-credential';
import { DefaultAzureName } from '../../src/core/default-azure-name';
import { isEmptyObject, isRecord } from '../../src/util/records';

/** The fault of the construct planned for an object. */
export interface Failure {
  readonly item: Item;
  /** Core's messages: the construct cannot be created or synthesized. */
  readonly problems: string[];
  /** The path at which the rendered manifest differs. */
  readonly difference?: FieldPath;
}

/** Values that the objects of a chart have in common. */
export interface SharedValuesOfChart {
  /** The argument of `Defaults.of(chart).use`. */
  readonly defaults: ObjectExpression | undefined;
  readonly leavesNamesOut: boolean;
}

/** By namespace. */
export type SharedValues = ReadonlyMap<string | undefined, SharedValuesOfChart>;

/** Stands for every generated class: the classes differ only in their types. */
class Rebuilt extends AzureResource {
  public constructor(scope: Construct, id: string, facts: AzureKindFacts, props: AzureResourceProps) {
    super(scope, id, facts, props);
  }
}

/**
 * Builds the constructs of the code in its order, and compares the rendered manifests with the source. Empty when the chart passes all
 * checks and every manifest is unchanged.
 */
export function verify(plans: readonly Plan[], shared: SharedValues = new Map()): Failure[] {
  const app = new App();
  // A chart with values in common has objects from which an azureName was taken, because core gives them the same.
  if (shared.size === 0) DefaultAzureName.leaveOut(app);
  const charts = new Map<string | undefined, Chart>();
  const built = new Map<Item, ApiObject>();
  const failures = new Map<Item, string[]>();
  plans.forEach((plan) => {
    const { namespace } = plan.item;
    const chart =
      charts.get(namespace)
      ?? (namespace === undefined ? new Chart(app, 'no-namespace') : new Chart(app, `namespace-${namespace}`, { namespace }));
    if (!charts.has(namespace)) share(chart, shared.get(namespace));
    charts.set(namespace, chart);
    // Core's messages name constructs by path, so the id identifies the object.
    const name = `${plan.item.kind} ${plan.item.name ?? ''}`.replace(/\//g, '-');
    const id = chart.node.tryFindChild(name) ? `${name} (${chart.node.children.length})` : name;
    try {
      built.set(plan.item, build(plan, chart, id, built));
    } catch (error) {
      failures.set(plan.item, [(error as Error).message]);
    }
  });
  app.node.validate(); // the root has the checks between resources
  for (const [item, object] of built) {
    const problems = object.node.validate();
    if (problems.length > 0) failures.set(item, problems.map((problem) => problem.slice(problem.indexOf(' ') + 1)));
  }
  if (failures.size > 0) return [...failures].map(([item, problems]) => ({ item, problems }));
  return [...built].flatMap(([item, object]) => {
    try {
      const path = difference(item.object, object.toJson(), []);
      return path ? [{ item, problems: [], difference: path }] : [];
    } catch (error) {
      return [{ item, problems: [(error as Error).message.replace(/^.*?: Error: /, '')] }];
    }
  });
}

function share(chart: Chart, values: SharedValuesOfChart | undefined): void {
  if (!values) return;
  if (values.leavesNamesOut) DefaultAzureName.leaveOut(chart);
  if (values.defaults) Defaults.of(chart).use(evaluate(values.defaults, new Map()) as DefaultValues);
}

function build({ item, props, patches }: Plan, chart: Chart, id: string, built: ReadonlyMap<Item, ApiObject>): ApiObject {
  const values = evaluate(props, built) as Record<string, unknown>;
  if (item.isCredential) return new AsoCredential(chart, id, values as unknown as AsoCredentialProps).secret;
  const object = item.typed
    ? new Rebuilt(chart, id, { group: item.group, kind: item.kind, version: item.kindClass!.model.version.name }, values)
    : new ApiObject(chart, id, values as unknown as ConstructorParameters<typeof ApiObject>[2]);
  for (const patch of patches) object.addJsonPatch(jsonPatch(patch));
  return object;
}

function jsonPatch({ operation, path, value }: Patch): JsonPatch {
  if (operation === 'remove' || !value) return JsonPatch.remove(path);
  const to: unknown = evaluate(value, new Map());
  return operation === 'add' ? JsonPatch.add(path, to) : JsonPatch.replace(path, to);
}

/**
 * The first path at which two manifests differ, or undefined. To Kubernetes an absent field equals null, and absent labels equal empty
 * ones.
 */
export function difference(wanted: unknown, got: unknown, path: FieldPath): FieldPath | undefined {
  if (isRecord(wanted) && isRecord(got)) {
    const inMetadata = path[0] === 'metadata' && path.length === 1;
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
      const [a, b] = [present(wanted, key, inMetadata), present(got, key, inMetadata)];
      const found = difference(a, b, [...path, key]);
      if (found) return found;
    }
    return undefined;
  }
  if (Array.isArray(wanted) && Array.isArray(got)) {
    for (let i = 0; i < Math.max(wanted.length, got.length); i++) {
      const found = difference(wanted[i], got[i], [...path, i]);
      if (found) return found;
    }
    return undefined;
  }
  return (wanted ?? undefined) === (got ?? undefined) ? undefined : path;
}

function present(object: Record<string, unknown>, key: string, inMetadata: boolean): unknown {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return inMetadata && isEmptyObject(value) ? undefined : value;
}
