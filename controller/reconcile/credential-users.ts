import { CREDENTIAL_FROM, hasFinalizer } from './core/annotations';
import { keyOf, textOf } from './object-key';
import { NAMESPACE_SECRET } from '../credentials';
import type { KubernetesObject, ObjectEvent, ObjectKey } from '../kubernetes/types';

export interface CredentialUsersOptions {
  /** Objects that do not count although they are claimed. Default: none. */
  readonly counts?: (object: KubernetesObject) => boolean;
  /** Told when a Secret may have got its first user, or lost its last. */
  readonly onChange: (secret: ObjectKey) => void;
}

/**
 * Which objects use which credential Secret: those that are claimed, as the informers' events tell, and those that are about to be.
 * All others have nothing in Azure.
 */
export class CredentialUsers {
  private readonly claimed: Holders;
  private readonly expected: Holders;

  public constructor(private readonly options: CredentialUsersOptions) {
    this.claimed = new Holders(options.onChange);
    this.expected = new Holders(options.onChange);
  }

  /** What an informer tells of an object of Azure. */
  public handle({ type, object }: ObjectEvent): void {
    const counts = type !== 'DELETED' && hasFinalizer(object) && (this.options.counts?.(object) ?? true);
    this.claimed.set(keyOf(object), counts ? credentialSecretOf(object) : undefined);
  }

  /** The object is about to be claimed, or to be sent: whatever the informers know of it, it uses its Secret until `settle`. */
  public expect(object: KubernetesObject): void {
    this.expected.set(keyOf(object), credentialSecretOf(object));
  }

  /** The informers know by now whether the object is claimed. */
  public settle(object: ObjectKey): void {
    this.expected.set(object, undefined);
  }

  public areThere(secret: ObjectKey): boolean {
    return this.claimed.areThere(secret) || this.expected.areThere(secret);
  }
}

/** Secret → objects that hold it. */
class Holders {
  private readonly holders = new Map<string, Set<string>>();
  private readonly secretOf = new Map<string, ObjectKey>();

  public constructor(private readonly onChange: (secret: ObjectKey) => void) {}

  public areThere(secret: ObjectKey): boolean {
    return this.holders.has(textOf(secret));
  }

  /** `secret` undefined: it holds none any more. */
  public set(object: ObjectKey, secret: ObjectKey | undefined): void {
    const before = this.secretOf.get(textOf(object));
    if (before?.name === secret?.name) return;
    if (before) this.release(object, before);
    if (secret) this.hold(object, secret);
  }

  private hold(object: ObjectKey, secret: ObjectKey): void {
    this.secretOf.set(textOf(object), secret);
    const holders = this.holders.get(textOf(secret)) ?? new Set();
    this.holders.set(textOf(secret), holders.add(textOf(object)));
    if (holders.size === 1) this.onChange(secret);
  }

  private release(object: ObjectKey, secret: ObjectKey): void {
    this.secretOf.delete(textOf(object));
    const holders = this.holders.get(textOf(secret));
    holders?.delete(textOf(object));
    if (holders?.size !== 0) return;
    this.holders.delete(textOf(secret));
    this.onChange(secret);
  }
}

/** The Secret that an object's credential is in, if there is one of that name. */
export function credentialSecretOf(object: KubernetesObject): ObjectKey {
  const { namespace = '', annotations } = object.metadata;
  return { group: '', kind: 'Secret', namespace, name: annotations?.[CREDENTIAL_FROM] ?? NAMESPACE_SECRET };
}
