import { foldedId, type AzureItem, type Synth } from './synth';

/** A resource whose object has another name or namespace in the new synth. */
export interface Move {
  readonly from: AzureItem;
  readonly to: AzureItem;
  /** Whether the new synth still has the old object. */
  readonly fromStays: boolean;
  /** Whether the old synth already had the new object. */
  readonly toWasThere: boolean;
}

/** Pairs the objects of two synths. */
export class Pairing {
  public readonly both: readonly (readonly [old: AzureItem, next: AzureItem])[];
  public readonly moves: readonly Move[];
  /** Objects that are removed and whose resource no other object manages. */
  public readonly removed: readonly AzureItem[];
  /** Objects that are added and whose resource no other object manages. */
  public readonly added: readonly AzureItem[];
  /** Key of a new object → key of the old object of the same resource. */
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
      // An object that managed another resource before cannot take this one over: its name and owner cannot change.
      const holders = next.holdersOf(from.armId).filter((to) => isSameKind(from, to) && isSameOrAbsent(oldByKey.get(to.key), from));
      // A new object takes precedence over one that existed before.
      const to = holders.find(({ key }) => !oldByKey.has(key)) ?? holders[0];
      return to ? [{ from, to, fromStays: false, toWasThere: oldByKey.has(to.key) }] : [];
    });
    const reached = new Set(goneMoves.map(({ to }) => to.key));
    const comeMoves = come.flatMap((to): Move[] => {
      if (reached.has(to.key)) return [];
      // An object that manages another resource now no longer manages this one.
      const holders = old.holdersOf(to.armId).filter((item) => isSameKind(item, to) && isSameOrAbsent(newByKey.get(item.key), to));
      // An object that stays takes precedence over a removed one, which has another successor.
      const from = holders.find(({ key }) => newByKey.has(key)) ?? holders[0];
      return from ? [{ from, to, fromStays: newByKey.has(from.key), toWasThere: false }] : [];
    });
    this.moves = [...goneMoves, ...comeMoves];
    for (const { from, to, fromStays, toWasThere } of this.moves) if (!fromStays && !toWasThere) this.oldKeys.set(to.key, from.key);
    const moved = new Set(this.moves.flatMap(({ from, to }) => [from.key, to.key]));
    this.removed = gone.filter(({ key }) => !moved.has(key));
    this.added = come.filter(({ key }) => !moved.has(key));
  }

  /** The identity of a resource in both synths, independent of the name of its object. */
  public identityOf(item: AzureItem, side: Synth): string {
    return side === this.next ? this.oldKeys.get(item.key) ?? item.key : item.key;
  }

  /** The identity of a name that its own synth does not have: the object of that name in the other synth. */
  public identityOfMissing(key: string, side: Synth): string {
    const other = this.otherThan(side);
    const elsewhere = other.azureAt(key);
    return elsewhere ? this.identityOf(elsewhere, other) : key;
  }

  /** The identity of an ARM id: the object that manages the resource, or the id itself. */
  public identityOfId(armId: string, side: Synth): string {
    const holder = side.holdersOf(armId)[0];
    if (holder) return this.identityOf(holder, side);
    // When only the other synth has the object, the id refers to that object.
    const other = this.otherThan(side);
    const elsewhere = other.holdersOf(armId)[0];
    return elsewhere ? this.identityOf(elsewhere, other) : foldedId(armId)!;
  }

  private otherThan(side: Synth): Synth {
    return side === this.old ? this.next : this.old;
  }
}

/** Whether an item is absent or manages the same resource as another item. */
function isSameOrAbsent(item: AzureItem | undefined, other: AzureItem): boolean {
  return item === undefined || foldedId(item.armId) === foldedId(other.armId);
}

function isSameKind(a: AzureItem, b: AzureItem): boolean {
  return a.group === b.group && a.kind === b.kind;
}
