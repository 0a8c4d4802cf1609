import { copyOf, valueCopy } from './copies';
import type { JournalClient, JournalStore } from './journal';
import { keyOfObject, titleOf } from './selection';
import { PHASES, type Item, type Journal, type Phase } from './types';
import { valueOf } from './values';
import type { Clock } from '../../engine/clock';
import {
  KubernetesError, type Condition, type DeletePreconditions, type KubernetesObject, type PatchType, type ResourceType,
} from '../../engine/kubernetes/types';
import { ADOPT, POLLER_TOKEN, RECONCILE_POLICY, RESOURCE_ID, TRANSFERRED_FROM } from '../../src/azure/annotations';
import { firstOf } from '../../src/util/words';
import { atATime } from '../cluster/at-a-time';

/** The requests of a transfer. */
export interface TransferClient extends JournalClient {
  patch(type: ResourceType, name: string, namespace: string | undefined, patch: unknown, patchType: PatchType): Promise<KubernetesObject>;
  delete(type: ResourceType, name: string, namespace?: string, preconditions?: DeletePreconditions): Promise<void>;
}

export interface TransferOptions {
  readonly from: TransferClient;
  readonly to: TransferClient;
  readonly journal: JournalStore;
  readonly clock: Clock;
  /** Longest wait for one step, in milliseconds. */
  readonly timeoutMs: number;
  readonly progress: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

const AT_A_TIME = 8;
const POLL_MS = 1_000;
const TRIES = 10;
const MOST_NAMED = 3;
const MERGE: PatchType = 'application/merge-patch+json';
/** A step that cannot be completed. Nothing is lost: the transfer can be run again, or taken back. */
export class TransferError extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'TransferError';
  }
}

/**
 * Carries out the steps that the journal does not name as completed. Each can be repeated, so a process that ends at any point is
 * followed by one that goes on.
 *
 * @throws TransferError, JournalError, KubernetesError
 */
export class Transfer {
  public constructor(private readonly options: TransferOptions, private journal: Journal) {}

  public async run(): Promise<void> {
    const steps: Readonly<Record<Exclude<Phase, 'planned'>, () => Promise<void>>> = {
      'held': () => this.hold(),
      'applied': () => this.apply(),
      'handed-over': () => this.handOver(),
      'removed': () => this.removeSource(),
    };
    for (const phase of PHASES.slice(PHASES.indexOf(this.journal.phase) + 1) as Exclude<Phase, 'planned'>[]) {
      await steps[phase]();
      this.journal = { ...this.journal, phase };
      await this.options.journal.write(this.journal);
    }
    await this.finish();
  }

  /**
   * Takes back what was done: the copies go, which were never anything but readers, and the objects get their policies again.
   * @throws TransferError once the copies manage the resources
   */
  public async undo(): Promise<void> {
    const { phase, items, toNamespace } = this.journal;
    if (phase === 'handed-over' || phase === 'removed') {
      throw new TransferError(`the objects of ${toNamespace} manage the resources already. Run the transfer to its end, and transfer them back`);
    }
    this.options.progress('removing the copies');
    for (const item of [...items].reverse()) await this.asRead(() => this.removeCopy(item));
    for (const key of this.journal.values) await this.asRead(() => this.removeValue(key));
    await this.until('gone', items, async (item) => (await this.target(item)) === undefined || (await this.isForeign(item)));
    this.options.progress('giving the objects their policies again');
    await this.each(items, (item) => this.annotate('from', item, { [RECONCILE_POLICY]: item.policy ?? null }));
    await this.options.journal.remove();
  }

  /** The old namespace only reads from now on. Operations under way end first: their result belongs to the old object. */
  private async hold(): Promise<void> {
    const { items, fromNamespace } = this.journal;
    this.options.progress(`waiting for operations of ${fromNamespace}`);
    await this.until('without an operation under way', items, async (item) => !isBusy(await this.source(item)));
    this.options.progress(`stopping writes of ${fromNamespace}`);
    await this.each(items, async (item) => {
      await this.annotate('from', item, { [RECONCILE_POLICY]: 'skip' });
    });
    const late: Item[] = [];
    await this.each(items, async (item) => void (isBusy(await this.source(item)) && late.push(item)));
    // An operation that began just before: the object follows it to its end, and is held then.
    await this.each(late, (item) => this.annotate('from', item, { [RECONCILE_POLICY]: item.policy ?? null }));
    if (late.length > 0) await this.hold();
  }

