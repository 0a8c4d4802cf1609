import { literal, type Code, type Entry, type Expression } from './expression';
import { leavesNameOut, type Item } from './item';
import type { Plan } from './plan';
import { verify, type SharedValues, type SharedValuesOfChart } from './verify';
import { ADOPT, RECONCILE_POLICY } from '../../src/azure/annotations';
import { TENANT_PATHS } from '../../src/azure/scope-defaults';
import { isMap } from '../../src/catalog';
import type { FieldPath } from '../../src/catalog/validate-spec';
import { AdoptionPolicy } from '../../src/core/adoption-policy';
import { ReconcilePolicy } from '../../src/core/reconcile-policy';
import { isRecord } from '../../src/util/records';

/** Plans whose common values are said once. */
export interface Lifted {
  readonly plans: readonly Plan[];
  readonly shared: SharedValues;
}

/** A value of `Defaults.use`. */
type Topic = 'location' | 'tenantId' | 'tags' | 'reconcilePolicy' | 'adopt';

const TOPICS: readonly Topic[] = ['location', 'tenantId', 'tags', 'reconcilePolicy', 'adopt'];

/** Fewer objects have nothing in common. */
const FEWEST = 2;

/**
 * Takes values that the constructs of a chart have in common out of their props and into `Defaults`, as long as the constructs render the
 * same objects. An `azureName` that core would give is taken out, too.
 */
export function lifted(plans: readonly Plan[]): Lifted {
  const charts = new Map<string | undefined, ChartLift>();
  for (const namespace of new Set(plans.map(({ item }) => item.namespace))) {
    charts.set(namespace, new ChartLift(plans.filter(({ item }) => item.namespace === namespace)));
  }
  for (;;) {
    const shared = new Map([...charts].map(([namespace, chart]) => [namespace, chart.shared]));
    const result = plans.map((plan) => charts.get(plan.item.namespace)!.reduced(plan));
    // An object that is no construct of a class does not come out otherwise than before.
    const failures = verify(result, shared).filter(({ item }) => item.lost === undefined);
    if (failures.length === 0) return { plans: result, shared };
    const progress = failures.map(({ item, difference }) => charts.get(item.namespace)!.giveUp(item, difference));
    // Something else than a value in common: what was planned before is right.
    if (!progress.includes(true)) return { plans, shared: new Map() };
  }
}

/** The values that one chart says once. */
class ChartLift {
  private readonly values = new Map<Topic, unknown>();
  private readonly leavesNamesOut: boolean;
  /** Objects that keep their props. */
  private readonly whole = new Set<Item>();

  public constructor(plans: readonly Plan[]) {
    const typed = plans.filter(({ item }) => item.typed);
    this.leavesNamesOut = typed.some(({ item }) => leavesNameOut(item));
    if (typed.length < FEWEST) return;
    const set = (topic: Topic, value: unknown) => {
      if (value !== undefined) this.values.set(topic, value);
    };
    set('location', mostCommon(typed.map(({ item }) => specOf(item).location).filter((location) => location !== 'global')));
    set('tenantId', mostCommon(typed.map(({ item }) => tenantOf(item))));
    set('tags', commonTags(typed));
    set('reconcilePolicy', ofAll(typed, RECONCILE_POLICY, ReconcilePolicy));
    set('adopt', ofAll(typed, ADOPT, AdoptionPolicy));
  }

  public get shared(): SharedValuesOfChart {
    const entries = TOPICS.filter((topic) => this.values.has(topic)).map((key): Entry => ({ key, value: this.expression(key) }));
    return { leavesNamesOut: this.leavesNamesOut, defaults: entries.length === 0 ? undefined : { is: 'object', entries } };
  }

  /** A plan without what the chart says. */
  public reduced(plan: Plan): Plan {
    const { item, props } = plan;
    if (!item.typed || this.whole.has(item)) return plan;
    return { ...plan, props: { ...props, entries: props.entries.flatMap((entry) => this.kept(entry, item)) } };
  }

  /** Leaves a value in place of which an object comes out otherwise. Whether there was one to leave. */
  public giveUp(item: Item, difference: FieldPath | undefined): boolean {
    if (!this.whole.has(item)) {
      this.whole.add(item);
      return true;
    }
    const topic = topicAt(difference);
    const before = this.values.size;
    if (topic && this.values.has(topic)) this.values.delete(topic);
    else this.values.clear();
    return before > 0;
  }

