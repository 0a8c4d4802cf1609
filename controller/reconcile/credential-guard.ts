import type { Cluster } from './cluster';
import { OPERATOR_NAMESPACE } from './core/annotations';
import { credentialSecretOf, CredentialUsers } from './credential-users';
import { keyOf, textOf } from './object-key';
import type { Clock } from '../clock';
import { KubernetesError, type KubernetesClient, type KubernetesObject, type ObjectEvent, type ObjectKey } from '../kubernetes/types';

/** On a Secret: a resource in Azure still has to be deleted with this credential. */
export const CREDENTIAL_FINALIZER = 'aso.cdk8s.io/credential-in-use';

export interface CredentialGuardOptions {
  readonly cluster: Cluster;
  readonly client: KubernetesClient;
  readonly clock: Clock;
  /** Objects of other controllers do not count. */
  readonly operatorNamespace: string;
  readonly onError?: (secret: ObjectKey, error: unknown) => void;
}

const FIRST_RETRY = 1_000;
const LAST_RETRY = 30_000;

interface Change {
  readonly secret: KubernetesObject;
  readonly finalizers: string[];
}

/**
 * Keeps a credential Secret until the last object that uses it is gone. Whoever deletes a namespace, or everything of a file, deletes the
 * Secret with the rest, and the resources in Azure could then never be deleted: ASO's objects hang in that state until somebody
 * restores the Secret.
 */
export class CredentialGuard {
  private readonly users: CredentialUsers;
  private readonly retries = new Map<string, number>();
  /** Secrets of which something is being written or read; never rejects. */
  private readonly busy = new Map<string, Promise<void>>();
  private readonly again = new Set<string>();
  private readonly waiting = new Set<string>();
  /** Secrets of which the cache may be wrong: of a write nobody knows what became, or somebody else was faster. */
  private readonly doubtful = new Set<string>();
  /** Secrets that may not be written. */
  private readonly refused = new Set<string>();
  private started = false;

  public constructor(private readonly options: CredentialGuardOptions) {
    this.users = new CredentialUsers({ counts: (object) => this.counts(object), onChange: (secret) => this.check(secret) });
  }

  /** To be called when all objects were listed once: before, an unused credential cannot be told from one whose users are not known yet. */
  public start(): void {
    this.started = true;
    for (const secret of this.options.cluster.typeOf('', 'Secret')?.store.list() ?? []) this.check(keyOf(secret));
  }

  /** What an informer tells. */
  public handle(event: ObjectEvent): void {
    const { type, object } = event;
    const key = keyOf(object);
    if (key.group === '') {
      if (key.kind !== 'Secret') return;
      if (type === 'DELETED') this.forget(key);
      else this.check(key);
      return;
    }
    this.users.handle(event);
  }

  /**
   * Resolves when the credential of an object that is about to be claimed, or to be sent, will stay for as long as the object needs it. Until
   * `letGo` the object counts as a user, whatever the informers know of it.
   * @throws KubernetesError when the Secret cannot be kept: it is being deleted, or the server does not answer. Where the controller may not
   * write Secrets, that is told (`onError`), and nothing is thrown.
   */
  public async hold(object: KubernetesObject): Promise<void> {
    this.users.expect(object);
    const key = credentialSecretOf(object);
    const text = textOf(key);
    while (this.options.cluster.find(key)) {
      const busy = this.busy.get(text);
      if (busy) {
        await busy;
      } else if (this.doubtful.has(text)) {
        await this.alone(key, () => this.refresh(key));
      } else {
        const change = this.refused.has(text) ? undefined : this.protection(key);
        if (!change) return;
        await this.alone(key, () => this.write(key, change)).catch((error: unknown) => this.unlessRefused(key, error));
      }
    }
  }

  /** The pass of an object is over, and the informers have seen what it has written. */
  public letGo(object: ObjectKey): void {
    this.users.settle(object);
  }

  private counts(object: KubernetesObject): boolean {
    const operator = object.metadata.annotations?.[OPERATOR_NAMESPACE];
    return operator === undefined || operator === this.options.operatorNamespace;
  }

  private check(secret: ObjectKey): void {
    const text = textOf(secret);
    if (!this.options.cluster.find(secret)) return this.forget(secret);
    if (this.busy.has(text)) {
      this.again.add(text);
      return;
    }
    const change = this.wanted(secret);
    if (!change && !this.doubtful.has(text)) return;
    this.alone(secret, async () => {
      if (this.doubtful.has(text)) await this.refresh(secret);
      const still = this.wanted(secret);
      if (still) await this.write(secret, still);
    }).then(
      () => this.retries.delete(text),
      (error: unknown) => {
        if (!isExpected(error)) this.options.onError?.(secret, error);
        this.retryLater(secret);
      },
    );
  }

