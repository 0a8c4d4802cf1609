import type { Faults } from './faults';
import type { KubeModel } from './kube-model';
import type { Process } from './process';
import type { Random } from './random';
import {
  KubernetesError, type KubernetesClient, type KubernetesListWatch, type KubernetesObject, type ObjectList, type PatchType, type ResourceType,
  type WatchEvent, type WatchOptions,
} from '../../controller/kubernetes/types';

export interface LinkOptions {
  readonly process: Process;
  readonly random: Random;
  readonly faults: Faults;
  /** Where the process may be killed. */
  readonly mayDie: () => void;
  readonly log: (line: string) => void;
}

/** The connection of one process to the API server: slow, and now and then broken on the way there or back. */
export class KubeLink implements KubernetesClient, KubernetesListWatch {
  public constructor(private readonly model: KubeModel, private readonly options: LinkOptions & { readonly onSent: (object: unknown) => void }) {}

  public async get(type: ResourceType, name: string, namespace?: string): Promise<KubernetesObject | undefined> {
    return this.request(`get ${type.kind}/${name}`, () => this.model.get(type, namespace, name));
  }

  public async create(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    this.options.onSent(object);
    return this.request(`create ${type.kind}/${object.metadata.name}`, () => this.model.create(type, object, 'controller'));
  }

  public async replace(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    this.options.onSent(object);
    return this.request(`replace ${type.kind}/${object.metadata.name}`, () => this.model.replace(type, object, 'controller'));
  }

  public async replaceStatus(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    this.options.onSent(object);
    return this.request(`status ${type.kind}/${object.metadata.name}`, () => this.model.replaceStatus(type, object, 'controller'));
  }

  public async patch(
    type: ResourceType, name: string, namespace: string | undefined, patch: unknown, patchType: PatchType,
  ): Promise<KubernetesObject> {
    if (patchType !== 'application/merge-patch+json') throw new Error(`not played: ${patchType}`);
    this.options.onSent({ apiVersion: type.version, kind: type.kind, metadata: { name, namespace, ...(patch as { metadata: object }).metadata } });
    return this.request(`patch ${type.kind}/${name}`, () => this.model.patch(type, namespace, name, patch as { metadata: object }, 'controller'));
  }

  public async delete(): Promise<void> {
    throw new Error('the controller deletes no objects');
  }

  public async discover(): Promise<ResourceType[]> {
    return [];
  }

  public async list(type: ResourceType): Promise<ObjectList> {
    return this.request(`list ${type.kind}`, () => this.model.list(type));
  }

  /** Events come late, twice, or not at all until the next watch; those of one type keep their order, those of several do not. */
  public async *watch(type: ResourceType, { resourceVersion, timeoutSeconds }: WatchOptions, signal: AbortSignal): AsyncIterable<WatchEvent> {
    const { process, random, faults } = this.options;
    await process.sleep(random.between(1, 20), signal);
    if (faults.strikes('lostWatches', 0.1)) throw new KubernetesError(410, 'Expired', 'too old resource version');
    let last = Number(resourceVersion);
    const ends = process.now() + timeoutSeconds * 1_000;
    for (;;) {
      const news = this.model.since(type, last);
      if (news.length > 0) {
        await process.sleep(this.lateness(), signal);
        if (faults.strikes('lostWatches', 0.03)) throw new KubernetesError(0, 'NoAnswer', 'the connection broke');
        for (const event of news) {
          last = event.version;
          yield event;
          if (faults.strikes('duplicates', 0.1)) yield event;
        }
        continue;
      }
      if (process.now() >= ends) return;
      await this.nextWrite(type, Math.max(ends - process.now(), 1), signal);
      if (signal.aborted) return;
    }
  }

  private lateness(): number {
    const { random, faults } = this.options;
    return faults.strikes('staleCaches', 0.15) ? random.between(1_000, 45_000) : random.between(1, 30);
  }

  private nextWrite(type: ResourceType, within: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancelTimer();
        cancelWait();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const cancelTimer = this.options.process.schedule(within, done);
      const cancelWait = this.model.onceWritten(type, done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  private async request<T>(what: string, act: () => T): Promise<T> {
    const { process, random, faults, mayDie, log } = this.options;
    mayDie();
    await process.goesOn();
    await process.sleep(random.between(1, faults.strikes('kubeErrors', 0.05) ? 3_000 : 15));
    if (faults.strikes('kubeErrors', 0.02)) throw new KubernetesError(500, 'InternalError', 'etcdserver: request timed out');
    if (faults.strikes('kubeLost', 0.02)) throw await this.lost();
    let outcome: { readonly value: T } | { readonly error: unknown };
    try {
      outcome = { value: act() };
    } catch (error) {
      outcome = { error };
    }
    log(`kube ${what}${'error' in outcome ? `: ${(outcome.error as Error).message.slice(0, 60)}` : ''}`);
    mayDie();
    await process.goesOn();
    await process.sleep(random.between(1, 15));
    if (faults.strikes('kubeLost', 0.02)) throw await this.lost();
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  private async lost(): Promise<KubernetesError> {
    await this.options.process.sleep(this.options.random.between(10, 30_000));
    return new KubernetesError(0, 'NoAnswer', 'socket hang up');
  }
}
