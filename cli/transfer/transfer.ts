import { isDeepStrictEqual } from 'node:util';
import { copyOf, differences, markOfValue, valueCopy } from './copies';
import type { JournalClient, JournalStore } from './journal';
import { conditionText, heldBy, identityOf, isBusy, isHeld, isReady, isSame } from './object-state';
import { itemTitleOf } from './selection';
import { markOf, PHASES, type Item, type Journal, type Phase } from './types';
import { valueOf } from './values';
import type { Clock } from '../../engine/clock';
import {
  KubernetesError, type DeletePreconditions, type KubernetesObject, type PatchType, type ResourceType,
} from '../../engine/kubernetes/types';
import { ADOPT, POLICY_BEFORE_TRANSFER, RECONCILE_POLICY, TRANSFERRED_FROM } from '../../src/azure/annotations';
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
  /** Titles of Azure objects that are none of the transfer's and would be deleted with an owner that is, read when it is called. */
  readonly leftBehind: () => Promise<readonly string[]>;
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
    if (this.journal.begun === 'undo') throw new TransferError('the transfer is being taken back: complete that with --undo first');
    // The last step is repeated: it finds out by itself whether all is done.
    if (this.journal.phase === 'removed') await this.removeSource();
    for (const phase of PHASES.slice(PHASES.indexOf(this.journal.phase) + 1) as Exclude<Phase, 'planned'>[]) {
      await steps[phase]();
      await this.record({ phase });
    }
    await this.finish();
  }

  /**
   * Takes back what was done: the copies go, which were never anything but readers, and the objects get their policies again.
   * @throws TransferError once the copies manage the resources, and while a copy has what its object has not
   */
  public async undo(): Promise<void> {
    const { phase, begun, items, toNamespace } = this.journal;
    if (begun === 'hand-over' || phase === 'handed-over' || phase === 'removed') {
      throw new TransferError(`the objects of ${toNamespace} manage the resources already. Run the transfer to its end, and transfer them back`);
    }
    await this.each(items, (item) => this.assertRemovable(item));
    if (begun !== 'undo') await this.record({ begun: 'undo' });
    this.options.progress('removing the copies');
    for (const item of [...items].reverse()) await this.asRead(() => this.removeCopy(item));
    for (const key of this.journal.values) await this.asRead(() => this.removeValue(key));
    await this.until('gone', items, async (item) => !(await this.copy(item)), async (item) => heldBy(await this.copy(item)));
    this.options.progress('giving the objects their policies again');
    await this.each(items, async (item) => {
      // An object that was made again has its own policy.
      if ((await this.anySource(item))?.metadata.uid === item.uid) await this.release(item);
    });
    await this.options.journal.remove();
  }

  /** Nothing that exists only in the copy is lost. */
  private async assertRemovable(item: Item): Promise<void> {
    const { fromNamespace, toNamespace } = this.journal;
    const [source, copy] = [await this.anySource(item), await this.copy(item)];
    if (!copy) return;
    const where = `${itemTitleOf(item)} in ${toNamespace}`;
    if (copy.metadata.annotations?.[RECONCILE_POLICY] !== 'skip') throw new TransferError(`${where} has not the policy skip any more: nothing was taken back. Set it again, or remove the object`);
    if (source?.metadata.uid !== item.uid) throw new TransferError(`${itemTitleOf(item)} is no longer in ${fromNamespace}, so its copy in ${toNamespace} is the last one: nothing was taken back. Move the copy's manifest to ${fromNamespace} and remove the copy first`);
    const changed = (copy.metadata.generation ?? 1) > 1 ? differences(item, source, copy) : [];
    if (changed.length > 0) throw new TransferError(`${where} was edited (${firstOf(changed, MOST_NAMED)}), and would be lost: nothing was taken back. Make the edit in ${fromNamespace} as well, or take it out of the copy`);
  }

  /** The old namespace only reads from now on. Operations under way end first: their result belongs to the old object. */
  private async hold(): Promise<void> {
    const { items, fromNamespace } = this.journal;
    this.options.progress(`waiting for operations of ${fromNamespace}`);
    await this.until(
      'without an operation under way', items, async (item) => !isBusy(await this.source(item)), async () => 'its controller follows the operation: does it run?',
    );
    this.options.progress(`stopping writes of ${fromNamespace}`);
    await this.each(items, async (item) => {
      const { [POLICY_BEFORE_TRANSFER]: mark, [RECONCILE_POLICY]: policy } = (await this.source(item))?.metadata.annotations ?? {};
      if (mark === undefined && (policy || undefined) !== item.policy) {
        throw new TransferError(`${itemTitleOf(item)} in ${fromNamespace} has got another policy since the check (${policy || 'none'} instead of ${item.policy ?? 'none'}): take the transfer back with --undo, which leaves that policy, and run it again`);
      }
      await this.annotate('from', item, { [RECONCILE_POLICY]: 'skip', [POLICY_BEFORE_TRANSFER]: item.policy ?? '' });
    });
    const late: Item[] = [];
    await this.each(items, async (item) => void (isBusy(await this.source(item)) && late.push(item)));
    // An operation that began just before: the object follows it to its end, and is held then.
    await this.each(late, (item) => this.release(item));
    if (late.length > 0) await this.hold();
  }

  /** The new objects read the resources; nothing is sent. They must mean the same resources as the old ones. */
  private async apply(): Promise<void> {
    const { items, toNamespace, fromNamespace, values } = this.journal;
    this.options.progress(`applying ${items.length} objects to ${toNamespace}`);
    for (const key of values) await this.copyValue(key);
    for (const item of items) {
      const source = await this.source(item);
      if (!source || source.metadata.deletionTimestamp !== undefined) throw new TransferError(`${itemTitleOf(item)} is no longer in ${fromNamespace}, or is being deleted. Take the transfer back with --undo`);
      await this.createOnce(item.type, copyOf(item, source, toNamespace));
    }
    await this.until('Ready', items, async (item) => isReady(await this.target(item)), async (item) => conditionText(await this.target(item)));
    const other: string[] = [];
    await this.each(items, async (item) => {
      const [source, target] = [await this.source(item), await this.target(item)];
      if (!isSame(source, target)) other.push(itemTitleOf(item));
    });
    if (other.length > 0) throw new TransferError(`${firstOf(other, MOST_NAMED)} would mean another resource in ${toNamespace}. Nothing was changed in Azure: take the transfer back with --undo, and put the names right`);
  }

  /** The last look before the copies write: each object is still held, and its copy has the same spec. */
  private async compared(item: Item): Promise<Item> {
    const { fromNamespace, toNamespace } = this.journal;
    const [source, copy] = [await this.source(item), await this.copy(item)];
    const stays = 'Nothing was handed over';
    if (!source || source.metadata.deletionTimestamp !== undefined) throw new TransferError(`${itemTitleOf(item)} is no longer in ${fromNamespace}, or is being deleted. ${stays}: take the transfer back with --undo`);
    if (!isHeld(source)) throw new TransferError(`${itemTitleOf(item)} in ${fromNamespace} has not the policy skip any more: two objects would write. ${stays}: find out what applies it, and run the transfer again after --undo`);
    if (!copy || copy.metadata.deletionTimestamp !== undefined) throw new TransferError(`${itemTitleOf(item)} is no longer in ${toNamespace}, or is being deleted. ${stays}: take the transfer back with --undo`);
    const changed = differences(item, source, copy);
    if (changed.length > 0) throw new TransferError(`${itemTitleOf(item)} is not the same in ${toNamespace}: ${firstOf(changed, MOST_NAMED)}. ${stays}. One of them was edited, or the CRD of the target is older: make them equal and run the transfer again, or take it back with --undo`);
    return { ...item, generation: source.metadata.generation };
  }

  /** From here on the new objects write. A resource that is gone meanwhile is not created again. */
  private async handOver(): Promise<void> {
    if (this.journal.begun !== 'hand-over') {
      const compared = new Map<string, Item>();
      await this.each(this.journal.items, async (item) => void compared.set(item.key, await this.compared(item)));
      await this.record({ begun: 'hand-over', items: this.journal.items.map((item) => compared.get(item.key) ?? item) });
    }
    const { items, toNamespace } = this.journal;
    this.options.progress(`handing over to ${toNamespace}`);
    await this.each(items, async (item) => {
      if (!(await this.copy(item))) throw new TransferError(`${itemTitleOf(item)} is no longer in ${toNamespace}: the old object stays, under skip. Apply it there with the annotation ${TRANSFERRED_FROM}: ${markOf(this.journal, item)}, and run the transfer again`);
    });
    await this.each(items, (item) => this.annotate('to', item, { [RECONCILE_POLICY]: item.policy ?? null, [ADOPT]: 'IfPresent' }));
    await this.until('Ready', items, async (item) => isReady(await this.target(item)), async (item) => conditionText(await this.target(item)));
  }

  /** Children first. An object that is not held any more is left, for its deletion would delete the resource. */
  private async removeSource(): Promise<void> {
    const { items, fromNamespace } = this.journal;
    const left = await this.options.leftBehind();
    if (left.length > 0) {
      throw new TransferError(`${firstOf(left, MOST_NAMED)} in ${fromNamespace} came after the transfer had begun, and would be deleted with the owner, in Azure too: no owner is removed. Give such objects the policy skip, apply them in ${this.journal.toNamespace}, remove them in ${fromNamespace}, and run the transfer again`);
    }
    this.options.progress(`removing the objects of ${fromNamespace}`);
    for (const item of [...items].reverse()) await this.asRead(() => this.removeOne(item));
    await this.until('gone', items, async (item) => (await this.source(item)) === undefined, async (item) => heldBy(await this.source(item)));
  }

  private async removeOne(item: Item): Promise<void> {
    const { fromNamespace, toNamespace } = this.journal;
    const source = await this.source(item);
    if (!source || source.metadata.deletionTimestamp !== undefined) return;
    if (!isHeld(source)) {
      throw new TransferError(`${itemTitleOf(item)} in ${fromNamespace} has not the policy skip any more, so its deletion would delete the resource. Set it again, and run the transfer again`);
    }
    const target = await this.target(item);
    if (!isReady(target) || !isSame(source, target)) {
      throw new TransferError(`${itemTitleOf(item)} in ${toNamespace} is not Ready: the old object stays. Run the transfer again`);
    }
    if (isHeld(target) && item.policy !== 'skip') {
      throw new TransferError(`${itemTitleOf(item)} in ${toNamespace} still has the policy skip, so no object would manage the resource: the old object stays. Give it the policy ${item.policy ?? 'manage'}, and run the transfer again`);
    }
    if (source.metadata.generation !== item.generation && target && differences(item, source, target).length > 0) {
      throw new TransferError(`${itemTitleOf(item)} in ${fromNamespace} was edited after the hand-over (${firstOf(differences(item, source, target), MOST_NAMED)}), and the edit would be lost: the old object stays. Make it in ${toNamespace} too, and run the transfer again`);
    }
    await this.write(() => this.gone(() => this.options.from.delete(item.type, item.name, fromNamespace, identityOf(source))));
  }

  private async removeCopy(item: Item): Promise<void> {
    await this.assertRemovable(item);
    const copy = await this.copy(item);
    if (!copy || copy.metadata.deletionTimestamp !== undefined) return;
    await this.write(() => this.gone(() => this.options.to.delete(item.type, item.name, this.journal.toNamespace, identityOf(copy))));
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

  /** @throws TransferError where the object is another one of the same name */
  private async source(item: Item): Promise<KubernetesObject | undefined> {
    const found = await this.anySource(item);
    if (found && found.metadata.uid !== item.uid) {
      throw new TransferError(`${itemTitleOf(item)} in ${this.journal.fromNamespace} was made again since the transfer began: find out what applies it. Until the hand-over --undo takes the transfer back; after it, give the object the policy skip and remove it`);
    }
    return found;
  }

  private anySource({ type, name }: Item): Promise<KubernetesObject | undefined> {
    return this.options.from.get(type, name, this.journal.fromNamespace);
  }

  private target({ type, name }: Item): Promise<KubernetesObject | undefined> {
    return this.options.to.get(type, name, this.journal.toNamespace);
  }

  /** The object in the new namespace, if this transfer has made it. */
  private async copy(item: Item): Promise<KubernetesObject | undefined> {
    const found = await this.target(item);
    return found?.metadata.annotations?.[TRANSFERRED_FROM] === markOf(this.journal, item) ? found : undefined;
  }

  /** An object without a mark was never held: its policy is its own. */
  private async release(item: Item): Promise<void> {
    const before = (await this.source(item))?.metadata.annotations?.[POLICY_BEFORE_TRANSFER];
    if (before !== undefined) await this.annotate('from', item, { [RECONCILE_POLICY]: before || null, [POLICY_BEFORE_TRANSFER]: null });
  }

  private async record(change: Partial<Journal>): Promise<void> {
    this.journal = { ...this.journal, ...change };
    await this.options.journal.write(this.journal);
  }

  /** A write, unless another process goes on with the transfer. */
  private async write(act: () => Promise<unknown>): Promise<void> {
    const { journal, clock } = this.options;
    await journal.assertCurrent(clock.now());
    await act();
  }

  /** Writes only where something differs, so that a run that goes on repeats nothing. */
  private async annotate(side: 'from' | 'to', item: Item, annotations: Readonly<Record<string, string | null>>): Promise<void> {
    const { type, name } = item;
    const namespace = side === 'from' ? this.journal.fromNamespace : this.journal.toNamespace;
    const object = await (side === 'from' ? this.source(item) : this.target(item));
    const isSo = ([key, value]: [string, string | null]) => (object?.metadata.annotations?.[key] ?? null) === value;
    if (!object || Object.entries(annotations).every(isSo)) return;
    await this.write(() => this.gone(() => this.options[side].patch(type, name, namespace, { metadata: { annotations } }, MERGE)));
  }

  private async createOnce(type: ResourceType, object: KubernetesObject): Promise<void> {
    const { name, namespace = '' } = object.metadata;
    const existing = await this.options.to.get(type, name, namespace);
    if (!existing) {
      await this.write(() => this.options.to.create(type, object));
    } else if (existing.metadata.annotations?.[TRANSFERRED_FROM] !== object.metadata.annotations?.[TRANSFERRED_FROM]) {
      throw new TransferError(`${object.kind} ${namespace}/${name} is there already, and is no copy of this transfer`);
    }
  }

  private async copyValue(key: string): Promise<void> {
    const [type, name] = valueOf(key);
    const source = await this.options.from.get(type, name, this.journal.fromNamespace);
    const { toNamespace } = this.journal;
    if (source && !(await this.options.to.get(type, name, toNamespace))) await this.createOnce(type, valueCopy(source, toNamespace));
  }

  /** A copy that was changed since stays. */
  private async removeValue(key: string): Promise<void> {
    const [type, name] = valueOf(key);
    const { fromNamespace, toNamespace } = this.journal;
    const [source, copy] = [await this.options.from.get(type, name, fromNamespace), await this.options.to.get(type, name, toNamespace)];
    if (!source || copy?.metadata.annotations?.[TRANSFERRED_FROM] !== markOfValue(source)) return;
    if (!isDeepStrictEqual(source.data ?? {}, copy.data ?? {})) return;
    await this.write(() => this.gone(() => this.options.to.delete(type, name, toNamespace, identityOf(copy))));
  }

  private each(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
    return atATime(items, AT_A_TIME, act);
  }

  /** Waits until all items are so. @param why tells of an item that is not, for the message */
  private async until(
    state: string, items: readonly Item[], isSo: (item: Item) => Promise<boolean>, why?: (item: Item) => Promise<string>,
  ): Promise<void> {
    const { clock, timeoutMs, signal, progress } = this.options;
    const end = clock.now() + timeoutMs;
    let open = items;
    for (;;) {
      const left: Item[] = [];
      await this.each(open, async (item) => void (!(await isSo(item)) && left.push(item)));
      if (left.length === 0) return;
      signal?.throwIfAborted();
      if (clock.now() > end) {
        const told = await Promise.all(left.slice(0, MOST_NAMED).map(async (item) => `${itemTitleOf(item)}${why ? ` (${await why(item)})` : ''}`));
        const more = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : '';
        throw new TransferError(`${left.length} of ${items.length} objects are not ${state}: ${told.join(', ')}${more}. cdk8s-aso why names the cause; then run the transfer again, or take it back with --undo`);
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
