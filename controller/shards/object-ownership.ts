import type { TreeRoots } from './owner-roots';
import { OwnershipLostError } from '../../engine/not-leading-error';
import { treeKey, type Assignment, type Ownership } from '../../runtime/shards/ownership';
import type { ObjectId } from '../../src/object-id';

/** The objects that this replica looks after: ownership of keys, seen from objects. */
export class ObjectOwnership {
  /** @param roots needed where namespaces are split. Default: no root is known, so nothing of a split namespace is owned. */
  public constructor(private readonly ownership: Ownership, private readonly roots?: TreeRoots) {}

  /** The key whose owner looks after an object; undefined: not known. */
  public keyOf(object: ObjectId, { isSplit }: Pick<Ownership, 'isSplit'> = this.view): string | undefined {
    const { group, namespace } = object;
    if (group === '' || namespace === '' || !isSplit(namespace)) return namespace;
    const root = this.roots?.rootOf(object);
    return root === undefined ? undefined : treeKey(namespace, root);
  }

  /** Whether this replica may write for the object now. */
  public owns(object: ObjectId): boolean {
    const key = this.keyOf(object);
    return key !== undefined && this.ownership.owns(key) && this.isSettled(object);
  }

  /** Whether the object, in a namespace that is split, has been in its tree for long enough. */
  public isSettled(object: ObjectId): boolean {
    return object.group === '' || !this.ownership.isSplit(object.namespace) || this.roots?.isSettled(object) === true;
  }

  /**
   * To be called before each write to Azure, and `fence` after it.
   * @throws OwnershipLostError
   */
  public async confirm(object: ObjectId): Promise<void> {
    if (this.ownership.isSplit(object.namespace)) await this.roots?.confirm(object);
  }

  /** Whether the object would be this replica's under an assignment. */
  public ownsUnder(assignment: Pick<Assignment, 'owns' | 'isSplit'>, object: ObjectId): boolean {
    const key = this.keyOf(object, { isSplit: (namespace) => assignment.isSplit(namespace) });
    return key !== undefined && assignment.owns(key);
  }

  /** Whether this replica keeps the objects of a namespace in memory. */
  public watches(namespace: string): boolean {
    return this.ownership.watches(namespace);
  }

  /**
   * To be called just before each write for an object.
   * @throws OwnershipLostError
   */
  public fence(object: ObjectId): void {
    if (!this.owns(object)) throw new OwnershipLostError(`${object.kind} ${object.namespace}/${object.name}`);
  }

  private get view(): Pick<Ownership, 'isSplit'> {
    return { isSplit: (namespace) => this.ownership.isSplit(namespace) };
  }
}
