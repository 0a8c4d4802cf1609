import type { KubernetesObject, ObjectStore } from '../kubernetes/types';

/** Objects by namespace and name. */
export class ObjectMap implements ObjectStore {
  private readonly namespaces = new Map<string, Map<string, KubernetesObject>>();
  private count = 0;

  public get size(): number {
    return this.count;
  }

  public get(namespace: string, name: string): KubernetesObject | undefined {
    return this.namespaces.get(namespace)?.get(name);
  }

  public list(namespace?: string): KubernetesObject[] {
    if (namespace !== undefined) return [...(this.namespaces.get(namespace)?.values() ?? [])];
    return [...this.namespaces.values()].flatMap((objects) => [...objects.values()]);
  }

  public set(object: KubernetesObject): void {
    const namespace = object.metadata.namespace ?? '';
    let objects = this.namespaces.get(namespace);
    if (!objects) this.namespaces.set(namespace, (objects = new Map()));
    if (!objects.has(object.metadata.name)) this.count += 1;
    objects.set(object.metadata.name, object);
  }

  public delete(namespace: string, name: string): void {
    const objects = this.namespaces.get(namespace);
    if (!objects?.delete(name)) return;
    this.count -= 1;
    if (objects.size === 0) this.namespaces.delete(namespace);
  }
}
