import { groupOf } from '../../../src/object-id';
import type { OwnerReference, StoredObject } from '../objects';
import { without } from '../objects';
import { deleteStored } from './deleter';
import type { Writer } from '../operations/writer';
import type { Registry } from '../resources/registry';
import type { Change } from '../storage/change';
import type { Store } from '../storage/store';

interface Located {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Deletes what has lost its owners, as the garbage collector of a real cluster does: an object goes when none of its
 * owners exists any more. Understands background, foreground and orphaning deletion.
 */
export class GarbageCollector {
  private readonly dependents = new Map<string, Map<string, Located>>();
  private readonly live = new Set<string>();

  public constructor(private readonly store: Store, private readonly registry: Registry, private readonly writer: Writer) {}

  /** Carries out the consequences of a change; to be called some time after it, in the order of the changes. */
  public handle({ type, resource, object, previous }: Change): void {
    const { uid, namespace = '', name } = object.metadata;
    const located = { resource, namespace, name };
    this.forget(previous);
    if (type === 'DELETED') {
      this.live.delete(uid!);
      for (const dependent of this.dependentsOf(uid!)) this.collect(dependent);
    } else {
      this.live.add(uid!);
      this.remember(object, located);
      if (object.metadata.ownerReferences?.length) this.collect(located);
      if (object.metadata.deletionTimestamp) this.release(located, object);
    }
    for (const owner of previous?.metadata.ownerReferences ?? []) this.releaseOwner(owner, namespace);
  }

  private remember(object: StoredObject, located: Located): void {
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const known = this.dependents.get(uid) ?? new Map<string, Located>();
      this.dependents.set(uid, known.set(object.metadata.uid!, located));
    }
  }

  private forget(object: StoredObject | undefined): void {
    for (const { uid } of object?.metadata.ownerReferences ?? []) {
      const known = this.dependents.get(uid);
      known?.delete(object!.metadata.uid!);
      if (known?.size === 0) this.dependents.delete(uid);
    }
  }

  private dependentsOf(uid: string): Located[] {
    return [...(this.dependents.get(uid)?.values() ?? [])];
  }

  /** Deletes the object if all of its owners are gone; takes single ones that are gone out of the list. */
  private collect({ resource, namespace, name }: Located): void {
    const object = this.store.get(resource, namespace, name);
    const owners = object?.metadata.ownerReferences ?? [];
    if (!object || owners.length === 0 || object.metadata.deletionTimestamp) return;
    const present = owners.filter((owner) => this.exists(owner, namespace));
    if (present.length === owners.length) return;
    if (present.length === 0) deleteStored(this.writer, this.registry, resource, object);
    else this.store.put(resource, { ...object, metadata: { ...object.metadata, ownerReferences: present } });
  }

  /** Foreground: the dependents that block go first. Orphan: they are let go. */
  private release(located: Located, object: StoredObject): void {
    const finalizers = object.metadata.finalizers ?? [];
    const dependents = this.dependentsOf(object.metadata.uid!).flatMap((one) => {
      const dependent = this.store.get(one.resource, one.namespace, one.name);
      return dependent ? [{ resource: one.resource, dependent }] : [];
    });
    if (finalizers.includes('orphan')) {
      for (const { resource, dependent } of dependents) {
        const left = dependent.metadata.ownerReferences?.filter((owner) => owner.uid !== object.metadata.uid) ?? [];
        const metadata = without(dependent.metadata, 'ownerReferences');
        this.store.put(resource, { ...dependent, metadata: { ...metadata, ...(left.length > 0 && { ownerReferences: left }) } });
      }
      this.dropFinalizer(located, 'orphan');
    } else if (finalizers.includes('foregroundDeletion')) {
      for (const { resource, dependent } of dependents) {
        if (!dependent.metadata.deletionTimestamp) {
          deleteStored(this.writer, this.registry, resource, dependent, { propagationPolicy: 'Foreground' });
        }
      }
      const blocked = this.dependentsOf(object.metadata.uid!).some((one) => {
        const owners = this.store.get(one.resource, one.namespace, one.name)?.metadata.ownerReferences ?? [];
        return owners.some((owner) => owner.uid === object.metadata.uid && owner.blockOwnerDeletion);
      });
      if (!blocked) this.dropFinalizer(located, 'foregroundDeletion');
    }
  }

  /** A dependent has gone: perhaps it was the last that its owner waited for. */
  private releaseOwner({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): void {
    const resource = this.resourceOf(apiVersion, kind);
    const place = resource && [namespace, ''].find((one) => this.store.get(resource, one, name)?.metadata.uid === uid);
    const owner = resource && place !== undefined ? this.store.get(resource, place, name) : undefined;
    if (resource && owner?.metadata.deletionTimestamp) this.release({ resource, namespace: place!, name }, owner);
  }

  private dropFinalizer({ resource, namespace, name }: Located, finalizer: string): void {
    const object = this.store.get(resource, namespace, name);
    if (!object?.metadata.finalizers?.includes(finalizer)) return;
    const finalizers = object.metadata.finalizers.filter((one) => one !== finalizer);
    if (finalizers.length === 0) this.store.remove(resource, namespace, name);
    else this.store.put(resource, { ...object, metadata: { ...object.metadata, finalizers } });
  }

  /** Owners are in the dependent's namespace or have none; the uid has to be theirs. */
  private exists({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): boolean {
    const resource = this.resourceOf(apiVersion, kind);
    if (!resource) return this.live.has(uid);
    return [namespace, ''].some((place) => this.store.get(resource, place, name)?.metadata.uid === uid);
  }

  private resourceOf(apiVersion: string, kind: string): string | undefined {
    const group = groupOf({ apiVersion });
    const definition = this.registry.findKind(group, kind);
    return definition && (group ? `${definition.plural}.${group}` : definition.plural);
  }
}
