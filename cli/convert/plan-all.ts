import type { Item } from './item';
import type { KindClasses } from './kind-class';
import { Neighbours } from './neighbours';
import type { Parameter } from './parameters/parameter';
import { planItem, type Plan } from './plan';
import type { Surroundings } from './references';
import { verify, type Failure } from './verify';
import { withoutTrailing } from '../../src/azure/trailing-slashes';
import { oneLine } from '../output/problem';

/**
 * Plans a construct for every object, in an order in which each construct follows those that it refers to, and verifies that the constructs
 * render the objects unchanged. An object that differs loses typed props until it is equal.
 */
export function planAll(all: readonly Item[], classes: KindClasses, parameters: readonly Parameter[] = []): Plan[] {
  const avoided = new Map<Item, Set<Item>>();
  for (;;) {
    const items = all.flatMap((item) => [...item.openPlaces.flatMap((place) => place.items), item]);
    const plans = ordered(items, neighboursOf(items), classes, avoided);
    const failures = verify(plans, undefined, parameters).filter(({ item }) => item.lost === undefined);
    const idle = all.filter(({ openPlaces }) => openPlaces.some((place) => !place.items.some(({ typed }) => typed)));
    if (failures.length === 0 && idle.length === 0) return plans;
    for (const item of idle) item.openPlaces = [];
    const byItem = new Map(plans.map((plan) => [plan.item, plan]));
    for (const failure of failures) giveUp(failure, byItem.get(failure.item)!);
  }
}

/** Moves rejected properties out of the props; if that is not possible, the whole object becomes an ApiObject. */
function giveUp({ item, problems, difference }: Failure, plan: Plan): void {
  if (item.openPlaces.length > 0) {
    item.openPlaces = [];
    return;
  }
  if (!item.typed && !item.isCredential) {
    if (item.patched) item.lost = oneLine(problems[0] ?? `${difference?.join('.')} is another one`);
    item.patched = true;
    return;
  }
  const movable = problems.flatMap((problem) => {
    const around = plan.movable.filter(({ where }) => problem.startsWith(where) && /^[.:[]/.test(problem.slice(where.length)));
    return around.sort((a, b) => b.where.length - a.where.length).slice(0, 1).map(({ key }) => ({ key, problem }));
  });
  for (const { key, problem } of movable) item.demote(key, oneLine(problem));
  if (movable.length === 0) {
    item.refuse(withoutTrailing(oneLine(problems[0] ?? `its class would write ${difference?.join('.')} differently`), '.;'));
  }
}

/** The objects that an object may refer to: those in other objects are of another app. */
function neighboursOf(items: readonly Item[]): (item: Item) => Neighbours {
  const [inner, outer] = [new Neighbours(items.filter(({ inside }) => inside)), new Neighbours(items.filter(({ inside }) => !inside))];
  return ({ inside }) => (inside ? inner : outer);
}

function ordered(
  items: readonly Item[], neighbours: (item: Item) => Neighbours, classes: KindClasses, avoided: Map<Item, Set<Item>>,
): Plan[] {
  for (;;) {
    const refused = countRefused(items);
    const plans = new Map(items.map((item) => [item, planItem(item, surroundings(item, neighbours(item), classes, avoided))]));
    // Other objects refer to an ApiObject in another way, so a change in the number of ApiObjects starts again.
    if (countRefused(items) !== refused) continue;
    const order = sorted(items, plans);
    if ('sequence' in order) return order.sequence.map((item) => plans.get(item)!);
    const [from, to] = order.knot;
    avoided.set(from, (avoided.get(from) ?? new Set()).add(to));
  }
}

function countRefused(items: readonly Item[]): number {
  return items.filter((item) => item.refused !== undefined).length;
}

function surroundings(item: Item, neighbours: Neighbours, classes: KindClasses, avoided: Map<Item, Set<Item>>): Surroundings {
  const usable = (other: Item | undefined) => other !== undefined && other !== item && !avoided.get(item)?.has(other);
  return {
    object: (group, kind, name) => {
      const found = neighbours.find(item.namespace, group, kind, name);
      return usable(found) ? found : undefined;
    },
    exported: (store, name, key) => {
      const found = neighbours.producer(store, item.namespace, name, key);
      return usable(found?.item) ? found : undefined;
    },
    kindClass: (group, kind) => classes.find(group, kind),
    texts: item.texts,
  };
}

/** Each object after those that it refers to, otherwise in source order; or two objects that refer to each other. */
function sorted(items: readonly Item[], plans: ReadonlyMap<Item, Plan>): { sequence: Item[] } | { knot: [from: Item, to: Item] } {
  const sequence: Item[] = [];
  const state = new Map<Item, 'open' | 'done'>();
  for (const start of items) {
    // Iterative, because chains of references may be long.
    const stack = state.has(start) ? [] : [{ item: start, next: 0 }];
    state.set(start, state.get(start) ?? 'open');
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const target = plans.get(top.item)!.uses[top.next++];
      if (!target) {
        state.set(top.item, 'done');
        sequence.push(top.item);
        stack.pop();
      } else if (state.get(target) === 'open') {
        return { knot: [top.item, target] };
      } else if (!state.has(target)) {
        state.set(target, 'open');
        stack.push({ item: target, next: 0 });
      }
    }
  }
  return { sequence };
}
