import { isNamespace, type ShardKey } from './ownership';
import { rendezvous } from './rendezvous';

/** By what a replica acts, and what it publishes: plain data. A member with an empty view claims nothing. */
export interface View {
  /** Identities of the replicas that share the work, sorted. */
  readonly members: readonly string[];
  /** Namespaces that are split by owner tree, sorted. */
  readonly split: readonly string[];
}

export const EMPTY_VIEW: View = { members: [], split: [] };

export function sameView(one: View, other: View): boolean {
  return sameTexts(one.members, other.members) && sameTexts(one.split, other.split);
}

export function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

/** Remembered owners of one view. Tenants make keys, so there is a limit. */
const MAX_REMEMBERED = 50_000;

/** A view as a function. */
export class ViewMap {
  private readonly members: ReadonlySet<string>;
  private readonly split: ReadonlySet<string>;
  private readonly owners = new Map<ShardKey, string | undefined>();

  public constructor(public readonly view: View) {
    this.members = new Set(view.members);
    this.split = new Set(view.split);
  }

  public isMember(member: string): boolean {
    return this.members.has(member);
  }

  public isSplit(namespace: string): boolean {
    return this.split.has(namespace);
  }

  /** Whether the member may work on all that the key stands for. */
  public gives(member: string, key: ShardKey): boolean {
    return this.members.has(member) && this.ownerOf(key) === member;
  }

  /**
   * Whether the view gives the member any part of what the key stands for in the other view: a namespace that this view splits overlaps
   * with each of its trees.
   */
  public overlaps(member: string, key: ShardKey, other: ViewMap): boolean {
    if (!this.members.has(member)) return false;
    const isPart = isNamespace(key) && !other.isSplit(key) && this.isSplit(key);
    return isPart || this.ownerOf(key) === member;
  }

  public mayNeed(member: string, namespace: string): boolean {
    return this.members.has(member) && (this.isSplit(namespace) || this.ownerOf(namespace) === member);
  }

  private ownerOf(key: ShardKey): string | undefined {
    const slash = key.indexOf('/');
    const effective = slash > 0 && !this.isSplit(key.slice(0, slash)) ? key.slice(0, slash) : key;
    if (this.owners.has(effective)) return this.owners.get(effective);
    if (this.owners.size >= MAX_REMEMBERED) this.owners.clear();
    const owner = rendezvous(this.view.members, effective);
    this.owners.set(effective, owner);
    return owner;
  }
}
