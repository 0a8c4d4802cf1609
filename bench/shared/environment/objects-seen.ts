import { setMaxListeners } from 'node:events';
import { isReady, readyOf } from '../../../controller/reconcile/core/conditions';
import { ResourceInformer } from '../../../engine/informers';
import { type KubernetesObject, type KubernetesListWatch, type ResourceType } from '../../../engine/kubernetes';

/** Since when an object is in sync with its spec. */
interface Seen {
  readonly generation: number;
  readonly settledAt?: number | undefined;
}

export const nameOf = ({ kind, metadata: { namespace, name } }: KubernetesObject): string => `${kind} ${namespace}/${name}`;

/** Watches objects as a user does: when did each become Ready, with the spec that it has now? */
export class ObjectsSeen {
  private readonly seen = new Map<string, Seen>();
  private readonly stop = new AbortController();

  /** Resolves when all types are watched. */
  public async watch(api: KubernetesListWatch, types: readonly ResourceType[]): Promise<void> {
    setMaxListeners(0, this.stop.signal);
    await Promise.all(types.map((type) => {
      const informer = new ResourceInformer(api, type, { transform: small });
      informer.onEvent(({ type: what, object }) => {
        if (what === 'DELETED') this.seen.delete(nameOf(object));
        else this.see(object);
      });
      return informer.start(this.stop.signal);
    }));
  }

  public end(): void {
    this.stop.abort(new Error('done'));
  }

  public get count(): number {
    return this.seen.size;
  }

  public settled(names: Iterable<string>): number {
    let count = 0;
    for (const name of names) if (this.seen.get(name)?.settledAt !== undefined) count += 1;
    return count;
  }

  public unsettled(names: Iterable<string>): string[] {
    return [...names].filter((name) => this.seen.get(name)?.settledAt === undefined);
  }

  /** Since when the object is in sync with its spec of that generation, or a later one; in milliseconds since the epoch. */
  public settledAt(name: string, generation = 0): number | undefined {
    const known = this.seen.get(name);
    return known && known.generation >= generation ? known.settledAt : undefined;
  }

  private see(object: KubernetesObject): void {
    const name = nameOf(object);
    const generation = object.metadata.generation ?? 0;
    const settled = isReady(object) && readyOf(object)!.observedGeneration === generation;
    const known = this.seen.get(name);
    this.seen.set(name, { generation, settledAt: settled ? known?.settledAt ?? Date.now() : undefined });
  }
}

/** The members that the bench reads: thousands of objects are kept. */
function small({ apiVersion, kind, metadata, status }: KubernetesObject): KubernetesObject {
  const { name, namespace, uid, resourceVersion, generation } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(generation !== undefined && { generation }),
    },
    status: status?.conditions ? { conditions: status.conditions } : {},
  };
}
