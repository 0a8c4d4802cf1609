import type { Cluster } from './cluster';
import { credentialSecretOf } from './credential-users';
import { textOf } from './object-key';
import type { KubernetesListWatch, KubernetesObject, ObjectKey } from '../kubernetes/types';

export interface FirstLookOptions {
  readonly cluster: Cluster;
  /** Lists of one object: whoever may watch may list, and need not be allowed to read by name. */
  readonly client: Pick<KubernetesListWatch, 'list'>;
}

const MOST_REMEMBERED = 10_000;
/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/ */
const OBJECT_NAME = /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/;

/**
 * Asks the API server for what has a say in the first decision about an object, and is not in the cache. The watch of one kind knows nothing
 * of that of another: an object may be seen before the Secret and the Namespace that were applied before it. Without this it would be made with
 * the global credential (in another subscription, perhaps), or although its namespace says `skip`.
 */
export class FirstLook {
  /** What the server did not have, and the last moment before it was asked. */
  private readonly absent = new Map<string, number>();
  private readonly asked = new Map<string, { readonly moment: number; readonly answer: Promise<void> }>();
  private now = 0;

  public constructor(private readonly options: FirstLookOptions) {}

  /** The present, in questions. */
  public get moment(): number {
    return this.now;
  }

  /**
   * Resolves when the cache knows what was there at the given moment.
   * @param since a moment at which the object itself was there
   * @throws KubernetesError when the server does not tell
   */
  public async before(object: KubernetesObject, since: number): Promise<void> {
    const { namespace = '' } = object.metadata;
    await Promise.all([credentialSecretOf(object), { group: '', kind: 'Namespace', namespace: '', name: namespace }].map((key) => this.look(key, since)));
  }

  private async look(key: ObjectKey, since: number): Promise<void> {
    const watched = this.options.cluster.typeOf(key.group, key.kind);
    // What nobody could list nobody is asked for, nor what cannot be: an annotation may name anything.
    if (!OBJECT_NAME.test(key.name) || !watched || watched.hasSynced === false || this.options.cluster.find(key)) return;
    const text = textOf(key);
    if ((this.absent.get(text) ?? -1) >= since) return;
    const asked = this.asked.get(text);
    if (asked && asked.moment >= since) return asked.answer;
    const answer = this.ask(key, this.now).finally(() => {
      if (this.asked.get(text)?.answer === answer) this.asked.delete(text);
    });
    this.asked.set(text, { moment: this.now, answer });
    this.now += 1;
    return answer;
  }

  private async ask(key: ObjectKey, moment: number): Promise<void> {
    const watched = this.options.cluster.typeOf(key.group, key.kind)!;
    const { items } = await this.options.client.list(watched.type, { namespace: key.namespace || undefined, fieldSelector: `metadata.name=${key.name}` });
    const found = items.find(({ metadata }) => metadata.name === key.name && (metadata.namespace ?? '') === key.namespace);
    if (found) return watched.updateLocal(found);
    this.absent.set(textOf(key), moment);
    if (this.absent.size > MOST_REMEMBERED) this.absent.delete(this.absent.keys().next().value!);
  }
}
