import { sharedKeyOf } from './object-key';
import { type ObjectId, parseObjectKey } from '../../src/object-id';

/** The objects of each Azure resource. ARM IDs are compared case-insensitively. */
export class ResourceIds {
  private readonly idOf = new Map<string, string>();
  /** Nearly every resource has one object: a set of its own for each would be most of what is kept here. */
  private readonly objectsOf = new Map<string, string | Set<string>>();

  public set(key: ObjectId, armId: string | undefined): void {
    const name = sharedKeyOf(key);
    const id = armId?.toLowerCase();
    if (this.idOf.get(name) === id) return;
    this.delete(key);
    if (id === undefined) return;
    this.idOf.set(name, id);
    const others = this.objectsOf.get(id);
    if (others === undefined) this.objectsOf.set(id, name);
    else if (others instanceof Set) others.add(name);
    else this.objectsOf.set(id, new Set([others, name]));
  }

  public delete(key: ObjectId): void {
    const name = sharedKeyOf(key);
    const id = this.idOf.get(name);
    if (id === undefined) return;
    this.idOf.delete(name);
    const objects = this.objectsOf.get(id);
    if (objects instanceof Set && objects.size > 1) objects.delete(name);
    else this.objectsOf.delete(id);
  }

  /** Whether another object has the same resource. */
  public hasOther(key: ObjectId, armId: string): boolean {
    const name = sharedKeyOf(key);
    return textsOf(this.objectsOf.get(armId.toLowerCase())).some((other) => other !== name);
  }

  /** The objects of a resource. */
  public of(armId: string): ObjectId[] {
    return textsOf(this.objectsOf.get(armId.toLowerCase())).map(parseObjectKey);
  }

  /** The objects of what lies in a resource, at any depth. This looks at all ids: only the loss of a resource is a reason. */
  public below(armId: string): ObjectId[] {
    const beginning = `${armId.toLowerCase()}/`;
    const found: ObjectId[] = [];
    for (const [id, objects] of this.objectsOf) if (id.startsWith(beginning)) found.push(...textsOf(objects).map(parseObjectKey));
    return found;
  }
}

function textsOf(objects: string | ReadonlySet<string> | undefined): string[] {
  if (objects === undefined) return [];
  return typeof objects === 'string' ? [objects] : [...objects];
}
