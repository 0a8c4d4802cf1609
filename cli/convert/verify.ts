import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import { evaluate, NO_RUN, type ObjectExpression, type Run } from './expression';
import type { InnerPlace, Item } from './item';
import { isMessageAt, messagePlace } from './parameters/message-place';
import type { Parameter } from './parameters/parameter';
import { SAMPLES } from './parameters/samples';
import type { Patch } from './patch';
import type { Plan } from './plan';
import type { FieldPath } from '../../src/catalog/validate-spec';
import { Defaults, type DefaultValues } from '../../src/core/aspects/defaults';
import { AzureResource } from '../../src/core/azure-resource';
import type { AzureKindFacts, AzureResourceProps } from '../../src/core/azure-resource-props';
import { AsoCredential, type AsoCredentialProps } from '../../src/core/credentials/aso-credential';
import { DefaultAzureName } from '../../src/core/default-azure-name';
import { isEmptyObject, isRecord, isText } from '../../src/util/records';

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
 * checks and every manifest is unchanged. With parameters, the chart is built with several values for each, and compared with the source in
 * which these are filled in; a check that fails because of such a value says nothing about the code.
 */
export function verify(
  plans: readonly Plan[], shared: SharedValues = new Map(), parameters: readonly Parameter[] = [],
): Failure[] {
  const samples = parameters.length === 0 ? [0] : SAMPLES;
  const trials = samples.map((sample) => new Trial(plans, shared, (parameter) => parameter.sample(sample)));
  const problems = certainProblems(trials, parameters);
  if (problems.length > 0) return problems;
  const differences = new Map(trials.flatMap((trial) => trial.differences()).reverse().map((failure) => [failure.item, failure]));
  return plans.flatMap(({ item }) => differences.get(item) ?? []);
}

/** The charts, built with one value for each parameter. */
class Trial {
  /** Core's messages, by object. */
  public readonly problems = new Map<Item, string[]>();
  /** Construct ids, by which core's messages name objects. */
  public readonly ids = new Map<Item, string>();
  public readonly run: Run;
  private readonly built = new Map<Item, ApiObject>();