  /** The new objects read the resources; nothing is sent. They must mean the same resources as the old ones. */
  private async apply(): Promise<void> {
    const { items, toNamespace, fromNamespace, values } = this.journal;
    this.options.progress(`applying ${items.length} objects to ${toNamespace}`);
    for (const key of values) await this.copyValue(key);
    for (const item of items) {
      const source = await this.source(item);
      if (!source) throw new TransferError(`${titleOf(item)} is no longer in ${fromNamespace}. Take the transfer back with --undo`);
      await this.createOnce(item.type, copyOf(item, source, toNamespace));
    }
    await this.until('Ready', items, async (item) => isReady(await this.target(item)));
    const other: string[] = [];
    await this.each(items, async (item) => {
      const [source, target] = [await this.source(item), await this.target(item)];
      if (!isSame(source, target)) other.push(titleOf(item));
    });
    if (other.length > 0) throw new TransferError(`${firstOf(other, MOST_NAMED)} would mean another resource in ${toNamespace}. Nothing was changed in Azure: take the transfer back with --undo, and put the names right`);
  }

  /** From here on the new objects write. A resource that is gone meanwhile is not created again. */
  private async handOver(): Promise<void> {
    const { items, toNamespace } = this.journal;
    this.options.progress(`handing over to ${toNamespace}`);
    await this.each(items, (item) => this.annotate('to', item, { [RECONCILE_POLICY]: item.policy ?? null, [ADOPT]: 'IfPresent' }));
    await this.until('Ready', items, async (item) => isReady(await this.target(item)));
  }

  /** Children first. An object that is not held any more is left, for its deletion would delete the resource. */
  private async removeSource(): Promise<void> {
    const { items, fromNamespace } = this.journal;
    this.options.progress(`removing the objects of ${fromNamespace}`);
    for (const item of [...items].reverse()) await this.asRead(() => this.removeOne(item));
    await this.until('gone', items, async (item) => (await this.source(item)) === undefined);
  }

  private async removeOne(item: Item): Promise<void> {
    const { fromNamespace, toNamespace } = this.journal;
    const source = await this.source(item);
    if (!source || source.metadata.deletionTimestamp !== undefined) return;
    if (source.metadata.annotations?.[RECONCILE_POLICY] !== 'skip') {
      throw new TransferError(`${titleOf(item)} in ${fromNamespace} has not the policy skip any more, so its deletion would delete the resource. Set it again, and run the transfer again`);
    }
    const target = await this.target(item);
    if (!isReady(target) || !isSame(source, target)) {
      throw new TransferError(`${titleOf(item)} in ${toNamespace} is not Ready: the old object stays. Run the transfer again`);
    }
    await this.gone(() => this.options.from.delete(item.type, item.name, fromNamespace, identityOf(source)));
  }

  private async removeCopy(item: Item): Promise<void> {
    const { fromNamespace, toNamespace } = this.journal;
    const copy = await this.target(item);
    if (!copy || copy.metadata.annotations?.[TRANSFERRED_FROM] !== fromNamespace) return;
    if (copy.metadata.annotations[RECONCILE_POLICY] !== 'skip') {
      throw new TransferError(`${titleOf(item)} in ${toNamespace} has not the policy skip any more: it is not removed`);
    }
    await this.gone(() => this.options.to.delete(item.type, item.name, toNamespace, identityOf(copy)));
  }

