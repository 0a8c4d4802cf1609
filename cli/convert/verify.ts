import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import { evaluate } from './expression';
import type { Item } from './item';
import type { Patch } from './patch';
import type { Plan } from './plan';
import { AzureResource } from '../../src/core/azure-resource';
import type { AzureKindFacts, AzureResourceProps } from '../../src/core/azure-resource-props';
import { AsoCredential, type AsoCredentialProps } from '../../src/core/credentials/aso-credential';
import { DefaultAzureName } from '../../src/core/default-azure-name';
import { isEmptyObject, isRecord } from '../../src/util/records';
import type { FieldPath } from '../manifests/manifests';

/** What is wrong with the construct that an object is to become. */
export interface Failure {
  readonly item: Item;
  /** In core's words: what stands there refuses to be made or to be synthesized. */
  readonly problems: string[];
  /** Where the manifest would be another one. */
  readonly difference?: FieldPath;
}

/** Stands for every generated class: they differ in their types only. */
class Rebuilt extends AzureResource {
  public constructor(scope: Construct, id: string, facts: AzureKindFacts, props: AzureResourceProps) {
    super(scope, id, facts, props);
  }
}

/**
 * Builds what the code will build, in its order, and compares what comes out with what was read. Empty when the chart passes
 * all checks and every manifest is the one that was read.
 */
export function verify(plans: readonly Plan[]): Failure[] {
  const app = new App();
  DefaultAzureName.leaveOut(app);
  const charts = new Map<string | undefined, Chart>();
  const built = new Map<Item, ApiObject>();
  const failures = new Map<Item, string[]>();
  plans.forEach((plan) => {
    const { namespace } = plan.item;
    const chart = charts.get(namespace) ?? new Chart(app, namespace === undefined ? 'no-namespace' : `namespace-${namespace}`, { namespace });
    charts.set(namespace, chart);
    // Messages name constructs by their path: let it tell which object is meant.
    const name = `${plan.item.kind} ${plan.item.name ?? ''}`.replace(/\//g, '-');
    const id = chart.node.tryFindChild(name) ? `${name} (${chart.node.children.length})` : name;
    try {
      built.set(plan.item, build(plan, chart, id, built));
    } catch (error) {
      failures.set(plan.item, [(error as Error).message]);
    }
  });
  app.node.validate(); // the checks between resources hang on the root
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
 * The first place where two manifests differ, or undefined. An absent field and a null are the same to Kubernetes, as are absent and
 * empty labels and the like.
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
