import { keyOf, textOf } from './object-key';
import { NAMESPACE_SECRET } from '../../engine/credentials';
import { nameOfKind } from '../../engine/kubernetes/cache-state';
import type { KubernetesObject, ObjectEvent, ObjectKey } from '../../engine/kubernetes/types';
import { hasFinalizer } from '../../engine/objects/annotations';
import { CREDENTIAL_FROM } from '../../src/azure/annotations';

export interface CredentialUsersOptions {
  /** Objects that do not count although they are claimed. Default: none. */
  readonly counts?: (object: KubernetesObject) => boolean;
  /** Told when a Secret may have got its first user, or lost its last; of a kind, and of all. */
  readonly onChange: (secret: ObjectKey) => void;
}

/**
 * Which objects use which credential Secret: those that are claimed, as the informers' events tell, and those that are about to be.
 * All others have nothing in Azure.
 */
export class CredentialUsers {
  private readonly claimed: Holders;
  private readonly expected: Holders;
  /** Claimed, but not counted. */
  private readonly others: Holders;

  public constructor(private readonly options: CredentialUsersOptions) {
    this.claimed = new Holders(options.onChange);
    this.expected = new Holders(options.onChange);
    this.others = new Holders(options.onChange);
  }

  /** What an informer tells of an object of Azure. */
  public handle({ type, object }: ObjectEvent): void {
    const isClaimed = type !== 'DELETED' && hasFinalizer(object);
    const counts = isClaimed && (this.options.counts?.(object) ?? true);
    this.claimed.set(keyOf(object), counts ? credentialSecretOf(object) : undefined);
    this.others.set(keyOf(object), isClaimed && !counts ? credentialSecretOf(object) : undefined);
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
    return this.kindsOf(secret).size > 0;
  }

  /** The kinds of those that count: `ResourceGroup.resources.azure.com`. */
  public kindsOf(secret: ObjectKey): ReadonlySet<string> {
    return new Set([...this.claimed.kindsOf(secret), ...this.expected.kindsOf(secret)]);
  }

  /** The kinds of those that do not count. */
  public otherKindsOf(secret: ObjectKey): ReadonlySet<string> {
    return new Set(this.others.kindsOf(secret));
  }
}

/** Secret → kinds → objects that hold it. */
class Holders {
  private readonly holders = new Map<string, Map<string, Set<string>>>();
  private readonly secretOf = new Map<string, ObjectKey>();

  public constructor(private readonly onChange: (secret: ObjectKey) => void) {}

  public kindsOf(secret: ObjectKey): Iterable<string> {
    return this.holders.get(textOf(secret))?.keys() ?? [];
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
    const kinds = this.holders.get(textOf(secret)) ?? new Map<string, Set<string>>();
    const kind = nameOfKind(object);
    const holders = kinds.get(kind) ?? new Set();
    this.holders.set(textOf(secret), kinds.set(kind, holders.add(textOf(object))));
    if (holders.size === 1) this.onChange(secret);
  }

  private release(object: ObjectKey, secret: ObjectKey): void {
    this.secretOf.delete(textOf(object));
    const kinds = this.holders.get(textOf(secret));
    const kind = nameOfKind(object);
    const holders = kinds?.get(kind);
    holders?.delete(textOf(object));
    if (!kinds || holders?.size !== 0) return;
    kinds.delete(kind);
    if (kinds.size === 0) this.holders.delete(textOf(secret));
    this.onChange(secret);
  }
}

/** The Secret that an object's credential is in, if there is one of that name. */
export function credentialSecretOf(object: KubernetesObject): ObjectKey {
  const { namespace = '', annotations } = object.metadata;
  return { group: '', kind: 'Secret', namespace, name: annotations?.[CREDENTIAL_FROM] ?? NAMESPACE_SECRET };
}
