import type { SandboxClock } from '../clock';
import type { StoredObject } from '../objects';
import { deleteStored } from './deleter';
import { CRD_FINALIZER } from '../operations/crd-rules';
import type { Writer } from '../operations/writer';
import { CRD_RESOURCE } from '../resources/builtin';
import type { Registry } from '../resources/registry';
import type { Change } from '../storage/change';
import type { Store } from '../storage/store';

/** Deletes the content of a deleted namespace or CRD first, then the namespace or CRD itself. */
export class Cleanup {
  /** Namespaces that are being deleted, by uid: what cancels the wait for their content. */
  private readonly terminating = new Map<string, () => void>();

  public constructor(
    private readonly store: Store, private readonly registry: Registry, private readonly writer: Writer,
    private readonly clock: SandboxClock, private readonly namespaceGracePeriod: number,
  ) {}

  public stop(): void {
    for (const cancel of this.terminating.values()) cancel();
    this.terminating.clear();
  }

  public handle({ type, resource, object }: Change): void {
    if (type !== 'DELETED' && object.metadata.deletionTimestamp) {
      if (resource === 'namespaces') return this.terminate(object);
      if (resource === CRD_RESOURCE) return this.emptyResource(object);
    }
    if (type === 'DELETED') this.finishOwnersOf(resource, object);
  }

  private terminate({ metadata: { name, uid = '' } }: StoredObject): void {
    if (this.terminating.has(uid)) return;
    this.terminating.set(uid, this.clock.schedule(this.namespaceGracePeriod, () => {
      this.terminating.delete(uid);
      if (this.store.get('namespaces', '', name)?.metadata.uid === uid) this.emptyNamespace(name);
    }));
  }

  private emptyNamespace(name: string): void {
    for (const { resource, object } of this.contentOf(name)) {
      if (!object.metadata.deletionTimestamp) deleteStored(this.writer, this.registry, resource, object);
    }
    this.finishNamespace(name);
  }

  private emptyResource({ metadata: { name } }: StoredObject): void {
    for (const object of this.store.list(name)) {
      if (!object.metadata.deletionTimestamp) deleteStored(this.writer, this.registry, name, object);
    }
    this.finishResource(name);
  }

  /** Something is gone: perhaps it was the last that a namespace or a CRD waited for. */
  private finishOwnersOf(resource: string, object: StoredObject): void {
    if (object.metadata.namespace) this.finishNamespace(object.metadata.namespace);
    this.finishResource(resource);
  }

  private finishNamespace(name: string): void {
    const namespace = this.store.get('namespaces', '', name);
    if (!namespace?.metadata.deletionTimestamp || this.contentOf(name).length > 0) return;
    if (namespace.metadata.finalizers?.length) {
      const spec = namespace.spec as { finalizers?: string[] } | undefined;
      if (spec?.finalizers?.length) this.store.put('namespaces', { ...namespace, spec: { ...spec, finalizers: [] } });
    } else {
      this.store.remove('namespaces', '', name);
    }
  }

  private finishResource(resource: string): void {
    const crd = this.store.get(CRD_RESOURCE, '', resource);
    if (!crd?.metadata.deletionTimestamp || !crd.metadata.finalizers?.includes(CRD_FINALIZER) || this.store.list(resource).length > 0) {
      return;
    }
    const finalizers = crd.metadata.finalizers.filter((finalizer) => finalizer !== CRD_FINALIZER);
    if (finalizers.length === 0) this.store.remove(CRD_RESOURCE, '', resource);
    else this.store.put(CRD_RESOURCE, { ...crd, metadata: { ...crd.metadata, finalizers } });
  }

  private contentOf(namespace: string): { resource: string; object: StoredObject }[] {
    return this.store.resources.flatMap((resource) => this.store.list(resource, namespace).map((object) => ({ resource, object })))
      .filter(({ object }) => object.metadata.namespace === namespace);
  }
}