  /** A deletion is for the object as it was read: where the controller has written it since, it is read and judged again. */
  private async asRead(act: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await act();
        return;
      } catch (error) {
        if (!(error instanceof KubernetesError) || error.status !== 409 || attempt >= TRIES) throw error;
      }
    }
  }

  private async finish(): Promise<void> {
    await this.each(this.journal.items, (item) => this.annotate('to', item, { [ADOPT]: item.adopt ?? null, [TRANSFERRED_FROM]: null }));
    await this.options.journal.remove();
  }

  private source({ type, name }: Item): Promise<KubernetesObject | undefined> {
    return this.options.from.get(type, name, this.journal.fromNamespace);
  }

  private target({ type, name }: Item): Promise<KubernetesObject | undefined> {
    return this.options.to.get(type, name, this.journal.toNamespace);
  }

  private async isForeign(item: Item): Promise<boolean> {
    return (await this.target(item))?.metadata.annotations?.[TRANSFERRED_FROM] !== this.journal.fromNamespace;
  }

  /** Writes only where something differs, so that a run that goes on repeats nothing. */
  private async annotate(side: 'from' | 'to', item: Item, annotations: Readonly<Record<string, string | null>>): Promise<void> {
    const { type, name } = item;
    const namespace = side === 'from' ? this.journal.fromNamespace : this.journal.toNamespace;
    const object = await (side === 'from' ? this.source(item) : this.target(item));
    const isSo = ([key, value]: [string, string | null]) => (object?.metadata.annotations?.[key] ?? null) === value;
    if (!object || Object.entries(annotations).every(isSo)) return;
    await this.gone(() => this.options[side].patch(type, name, namespace, { metadata: { annotations } }, MERGE));
  }

  private async createOnce(type: ResourceType, object: KubernetesObject): Promise<void> {
    const { name, namespace = '' } = object.metadata;
    const existing = await this.options.to.get(type, name, namespace);
    if (!existing) {
      await this.options.to.create(type, object);
    } else if (existing.metadata.annotations?.[TRANSFERRED_FROM] !== this.journal.fromNamespace) {
      throw new TransferError(`${object.kind} ${namespace}/${name} is there already, and is no copy of this transfer`);
    }
  }

  private async copyValue(key: string): Promise<void> {
    const [type, name] = valueOf(key);
    const source = await this.options.from.get(type, name, this.journal.fromNamespace);
    const { toNamespace } = this.journal;
    if (source && !(await this.options.to.get(type, name, toNamespace))) await this.createOnce(type, valueCopy(source, toNamespace));
  }

  private async removeValue(key: string): Promise<void> {
    const [type, name] = valueOf(key);
    const copy = await this.options.to.get(type, name, this.journal.toNamespace);
    if (copy?.metadata.annotations?.[TRANSFERRED_FROM] !== this.journal.fromNamespace) return;
    await this.gone(() => this.options.to.delete(type, name, this.journal.toNamespace, identityOf(copy)));
  }

  private each(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
    return atATime(items, AT_A_TIME, act);
  }

  /** Waits until all items are so. */
  private async until(state: string, items: readonly Item[], isSo: (item: Item) => Promise<boolean>): Promise<void> {
    const { clock, timeoutMs, signal, progress } = this.options;
    const end = clock.now() + timeoutMs;
    let open = items;
    for (;;) {
      const left: Item[] = [];
      await this.each(open, async (item) => void (!(await isSo(item)) && left.push(item)));
      if (left.length === 0) return;
      signal?.throwIfAborted();
      if (clock.now() > end) {
        throw new TransferError(`${left.length} of ${items.length} objects are not ${state}: ${firstOf(left.map(titleOf), MOST_NAMED)}. cdk8s-aso why names the cause; then run the transfer again, or take it back with --undo`);
      }
      progress(`${items.length - left.length} of ${items.length} objects are ${state}`);
      open = left;
      await clock.sleep(POLL_MS, signal);
    }
  }

  /** An object that is gone needs nothing more. */
  private async gone(act: () => Promise<unknown>): Promise<void> {
    await act().catch((error: unknown) => {
      if (!(error instanceof KubernetesError) || error.status !== 404) throw error;
    });
  }
}

/** Only this very object, as it was read. */
function identityOf({ metadata: { uid, resourceVersion } }: KubernetesObject): DeletePreconditions {
  return { uid, resourceVersion };
}

function isBusy(object: KubernetesObject | undefined): boolean {
  return Boolean(object?.metadata.annotations?.[POLLER_TOKEN]);
}

/** Ready for the spec as it is. */
export function isReady(object: KubernetesObject | undefined): boolean {
  const ready = object?.status?.conditions?.find((condition: Condition) => condition.type === 'Ready');
  return ready?.status === 'True' && (ready.observedGeneration ?? 0) >= (object?.metadata.generation ?? 0);
}

/** Whether both stand for one resource. Kinds without Azure Resource Manager have no id: they are the same by their names. */
function isSame(one: KubernetesObject | undefined, other: KubernetesObject | undefined): boolean {
  const [id, otherId] = [one, other].map((object) => object?.metadata.annotations?.[RESOURCE_ID]?.toLowerCase());
  return one !== undefined && other !== undefined && (id === undefined || id === otherId) && keyOfObject(one) === keyOfObject(other);
}
