import type { CachedObject } from '../../engine/kubernetes';
import { type ObjectId, objectKeyOf } from '../../src/object-id';
import { changeOf } from '../render/object-reads';
import type { ObjectRead } from '../render/types';

interface Reader {
  readonly claim: ObjectId;
  readonly read: ObjectRead;
}

/** The claims that have read an object, and what they have seen of it. */
export class ReadIndex {
  /** By the key of the object, then by that of the claim. */
  private readonly readers = new Map<string, Map<string, Reader>>();
  /** By the key of the claim. */
  private readonly reads = new Map<string, readonly ObjectRead[]>();

  /** Replaces the objects that the claim has read. */
  public set(claim: ObjectId, reads: readonly ObjectRead[]): void {
    this.forget(claim);
    if (reads.length === 0) return;
    const text = objectKeyOf(claim);
    this.reads.set(text, reads);
    for (const read of reads) this.readersOf(objectKeyOf(read)).set(text, { claim, read });
  }

  public of(claim: ObjectId): readonly ObjectRead[] {
    return this.reads.get(objectKeyOf(claim)) ?? [];
  }

  public forget(claim: ObjectId): void {
    const text = objectKeyOf(claim);
    for (const read of this.reads.get(text) ?? []) {
      const key = objectKeyOf(read);
      const readers = this.readers.get(key);
      readers?.delete(text);
      if (readers?.size === 0) this.readers.delete(key);
    }
    this.reads.delete(text);
  }

  /** The claims for which the object is another one than what they have seen. */
  public changed(object: ObjectId, found: CachedObject): readonly { readonly claim: ObjectId; readonly change: 'status' | 'object' }[] {
    return [...this.readers.get(objectKeyOf(object))?.values() ?? []].flatMap(({ claim, read }) => {
      const change = changeOf(read, found);
      return change === undefined || change === 'none' ? [] : [{ claim, change }];
    });
  }

  private readersOf(key: string): Map<string, Reader> {
    let readers = this.readers.get(key);
    if (!readers) this.readers.set(key, readers = new Map());
    return readers;
  }
}
