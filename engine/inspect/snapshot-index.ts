import { factsOf, type ObjectFacts } from './object-facts';
import type { ControllerFacts, Snapshot, Unread } from './types';
import { OPERATOR_NAMESPACE } from '../../src/azure/annotations';
import { objectIdOf } from '../../src/object-id';
import type { KubernetesObject } from '../kubernetes/types';

type Store = 'Secret' | 'ConfigMap';

/** Time without a sign of a controller that no Deployment or Lease shows, after which it counts as stopped. Milliseconds. */
const SIGN_OF_LIFE_MS = 2 * 60_000;

/** Objects that count as the writers of one value: a Secret has one, and thousands would take the time squared. */
const MOST_WRITERS = 20;

/** The state of the controller that looks after an object. `stopped`: it is there and does not run; `absent`: there is none. */
export type ControllerState = 'running' | 'stopped' | 'absent' | 'other' | 'unknown';

/** A snapshot by keys: every look-up takes constant time. */
export class SnapshotIndex {
  public readonly facts: readonly ObjectFacts[];
  public readonly byKey: ReadonlyMap<string, ObjectFacts>;
  private readonly namespaces = new Map<string, KubernetesObject>();
  private readonly stores = new Map<string, Map<string | undefined, string[]>>();
  private readonly someWriters = new WeakMap<ReadonlyMap<string | undefined, string[]>, readonly string[]>();
  private readonly unreadKinds = new Map<string, Unread[]>();
  /** Newest transition by operator namespace; `''` for all. */
  private readonly signs = new Map<string, number>();

  public constructor(public readonly snapshot: Snapshot) {
    this.facts = snapshot.objects.map(factsOf);
    this.byKey = new Map(this.facts.map((facts) => [facts.key, facts]));
    for (const namespace of snapshot.namespaces) this.namespaces.set(objectIdOf(namespace).name, namespace);
    for (const unread of snapshot.unread) {
      const key = `${unread.group}/${unread.kind}`;
      const known = this.unreadKinds.get(key);
      if (known) known.push(unread);
      else this.unreadKinds.set(key, [unread]);
    }
    for (const facts of this.facts) this.add(facts);
  }

  /** Undefined: it was not read. */
  public namespace(name: string): KubernetesObject | undefined {
    return this.namespaces.get(name);
  }

  public isTerminating(namespace: string): boolean {
    return this.namespaces.get(namespace)?.metadata.deletionTimestamp !== undefined;
  }

  /** Keys of the first objects that export a key of a Secret or ConfigMap; of those that export to it, where none names the key. */
  public writersOf(store: Store, namespace: string, name: string, key?: string): readonly string[] {
    const keys = this.stores.get(`${store}/${namespace}/${name}`);
    if (!keys) return [];
    const exact = key === undefined ? undefined : keys.get(key);
    if (exact) return exact.slice(0, MOST_WRITERS);
    // An expression may give a whole map of keys.
    const whole = keys.get(undefined);
    if (key !== undefined && whole) return whole.slice(0, MOST_WRITERS);
    let some = this.someWriters.get(keys);
    if (!some) this.someWriters.set(keys, (some = [...new Set([...keys.values()].flat())].slice(0, MOST_WRITERS)));
    return some;
  }

  /** Why objects of a kind are not known. */
  public unreadOf(group: string, kind: string, namespace: string): Unread | undefined {
    return this.unreadKinds.get(`${group}/${kind}`)?.find((unread) => unread.namespace === undefined || unread.namespace === namespace);
  }

  /** Whether a controller looks after an object. */
  public controllerStateOf({ object }: ObjectFacts): ControllerState {
    const own = object.metadata.annotations?.[OPERATOR_NAMESPACE];
    const { controllers, now } = this.snapshot;
    if ((this.signs.get(own ?? '') ?? 0) > now - SIGN_OF_LIFE_MS) return 'running';
    if (controllers === undefined) return 'unknown';
    const all = controllers.filter(({ reconciles }) => reconciles);
    const ours = own === undefined ? all : all.filter(({ namespace }) => namespace === own);
    if (ours.some(({ isRunning }) => isRunning === true)) return 'running';
    if (ours.some(({ isRunning }) => isRunning === undefined)) return 'unknown';
    if (ours.length > 0) return 'stopped';
    return all.some(({ isRunning }) => isRunning !== false) ? 'other' : 'absent';
  }

  /** The controller that an object belongs to, if it is known. */
  public controllerOf(operatorNamespace: string | undefined): ControllerFacts | undefined {
    const all = (this.snapshot.controllers ?? []).filter(({ reconciles }) => reconciles);
    if (operatorNamespace === undefined) return all.length === 1 ? all[0] : undefined;
    return all.find(({ namespace }) => namespace === operatorNamespace);
  }

  private add({ key, name: { namespace }, object, writes, propagates, ready }: ObjectFacts): void {
    for (const { store, name, key: valueKey } of writes) this.addWriter(`${store}/${namespace}/${name}`, valueKey, key);
    for (const target of propagates) {
      if (target.kind !== 'ServiceAccount') this.addWriter(`${target.kind}/${target.namespace}/${target.name}`, undefined, key);
    }
    const at = Date.parse(ready?.lastTransitionTime ?? '');
    if (Number.isNaN(at) || at > this.snapshot.now) return;
    for (const operator of ['', object.metadata.annotations?.[OPERATOR_NAMESPACE]]) {
      if (operator !== undefined) this.signs.set(operator, Math.max(at, this.signs.get(operator) ?? 0));
    }
  }

  private addWriter(store: string, valueKey: string | undefined, writer: string): void {
    const keys = this.stores.get(store) ?? new Map<string | undefined, string[]>();
    this.stores.set(store, keys);
    const writers = keys.get(valueKey);
    if (!writers) keys.set(valueKey, [writer]);
    else if (writers.at(-1) !== writer) writers.push(writer);
  }
}
