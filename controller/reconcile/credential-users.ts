import { CREDENTIAL_FROM, hasFinalizer } from './core/annotations';
import { keyOf, textOf } from './object-key';
import { NAMESPACE_SECRET } from '../credentials';
import type { KubernetesObject, ObjectEvent, ObjectKey } from '../kubernetes/types';

export interface CredentialUsersOptions {
  /** Objects that do not count although they are claimed. Default: none. */
  readonly counts?: (object: KubernetesObject) => boolean;
  /** Told when a Secret gets its first user, and when it loses its last. */
  readonly onChange: (secret: ObjectKey) => void;
}

/** Which claimed objects use which credential Secret, as the informers' events tell. Unclaimed ones have nothing in Azure. */
export class CredentialUsers {
  /** Secret → claimed objects that use it. */
  private readonly users = new Map<string, Set<string>>();
  private readonly secretOf = new Map<string, ObjectKey>();

  public constructor(private readonly options: CredentialUsersOptions) {}

  /** What an informer tells of an object of Azure. */
  public handle({ type, object }: ObjectEvent): void {
    const key = keyOf(object);
    const before = this.secretOf.get(textOf(key));
    const counts = type !== 'DELETED' && hasFinalizer(object) && (this.options.counts?.(object) ?? true);
    const after = counts ? secretKeyOf(object) : undefined;
    if (before?.name === after?.name) return;
    if (before) this.release(key, before);
    if (after) this.hold(key, after);
  }

  public areThere(secret: ObjectKey): boolean {
    return this.users.has(textOf(secret));
  }

  private hold(key: ObjectKey, secret: ObjectKey): void {
    this.secretOf.set(textOf(key), secret);
    const users = this.users.get(textOf(secret)) ?? new Set();
    this.users.set(textOf(secret), users.add(textOf(key)));
    if (users.size === 1) this.options.onChange(secret);
  }

  private release(key: ObjectKey, secret: ObjectKey): void {
    this.secretOf.delete(textOf(key));
    const users = this.users.get(textOf(secret));
    users?.delete(textOf(key));
    if (users?.size !== 0) return;
    this.users.delete(textOf(secret));
    this.options.onChange(secret);
  }
}

function secretKeyOf(object: KubernetesObject): ObjectKey {
  const { namespace = '', annotations } = object.metadata;
  return { group: '', kind: 'Secret', namespace, name: annotations?.[CREDENTIAL_FROM] ?? NAMESPACE_SECRET };
}
