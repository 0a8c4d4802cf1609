import type { Item } from './item';
import { valueAt } from './read';
import { isRecord } from '../../src/util/records';

/** An export to a ConfigMap or Secret. */
export interface Exported {
  readonly item: Item;
  /** Name of the output in the spec, e.g. `principalId`. */
  readonly output: string;
}

export type Store = 'ConfigMap' | 'Secret';

/** The objects of all files, indexed by the names that references use. */
export class Neighbours {
  private readonly byName = new Map<string, Item>();
  private readonly exports = new Map<string, Exported>();

  public constructor(items: readonly Item[]) {
    for (const item of items) {
      if (item.name === undefined) continue;
      const key = keyOf(item.namespace, item.group, item.kind, item.name);
      if (!this.byName.has(key)) this.byName.set(key, item);
      if (item.version) this.addExports(item);
    }
  }

  /** The object in the same namespace that a reference names. */
  public find(namespace: string | undefined, group: string, kind: string, name: string): Item | undefined {
    return this.byName.get(keyOf(namespace, group, kind, name));
  }

  /** The object that exports a key of a ConfigMap or Secret. */
  public producer(store: Store, namespace: string | undefined, name: string, key: string): Exported | undefined {
    return this.exports.get(keyOf(namespace, store, name, key));
  }

  private addExports(item: Item): void {
    const { configMaps, configMapsProperty = 'configMaps', secrets } = item.version!.facts.exports ?? {};
    this.addDestinations(item, 'ConfigMap', configMapsProperty, Object.keys(configMaps ?? {}));
    this.addDestinations(item, 'Secret', 'secrets', secrets ?? []);
  }

  private addDestinations(item: Item, store: Store, property: string, outputs: readonly string[]): void {
    for (const output of outputs) {
      const destination = valueAt(item.object, ['spec', 'operatorSpec', property, output]);
      if (!isRecord(destination) || typeof destination.name !== 'string' || typeof destination.key !== 'string') continue;
      const key = keyOf(item.namespace, store, destination.name, destination.key);
      if (!this.exports.has(key)) this.exports.set(key, { item, output });
    }
  }
}

function keyOf(...parts: (string | undefined)[]): string {
  return parts.map((part) => part ?? '').join('/');
}