  public constructor(plans: readonly Plan[], shared: SharedValues, valueOf: Run['valueOf']) {
    this.run = { built: this.built, valueOf };
    const app = new App();
    const inside = new App();
    const innerCharts = new Map<InnerPlace, Chart>();
    const names = new Set<string>();
    // A chart with values in common has objects from which an azureName was taken, because core gives them the same.
    for (const one of shared.size === 0 ? [app, inside] : [inside]) DefaultAzureName.leaveOut(one);
    const charts = new Map<string | undefined, Chart>();
    for (const plan of plans) {
      const { namespace, texts } = plan.item;
      const filled = namespace === undefined ? undefined : texts.of(namespace).text(this.run);
      const chart = charts.get(namespace) ?? chartOf(app, namespace, filled);
      if (!charts.has(namespace)) share(chart, shared.get(namespace));
      charts.set(namespace, chart);
      const name = `${plan.item.kind} ${plan.item.name ?? ''}`.replace(/\//g, '-');
      const id = names.has(name) ? `${name} (${this.ids.size})` : name;
      this.ids.set(plan.item, id);
      names.add(id);
      try {
        const place = plan.item.inside;
        const inner = place && (innerCharts.get(place) ?? new Chart(inside, `chart ${innerCharts.size}`));
        if (place && inner) innerCharts.set(place, inner);
        this.built.set(plan.item, build(plan, inner ?? chart, id, this.run));
      } catch (error) {
        this.problems.set(plan.item, [(error as Error).message]);
      }
    }
    // The roots have the checks between resources.
    app.node.validate();
    inside.node.validate();
    for (const [item, object] of this.built) {
      const problems = object.node.validate();
      if (problems.length > 0) this.problems.set(item, problems.map((problem) => problem.slice(problem.indexOf(' ') + 1)));
    }
  }

  /** Whether the construct of an object could not be created. */
  public lacks(item: Item): boolean {
    return !this.built.has(item);
  }

  /** The objects that come out otherwise than they stand in the files. */
  public differences(): Failure[] {
    return [...this.built].flatMap(([item, object]) => {
      try {
        // A value that a check refuses is left out.
        const refused = this.problems.get(item)?.filter((problem) => item.texts.hasPlaceAt(problem)) ?? [];
        const isRefused = (at: FieldPath) => refused.length > 0 && refused.some((problem) => isMessageAt(problem, messagePlace(at)));
        const path = difference(item.texts.filled(item.object, this.run), object.toJson(), [], isRefused);
        return path ? [{ item, problems: [], difference: path }] : [];
      } catch (error) {
        return [{ item, problems: [(error as Error).message.replace(/^.*?: Error: /, '')] }];
      }
    });
  }
}

/** The problems that do not come from the values that the trials chose for the parameters. */
function certainProblems([trial, ...others]: readonly Trial[], parameters: readonly Parameter[]): Failure[] {
  if (!trial) return [];
  const neutral = withoutSamples([trial, ...others], parameters);
  const elsewhere = others.map(({ problems }) => new Map(Array.from(problems, ([item, all]) => [item, new Set(all.map(neutral))])));
  const isCertain = (item: Item, problem: string): boolean => {
    if (others.length === 0) return true;
    const neutralProblem = neutral(problem);
    if (!elsewhere.every((other) => other.get(item)?.has(neutralProblem))) return false;
    if (trial.lacks(item)) return true;
    const isAboutSample = neutralProblem !== problem || item.texts.hasPlaceAt(problem);
    return !isAboutSample || [...trial.ids].some(([one, id]) => one !== item && problem.includes(id));
  };
  return [...trial.problems].flatMap(([item, all]) => {
    const problems = all.filter((problem) => isCertain(item, problem));
    return problems.length > 0 ? [{ item, problems }] : [];
  });
}

/** Messages without the values that the trials chose. */
function withoutSamples(trials: readonly Trial[], parameters: readonly Parameter[]): (problem: string) => string {
  const texts = new Set(trials.flatMap(({ run }) => parameters.map((parameter) => run.valueOf(parameter)).filter(isText)));
  if (texts.size === 0) return (problem) => problem;
  const longestFirst = [...texts].sort((a, b) => b.length - a.length).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const any = new RegExp(longestFirst.join('|'), 'g');
  return (problem) => problem.replace(any, '?');
}

function chartOf(app: App, namespace: string | undefined, filled: string | undefined): Chart {
  if (namespace === undefined) return new Chart(app, 'no-namespace');
  return new Chart(app, `namespace-${namespace.replace(/\//g, '-')}`, { namespace: filled! });
}

function share(chart: Chart, values: SharedValuesOfChart | undefined): void {
  if (!values) return;
  if (values.leavesNamesOut) DefaultAzureName.leaveOut(chart);
  if (values.defaults) Defaults.of(chart).use(evaluate(values.defaults, NO_RUN) as DefaultValues);
}

function build({ item, props, patches }: Plan, chart: Chart, id: string, run: Run): ApiObject {
  const values = evaluate(props, run) as Record<string, unknown>;
  if (item.isCredential) return new AsoCredential(chart, id, values as unknown as AsoCredentialProps).secret;
  const object = item.typed
    ? new Rebuilt(chart, id, { group: item.group, kind: item.kind, version: item.kindClass!.model.version.name }, values)
    : new ApiObject(chart, id, values as unknown as ConstructorParameters<typeof ApiObject>[2]);
  for (const patch of patches) object.addJsonPatch(jsonPatch(patch, run));
  return object;
}

function jsonPatch({ operation, path, value }: Patch, run: Run): JsonPatch {
  if (operation === 'remove' || !value) return JsonPatch.remove(path);
  const to: unknown = evaluate(value, run);
  return operation === 'add' ? JsonPatch.add(path, to) : JsonPatch.replace(path, to);
}

/**
 * The first path at which two manifests differ, or undefined. To Kubernetes an absent field equals null, and absent labels equal empty
 * ones.
 * @param isSkipped whether a place is not compared
 */
export function difference(
  wanted: unknown, got: unknown, path: FieldPath, isSkipped: (path: FieldPath) => boolean = () => false,
): FieldPath | undefined {
  if (isSkipped(path)) return undefined;
  if (isRecord(wanted) && isRecord(got)) {
    const inMetadata = path[0] === 'metadata' && path.length === 1;
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
      const [a, b] = [present(wanted, key, inMetadata), present(got, key, inMetadata)];
      const found = difference(a, b, [...path, key], isSkipped);
      if (found) return found;
    }
    return undefined;
  }
  if (Array.isArray(wanted) && Array.isArray(got)) {
    for (let i = 0; i < Math.max(wanted.length, got.length); i++) {
      const found = difference(wanted[i], got[i], [...path, i], isSkipped);
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