  /** One thing at a time for each Secret; whatever changes meanwhile is looked at afterwards. */
  private alone(secret: ObjectKey, act: () => Promise<void>): Promise<void> {
    const text = textOf(secret);
    const done = act();
    const over = () => {
      this.busy.delete(text);
      if (this.again.delete(text)) this.check(secret);
    };
    this.busy.set(text, done.then(over, over));
    return done;
  }

  /** The finalizers that the Secret should have, if they are not those that it has. */
  private wanted(key: ObjectKey): Change | undefined {
    if (!this.started) return undefined;
    const secret = this.options.cluster.find(key);
    if (!secret) return undefined;
    const { finalizers = [], deletionTimestamp } = secret.metadata;
    const held = finalizers.includes(CREDENTIAL_FINALIZER);
    const used = this.users.areThere(key);
    // Kubernetes takes no new finalizer on an object that is being deleted.
    if (used === held || (used && deletionTimestamp)) return undefined;
    if (used) return { secret, finalizers: [...finalizers, CREDENTIAL_FINALIZER] };
    if (this.options.cluster.watched.some(({ hasSynced }) => hasSynced === false)) {
      this.retryLater(key);
      return undefined;
    }
    return { secret, finalizers: finalizers.filter((finalizer) => finalizer !== CREDENTIAL_FINALIZER) };
  }

  /** What is missing for the Secret to be kept. */
  private protection(key: ObjectKey): Change | undefined {
    const secret = this.options.cluster.find(key)!;
    const { finalizers = [], deletionTimestamp, namespace, name } = secret.metadata;
    if (finalizers.includes(CREDENTIAL_FINALIZER)) return undefined;
    if (deletionTimestamp) {
      throw new KubernetesError(409, 'Conflict', `Secret "${namespace}/${name}" is being deleted: nothing is created in Azure with a credential that will not be there to delete it`);
    }
    return { secret, finalizers: [...finalizers, CREDENTIAL_FINALIZER] };
  }

  private async write(key: ObjectKey, { secret, finalizers }: Change): Promise<void> {
    const watched = this.options.cluster.typeOf('', 'Secret')!;
    // With the resourceVersion, so that nobody else's finalizer is lost.
    const patch = { metadata: { finalizers, resourceVersion: secret.metadata.resourceVersion } };
    const written = await this.options.client.patch(watched.type, key.name, key.namespace, patch, 'application/merge-patch+json').catch((error: unknown) => {
      this.doubtful.add(textOf(key));
      throw error;
    });
    // The last finalizer of a deleted Secret takes the Secret with it; the watch tells.
    if (!(written.metadata.deletionTimestamp && finalizers.length === 0)) watched.updateLocal(written);
  }

  /** @throws KubernetesError also when the Secret is gone: the watch will tell. */
  private async refresh(key: ObjectKey): Promise<void> {
    const watched = this.options.cluster.typeOf('', 'Secret')!;
    const current = await this.options.client.get(watched.type, key.name, key.namespace);
    if (!current) throw new KubernetesError(404, 'NotFound', `Secret "${key.namespace}/${key.name}" is gone`);
    this.doubtful.delete(textOf(key));
    watched.updateLocal(current);
  }

  private unlessRefused(key: ObjectKey, error: unknown): void {
    if (statusOf(error) !== 403) throw error;
    this.refused.add(textOf(key));
    this.options.onError?.(key, error);
  }

  private forget(secret: ObjectKey): void {
    for (const texts of [this.doubtful, this.refused, this.retries]) texts.delete(textOf(secret));
  }

  private retryLater(secret: ObjectKey): void {
    const text = textOf(secret);
    if (this.waiting.has(text)) return;
    const delay = this.retries.get(text) ?? FIRST_RETRY;
    this.retries.set(text, Math.min(delay * 2, LAST_RETRY));
    this.waiting.add(text);
    this.options.clock.schedule(delay, () => {
      this.waiting.delete(text);
      this.check(secret);
    });
  }
}

/** Somebody else was faster: the watch brings what they did. */
function isExpected(error: unknown): boolean {
  return statusOf(error) === 404 || statusOf(error) === 409;
}

function statusOf(error: unknown): unknown {
  return (error as { status?: unknown }).status;
}
