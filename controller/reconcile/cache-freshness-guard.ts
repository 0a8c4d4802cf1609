import type { Cluster } from './cluster';
import { credentialSecretOf } from './credential-users';
import { sharedKeyOf } from './object-key';
import type { Clock } from '../../engine/clock';
import { causeOf, unknownState, UnknownStateError } from '../../engine/kubernetes/cache-state';
import { isOlder } from '../../engine/kubernetes/resource-version';
import type { KubernetesListWatch, KubernetesObject } from '../../engine/kubernetes/types';
import { type ObjectId, objectIdOf } from '../../src/object-id';
import { setNewest } from '../../src/util/set-newest';

export interface CacheFreshnessGuardOptions {
  readonly cluster: Cluster;
  /** Lists with a field selector for one object: a role that may watch may list, but need not be allowed to get by name. */
  readonly client: Pick<KubernetesListWatch, 'list'>;
  readonly clock: Clock;
  /** Default: `CONFIRMATION_INTERVAL`. */
  readonly confirmationInterval?: number;
}

const MOST_REMEMBERED = 10_000;
/** An answer of the API server is valid for all objects of a namespace for this time. Milliseconds. */
export const FRESH_FOR = 10_000;
/**
 * From one question about an object to the next, in milliseconds, where the one who asks is in no hurry: new objects of a namespace that
 * are applied one after the other share an answer.
 */
export const CONFIRMATION_INTERVAL = 100;
/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/ */
const OBJECT_NAME = /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/;

interface Question {
  /** The answer includes all changes made before this moment. */
  readonly moment: number;
  readonly at: number;
}

/**
 * Confirms with the API server the objects on which a write to Azure depends. Watches of different kinds are not ordered, and a watch may
 * be late, or dead without a sign for minutes: an object may be seen before the Secret and the Namespace that were applied before it, and
 * a policy that was set before a deletion may be seen after it. One answer counts for all objects that existed when it was requested, for
 * `FRESH_FOR`.
 */
export class CacheFreshnessGuard {
  private readonly answered = new Map<string, Question>();
  private readonly asked = new Map<string, Question & { readonly answer: Promise<void> }>();
  /** Questions that will be asked, for all who want to know by then. */
  private readonly due = new Map<string, Promise<void>>();
  private now = 0;

  public constructor(private readonly options: CacheFreshnessGuardOptions) {}

  /** The present moment, counted in requests. */
  public get moment(): number {
    return this.now;
  }

  /**
   * Resolves when the cache has the Namespace and the credential's Secret as of the given moment, or later.
   * @param since a moment at which the object was in its current state
   * @param isHurried whether to ask at once; otherwise some milliseconds may pass, for others who want to know the same
   * @throws UnknownStateError when the API server does not answer
   */
  public async confirmSurroundings(object: KubernetesObject, since: number, isHurried = true): Promise<void> {
    const { namespace = '' } = object.metadata;
    await Promise.all(
      [credentialSecretOf(object), { group: '', kind: 'Namespace', namespace: '', name: namespace }].map((key) => (
        this.confirm(key, since, isHurried)
      )),
    );
  }

  /**
   * Resolves when the cache has the current state of the object itself.
   * @throws UnknownStateError when the API server does not answer
   */
  public async confirmOwn(object: KubernetesObject): Promise<void> {
    const key = objectIdOf(object);
    this.options.cluster.find(key);
    await this.confirm(key, this.now);
  }

  /**
   * Resolves when the cache has the object as of the given moment, or later. An object that cannot be read at all is left to the reader.
   */
  public async confirm(key: ObjectId, since: number, isHurried = true): Promise<void> {
    const { cluster } = this.options;
    // An annotation may hold any text; a text that is no valid object name is not requested.
    if (!OBJECT_NAME.test(key.name) || cluster.stateOf(key.group, key.kind, key.namespace).state === 'unknown') return;
    const text = sharedKeyOf(key);
    const answered = this.answered.get(text);
    if (this.isGood(answered, since)) return;
    const asked = this.asked.get(text);
    if (asked && this.isGood(asked, since)) return asked.answer;
    return isHurried ? this.askNow(text, key) : this.due.get(text) ?? this.askInTime(text, key, asked ?? answered);
  }

  private isGood(question: Question | undefined, since: number): boolean {
    return question !== undefined && question.moment >= since && this.options.clock.now() - question.at <= FRESH_FOR;
  }

  /** Asks at once, or some time after the last question about the object. */
  private askInTime(text: string, key: ObjectId, last: Question | undefined): Promise<void> {
    const { clock, confirmationInterval = CONFIRMATION_INTERVAL } = this.options;
    // A clock that was set back must not make it longer.
    const pause = last ? Math.min(last.at + confirmationInterval - clock.now(), confirmationInterval) : 0;
    if (pause <= 0) return this.askNow(text, key);
    const answer = clock.sleep(pause).then(() => {
      this.due.delete(text);
      return this.askNow(text, key);
    });
    this.due.set(text, answer);
    return answer;
  }

  private askNow(text: string, key: ObjectId): Promise<void> {
    const question = { moment: this.now, at: this.options.clock.now() };
    const answer = this.ask(key, question).finally(() => {
      if (this.asked.get(text)?.answer === answer) this.asked.delete(text);
    });
    this.asked.set(text, { ...question, answer });
    this.now += 1;
    return answer;
  }

  private async ask(key: ObjectId, question: Question): Promise<void> {
    const { cluster, client } = this.options;
    const watched = cluster.typeOf(key.group, key.kind)!;
    const selection = {
      namespace: key.namespace || undefined,
      fieldSelector: `metadata.name=${key.name}`,
      ...(key.kind === 'Namespace' ? { metadataOnly: true } : {}),
    };
    const { items } = await client.list(watched.type, selection).catch((error: unknown) => {
      throw momentarilyUnknown(key, `the list of ${watched.type.plural} failed: ${causeOf(error)}`);
    });
    const found = items.find(({ metadata }) => metadata.name === key.name && (metadata.namespace ?? '') === key.namespace);
    if (found) watched.updateLocal(found, 'read');
    const cached = watched.store.get(key.namespace, key.name);
    if (!found && cached) throw momentarilyUnknown(key, 'it was deleted, and the watch has not reported it yet');
    // The state that the decision reads must not be older than the answer, however the cache has treated it.
    if (found && (!cached || isOlder(cached.metadata.resourceVersion, found.metadata.resourceVersion))) {
      throw momentarilyUnknown(key, 'it was changed, and the watch has not reported it yet');
    }
    setNewest(this.answered, sharedKeyOf(key), question, MOST_REMEMBERED);
  }
}

function momentarilyUnknown(key: ObjectId, why: string): UnknownStateError {
  return UnknownStateError.ofObject({ ...unknownState(key, why), isMomentary: true }, key);
}
