import { sharedKeyOf } from './object-key';
import { NAMESPACE_SECRET } from '../../engine/credentials';
import { nameOfKind } from '../../engine/kubernetes/cache-state';
import type { KubernetesObject, ObjectEvent } from '../../engine/kubernetes/types';
import { hasFinalizer } from '../../engine/objects/annotations';
import { CREDENTIAL_FROM } from '../../src/azure/annotations';
import { type ObjectId, objectIdOf } from '../../src/object-id';

export interface CredentialUsersOptions {
  /** Excludes claimed objects that do not count. Default: all count. */
  readonly counts?: (object: KubernetesObject) => boolean;
  /** Called when a Secret may have got its first user, or lost its last; of a kind, or of all kinds. */
  readonly onChange: (secret: ObjectId) => void;
}

/**
 * The objects that use each credential Secret: those that are claimed, by the informers' events, and those about to be claimed. Other
 * objects have no resource in Azure; their kinds are known too, because most of them are claimed soon.
 */
export class CredentialUsers {
  private readonly claimed: Holders;
  private readonly expected: Holders;
  /** Claimed, but not counted. */
  private readonly others: Holders;
  private readonly unclaimed = new Holders(() => undefined);

  public constructor(private readonly options: CredentialUsersOptions) {
    this.claimed = new Holders(options.onChange);
    this.expected = new Holders(options.onChange);
    this.others = new Holders(options.onChange);
  }

  /** Handles an event of an informer about an Azure object. */
  public handle({ type, object }: ObjectEvent): void {
    const [key, secret] = [objectIdOf(object), credentialSecretOf(object)];
    const exists = type !== 'DELETED';
    const isClaimed = exists && hasFinalizer(object);
    const counts = this.options.counts?.(object) ?? true;
    const mayBeClaimed = exists && !isClaimed && counts && object.metadata.deletionTimestamp === undefined;
    this.claimed.set(key, isClaimed && counts ? secret : undefined);
    this.others.set(key, isClaimed && !counts ? secret : undefined);
    this.unclaimed.set(key, mayBeClaimed ? secret : undefined);
  }

  /** The object has left the caches: another replica looks after it. No Secret has lost a user by that. */
  public drop(object: ObjectId): void {
    for (const holders of [this.claimed, this.expected, this.others, this.unclaimed]) holders.drop(object);
  }

  /** The object is about to be claimed or sent: it uses its Secret until `settle`, whatever the informers have seen. */
  public expect(object: KubernetesObject): void {
    this.expected.set(objectIdOf(object), credentialSecretOf(object));
  }

  /** The informers have seen whether the object is claimed. */
  public settle(object: ObjectId): void {
    this.expected.set(object, undefined);
  }

  public areThere(secret: ObjectId): boolean {
    return this.kindsOf(secret).size > 0;
  }

  /** The kinds of the counted users: `ResourceGroup.resources.azure.com`. */
  public kindsOf(secret: ObjectId): ReadonlySet<string> {
    return new Set([...this.claimed.kindsOf(secret), ...this.expected.kindsOf(secret)]);
  }

  /** The kinds of the objects that will use the Secret once they are claimed. */
  public unclaimedKindsOf(secret: ObjectId): ReadonlySet<string> {
    return new Set(this.unclaimed.kindsOf(secret));
  }

  /** The kinds of the users that do not count. */
  public otherKindsOf(secret: ObjectId): ReadonlySet<string> {
    return new Set(this.others.kindsOf(secret));
  }
}

/** Secret → kinds → objects that hold it. */
class Holders {
  private readonly holders = new Map<string, Map<string, Set<string>>>();
  private readonly secretOf = new Map<string, ObjectId>();

  public constructor(private readonly onChange: (secret: ObjectId) => void) {}

  public kindsOf(secret: ObjectId): Iterable<string> {
    return this.holders.get(sharedKeyOf(secret))?.keys() ?? [];
  }

  /** `secret` undefined: the object holds none any more. */
  public set(object: ObjectId, secret: ObjectId | undefined): void {
    const before = this.secretOf.get(sharedKeyOf(object));
    if (before?.name === secret?.name) return;
    if (before) this.release(object, before);
    if (secret) this.hold(object, secret);
  }

  /** Like `set` without a Secret, and without a call of `onChange`. */
  public drop(object: ObjectId): void {
    const secret = this.secretOf.get(sharedKeyOf(object));
    if (secret) this.remove(object, secret);
  }

  private hold(object: ObjectId, secret: ObjectId): void {
    this.secretOf.set(sharedKeyOf(object), secret);
    const kinds = this.holders.get(sharedKeyOf(secret)) ?? new Map<string, Set<string>>();
    const kind = nameOfKind(object);
    const holders = kinds.get(kind) ?? new Set();
    this.holders.set(sharedKeyOf(secret), kinds.set(kind, holders.add(sharedKeyOf(object))));
    if (holders.size === 1) this.onChange(secret);
  }

  private release(object: ObjectId, secret: ObjectId): void {
    if (this.remove(object, secret)) this.onChange(secret);
  }

  /** Whether it was the last holder of its kind. */
  private remove(object: ObjectId, secret: ObjectId): boolean {
    this.secretOf.delete(sharedKeyOf(object));
    const kinds = this.holders.get(sharedKeyOf(secret));
    const kind = nameOfKind(object);
    const holders = kinds?.get(kind);
    holders?.delete(sharedKeyOf(object));
    if (!kinds || holders?.size !== 0) return false;
    kinds.delete(kind);
    if (kinds.size === 0) this.holders.delete(sharedKeyOf(secret));
    return true;
  }
}

/** The key of the Secret with the object's credential; the Secret need not exist. */
export function credentialSecretOf(object: KubernetesObject): ObjectId {
  const { namespace = '', annotations } = object.metadata;
  return { group: '', kind: 'Secret', namespace, name: annotations?.[CREDENTIAL_FROM] ?? NAMESPACE_SECRET };
}
