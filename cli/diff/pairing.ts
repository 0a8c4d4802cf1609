import { foldedId, type AzureItem, type Synth } from './synth';

/** A resource whose object has another name or namespace now. */
export interface Move {
  readonly from: AzureItem;
  readonly to: AzureItem;
  /** Whether the old object is still there in the new synth. */
  readonly fromStays: boolean;
  /** Whether the new object was there already in the old synth. */
  readonly toWasThere: boolean;
}

/** Which object of the one synth is which of the other. */
export class Pairing {
  public readonly both: readonly (readonly [old: AzureItem, next: AzureItem])[];
  public readonly moves: readonly Move[];
  /** Gone, and nobody else stands for the resource. */
  public readonly removed: readonly AzureItem[];
  /** New, and nobody else stands for the resource. */
  public readonly added: readonly AzureItem[];
  /** Key of a new object → key of the old one that stands for the same thing. */
  private readonly oldKeys = new Map<string, string>();

  public constructor(private readonly old: Synth, private readonly next: Synth) {
    const oldByKey = new Map(old.azure.map((item) => [item.key, item]));
    const newByKey = new Map(next.azure.map((item) => [item.key, item]));
    this.both = next.azure.flatMap((item) => {
      const before = oldByKey.get(item.key);
      return before ? [[before, item] as const] : [];
    });
    const gone = old.azure.filter(({ key }) => !newByKey.has(key));
    const come = next.azure.filter(({ key }) => !oldByKey.has(key));
    const goneMoves = gone.flatMap((from): Move[] => {
      // An object that had another resource before does not take this one over: neither its name nor its owner can change.
      const holders = next.holdersOf(from.armId).filter((to) => isSameKind(from, to) && isSameOrAbsent(oldByKey.get(to.key), from));
      // Somebody new before somebody who was there.
      const to = holders.find(({ key }) => !oldByKey.has(key)) ?? holders[0];
      return to ? [{ from, to, fromStays: false, toWasThere: oldByKey.has(to.key) }] : [];
    });
    const reached = new Set(goneMoves.map(({ to }) => to.key));
    const comeMoves = come.flatMap((to): Move[] => {
      if (reached.has(to.key)) return [];
      // An object that has another resource now no longer stands for this one.
      const holders = old.holdersOf(to.armId).filter((item) => isSameKind(item, to) && isSameOrAbsent(newByKey.get(item.key), to));
      // Somebody who stays before somebody who is gone (and has another successor, too).
      const from = holders.find(({ key }) => newByKey.has(key)) ?? holders[0];
      return from ? [{ from, to, fromStays: newByKey.has(from.key), toWasThere: false }] : [];
    });
    this.moves = [...goneMoves, ...comeMoves];
    for (const { from, to, fromStays, toWasThere } of this.moves) if (!fromStays && !toWasThere) this.oldKeys.set(to.key, from.key);
    const moved = new Set(this.moves.flatMap(({ from, to }) => [from.key, to.key]));
    this.removed = gone.filter(({ key }) => !moved.has(key));
    this.added = come.filter(({ key }) => !moved.has(key));
  }

  /** What a resource is in both synths, whatever its object is called: equal for the same resource. */
  public identityOf(item: AzureItem, side: Synth): string {
    return side === this.next ? this.oldKeys.get(item.key) ?? item.key : item.key;
  }

  /** The same for what is named and is not among the objects of its side: what the other side has of that name. */
  public identityOfMissing(key: string, side: Synth): string {
    const other = this.otherThan(side);
    const elsewhere = other.azureAt(key);
    return elsewhere ? this.identityOf(elsewhere, other) : key;
  }

  /** The same for what is named only by ARM id: the object that has it, or the id. */
  public identityOfId(armId: string, side: Synth): string {
    const holder = side.holdersOf(armId)[0];
    if (holder) return this.identityOf(holder, side);
    // Where only the other side has the object, the id means that one.
    const other = this.otherThan(side);
    const elsewhere = other.holdersOf(armId)[0];
    return elsewhere ? this.identityOf(elsewhere, other) : foldedId(armId)!;
  }

  private otherThan(side: Synth): Synth {
    return side === this.old ? this.next : this.old;
  }
}

/** Whether an object is not there, or stands for the same resource as another one. */
function isSameOrAbsent(item: AzureItem | undefined, other: AzureItem): boolean {
  return item === undefined || foldedId(item.armId) === foldedId(other.armId);
}

function isSameKind(a: AzureItem, b: AzureItem): boolean {
  return a.group === b.group && a.kind === b.kind;
}
