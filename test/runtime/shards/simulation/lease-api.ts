import { KubernetesError, type KubernetesClient, type KubernetesListWatch, type KubernetesObject } from '../../../../engine/kubernetes/types';
import type { Random } from '../../../simulation/random';
import type { Scheduler } from '../../../simulation/scheduler';

/** How requests of one process travel. */
export interface Link {
  /** `cut`: nothing arrives. `mute`: requests arrive, answers do not. `slow`: seconds. `lossy`: each way loses something now and then. */
  trouble: 'none' | 'cut' | 'mute' | 'slow' | 'lossy';
}

export type LeaseClient = Pick<KubernetesClient, 'get' | 'create' | 'replace' | 'delete'> & Pick<KubernetesListWatch, 'list'>;

/** The Leases of one namespace: every request is one step, in one order, and a PUT needs the current version. */
export class LeaseApi {
  public readonly leases = new Map<string, KubernetesObject>();
  /** When a Lease was deleted by hand last. */
  public deletedAt = -Infinity;
  public requests = 0;
  /** Called when a DELETE has arrived, before it is carried out. */
  public beforeDelete?: (name: string) => void;
  private version = 0;

  public constructor(private readonly scheduler: Scheduler, private readonly random: Random) {}

  /** @param deliver runs something in the process, as soon as it runs */
  public clientOf(link: Link, deliver: (act: () => void) => void): LeaseClient {
    const send = <T>(act: () => T) => this.travel(link, deliver, act);
    return {
      get: (_, name) => send(() => this.leases.get(name)),
      create: (_, object) => send(() => {
        if (this.leases.has(object.metadata.name)) throw new KubernetesError(409, 'AlreadyExists', 'exists');
        this.version += 1;
        return this.store(object, `uid-${this.version}`);
      }),
      replace: (_, object) => send(() => {
        const known = this.leases.get(object.metadata.name);
        if (!known) throw new KubernetesError(404, 'NotFound', 'not found');
        if (known.metadata.resourceVersion !== object.metadata.resourceVersion) throw new KubernetesError(409, 'Conflict', 'modified');
        // A PUT that changes nothing makes no version.
        if (JSON.stringify(known) === JSON.stringify(object)) return known;
        this.version += 1;
        return this.store(object, known.metadata.uid!);
      }),
      delete: (_, name, __, preconditions) => send(() => {
        this.beforeDelete?.(name);
        const known = this.leases.get(name);
        if (!known) throw new KubernetesError(404, 'NotFound', 'not found');
        const { uid, resourceVersion } = preconditions ?? {};
        const isOther = (uid ?? known.metadata.uid) !== known.metadata.uid;
        const isChanged = (resourceVersion ?? known.metadata.resourceVersion) !== known.metadata.resourceVersion;
        if (isOther || isChanged) throw new KubernetesError(409, 'Conflict', 'modified');
        this.leases.delete(name);
      }),
      list: (_, { labelSelector = '' }) => send(() => ({
        resourceVersion: String(this.version),
        items: [...this.leases.values()].filter(({ metadata: { labels = {} } }) => {
          const [label, value] = labelSelector.split('=');
          return labels[label!] === value;
        }),
      })),
    };
  }

  private store(object: KubernetesObject, uid: string): KubernetesObject {
    const stored: KubernetesObject = { ...object, metadata: { ...object.metadata, uid, resourceVersion: String(this.version) } };
    this.leases.set(object.metadata.name, stored);
    return stored;
  }

  private travel<T>(link: Link, deliver: (act: () => void) => void, act: () => T): Promise<T> {
    this.requests += 1;
    const { random, scheduler } = this;
    const delay = () => (link.trouble === 'slow' ? random.between(100, 4_000) : random.between(1, 25));
    const isLost = () => link.trouble === 'lossy' && random.chance(0.2);
    return new Promise((resolve, reject) => {
      const refused = () => deliver(() => reject(new KubernetesError(0, 'ECONNRESET', 'no answer')));
      scheduler.after(delay(), () => {
        // Half of the connections break, half of them hang.
        if (link.trouble === 'cut' || isLost()) return random.chance(0.5) ? refused() : undefined;
        let answer: () => void;
        try {
          const result = act();
          answer = () => resolve(result);
        } catch (error) {
          answer = () => reject(error as Error);
        }
        scheduler.after(delay(), () => {
          if (link.trouble === 'mute' || link.trouble === 'cut' || isLost()) return random.chance(0.5) ? refused() : undefined;
          deliver(answer);
        });
      });
    });
  }
}
