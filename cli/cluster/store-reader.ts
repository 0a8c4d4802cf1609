import { atATime } from './at-a-time';
import { AT_A_TIME } from './azure-objects';
import type { ClusterReader } from './reader';
import { CONFIG_MAPS, SECRETS } from './resource-types';
import { storeFactsOf, type StoreAnswer, type Stores, type Unread } from '../../engine/inspect';
import { causeOf } from '../../engine/kubernetes/cache-state';
import { KubernetesError } from '../../engine/kubernetes/types';
import { configMapIdOf, type ObjectId, objectKeyOf, secretIdOf } from '../../src/object-id';


/** Reads single Secrets and ConfigMaps, and keeps their keys only. */
export class StoreReader implements Stores {
  public readonly unread: Unread[] = [];
  private readonly known = new Map<string, StoreAnswer>();

  public constructor(private readonly reader: Pick<ClusterReader, 'get'>) {}

  public secret(namespace: string, name: string): StoreAnswer {
    return this.known.get(objectKeyOf(secretIdOf(namespace, name))) ?? 'unknown';
  }

  public configMap(namespace: string, name: string): StoreAnswer {
    return this.known.get(objectKeyOf(configMapIdOf(namespace, name))) ?? 'unknown';
  }

  /** Answers whether anything new was read. */
  public async read(names: readonly ObjectId[]): Promise<boolean> {
    const open = names.filter(({ kind, namespace, name }) => !this.known.has(objectKeyOf({ group: '', kind, namespace, name })));
    await atATime(open, AT_A_TIME, (name) => this.readOne(name));
    return open.length > 0;
  }

  /** Everything is read again when it is needed. */
  public forget(): void {
    this.known.clear();
    this.unread.length = 0;
  }

  private async readOne({ kind, namespace, name }: ObjectId): Promise<void> {
    const key = objectKeyOf({ group: '', kind, namespace, name });
    try {
      const found = name === '' ? undefined : await this.reader.get(kind === 'Secret' ? SECRETS : CONFIG_MAPS, name, namespace);
      this.known.set(key, found ? storeFactsOf({ ...found, kind }) : 'absent');
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status === 0) throw error;
      this.known.set(key, error.status === 404 ? 'absent' : 'unknown');
      if (error.status !== 404 && !this.unread.some((one) => one.kind === kind && one.namespace === namespace)) {
        this.unread.push({ group: '', kind, namespace, why: causeOf(error) });
      }
    }
  }
}