  private expression(topic: Topic): Expression {
    const value = this.values.get(topic);
    if (topic === 'reconcilePolicy') return member('ReconcilePolicy', ReconcilePolicy, value);
    return topic === 'adopt' ? member('AdoptionPolicy', AdoptionPolicy, value) : literal(value);
  }

  private kept(entry: Entry, item: Item): Entry[] {
    const { key, value } = entry;
    switch (key) {
      case 'azureName':
        return !this.leavesNamesOut && value.is === 'literal' && value.value === item.name ? [] : [entry];
      case 'location':
        return value.is === 'literal' && (value.value === this.values.get('location') || value.value === 'global') ? [] : [entry];
      case 'removalPolicy':
      case 'reconcilePolicy':
        return this.values.has('reconcilePolicy') ? [] : [entry];
      case 'adopt':
        return this.values.has('adopt') ? [] : [entry];
      case 'tags':
        return this.ownTags(entry);
      default:
        return this.withoutTenant(entry, item);
    }
  }

  private ownTags(entry: Entry): Entry[] {
    const common = this.values.get('tags');
    if (!isRecord(common) || entry.value.is !== 'object') return [entry];
    const entries = entry.value.entries.filter(({ key, value }) => value.is !== 'literal' || common[key] !== value.value);
    return entries.length === 0 ? [] : [{ ...entry, value: { ...entry.value, entries } }];
  }

  private withoutTenant(entry: Entry, item: Item): Entry[] {
    const [top, name] = TENANT_PATHS[`${item.group}/${item.kind}`] ?? [];
    if (!this.values.has('tenantId') || entry.key !== top) return [entry];
    const isTenant = (value: Expression) => value.is === 'literal' && value.value === this.values.get('tenantId');
    if (name === undefined) return isTenant(entry.value) ? [] : [entry];
    if (entry.value.is !== 'object') return [entry];
    const entries = entry.value.entries.filter(({ key, value }) => key !== name || !isTenant(value));
    return [{ ...entry, value: { ...entry.value, entries } }];
  }
}

/** The value that most have, if several have it. */
function mostCommon(values: readonly unknown[]): unknown {
  const counts = new Map<unknown, number>();
  for (const value of values) if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first && first[1] >= FEWEST ? first[0] : undefined;
}

/** The tags that all resources that can have tags have. */
function commonTags(plans: readonly Plan[]): unknown {
  const taggable = plans.filter(({ item }) => isTaggable(item)).map(({ item }) => specOf(item).tags);
  const [first, ...others] = taggable;
  if (!isRecord(first) || taggable.length < FEWEST) return undefined;
  const common = Object.entries(first).filter(([key, value]) => others.every((tags) => isRecord(tags) && tags[key] === value));
  return common.length === 0 ? undefined : Object.fromEntries(common);
}

function isTaggable({ version }: Item): boolean {
  const type = version!.specType.props.tags?.type;
  return type !== undefined && isMap(type);
}

/** The value of an annotation that all have. */
function ofAll(plans: readonly Plan[], annotation: string, known: Readonly<Record<string, string>>): unknown {
  const valueOf = ({ item: { metadata: { annotations } } }: Plan) => (isRecord(annotations) ? annotations[annotation] : undefined);
  const values = new Set(plans.map(valueOf));
  const [value] = values;
  return values.size === 1 && Object.values(known).includes(value as string) ? value : undefined;
}

function tenantOf(item: Item): unknown {
  const path = TENANT_PATHS[`${item.group}/${item.kind}`];
  return path?.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), item.object.spec);
}

function specOf({ object: { spec } }: Item): Readonly<Record<string, unknown>> {
  return isRecord(spec) ? spec : {};
}

function member(type: string, known: Readonly<Record<string, string>>, value: unknown): Code {
  const [name] = Object.entries(known).find(([, one]) => one === value)!;
  return { is: 'code', uses: [], value: () => value, text: (names) => `${names.core(type)}.${name}` };
}

/** The value of `Defaults` at a path of the manifest. */
function topicAt([place, name, annotation]: FieldPath = []): Topic | undefined {
  if (place === 'spec') return name === 'location' || name === 'tags' ? name : undefined;
  if (annotation === RECONCILE_POLICY) return 'reconcilePolicy';
  return annotation === ADOPT ? 'adopt' : undefined;
}
