import type { Cluster } from './cluster';
import { OPERATOR_NAMESPACE } from './core/annotations';
import { CredentialUsers } from './credential-users';
import { keyOf, textOf } from './object-key';
import type { Clock } from '../clock';
import type { KubernetesClient, KubernetesObject, ObjectEvent, ObjectKey } from '../kubernetes/types';

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

/**
 * Keeps a credential Secret until the last object that uses it is gone. Whoever deletes a namespace, or everything of a file, deletes the
 * Secret with the rest, and the resources in Azure could then never be deleted: ASO's objects hang in that state until somebody
 * restores the Secret.
 */
export class CredentialGuard {
  private readonly users: CredentialUsers;
  private readonly retries = new Map<string, number>();
  private readonly busy = new Set<string>();
  private readonly again = new Set<string>();
  private readonly waiting = new Set<string>();
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
      if (key.kind === 'Secret' && type !== 'DELETED') this.check(key);
      return;
    }
    this.users.handle(event);
  }

  private counts(object: KubernetesObject): boolean {
    const operator = object.metadata.annotations?.[OPERATOR_NAMESPACE];
    return operator === undefined || operator === this.options.operatorNamespace;
  }

  private check(secret: ObjectKey): void {
    const text = textOf(secret);
    if (this.busy.has(text)) {
      this.again.add(text);
      return;
    }
    const change = this.wanted(secret);
    if (!change) return;
    this.busy.add(text);
    void this.write(secret, change).then(
      () => this.retries.delete(text),
      (error: unknown) => this.retryLater(secret, error),
    ).finally(() => {
      this.busy.delete(text);
      if (this.again.delete(text)) this.check(secret);
    });
  }

  /** The finalizers that the Secret should have, if they are not those that it has. */
  private wanted(key: ObjectKey): { readonly secret: KubernetesObject; readonly finalizers: string[] } | undefined {
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

  private async write(key: ObjectKey, { secret, finalizers }: { readonly secret: KubernetesObject; readonly finalizers: string[] }): Promise<void> {
    const watched = this.options.cluster.typeOf('', 'Secret')!;
    // With the resourceVersion, so that nobody else's finalizer is lost.
    const patch = { metadata: { finalizers, resourceVersion: secret.metadata.resourceVersion } };
    const written = await this.options.client.patch(watched.type, key.name, key.namespace, patch, 'application/merge-patch+json');
    // The last finalizer of a deleted Secret takes the Secret with it; the watch tells.
    if (!(written.metadata.deletionTimestamp && finalizers.length === 0)) watched.updateLocal(written);
  }

  private retryLater(secret: ObjectKey, error?: unknown): void {
    const text = textOf(secret);
    if (error !== undefined && !isExpected(error)) this.options.onError?.(secret, error);
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
  const status = (error as { status?: unknown }).status;
  return status === 404 || status === 409;
}
