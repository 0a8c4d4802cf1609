import type { CredentialSelection, Selection } from './credential-selection';
import { armTypeOf } from '../../../azure/arm-id';
import { withoutTrailingSlashes } from '../../../azure/trailing-slashes';
import { elementAt } from '../../../util/elements';
import type { Target } from '../../graph/graph-object';
import { predictedIds } from '../../graph/predicted-ids';
import { AzureObject, CredentialSet, isAzure } from '../../rules/set-object';

/** The known part of a resource's ARM id, in lower case: the whole id, or only its beginning. */
export interface Place {
  readonly id: string;
  readonly whole: boolean;
}

/** The place of a reference's target. */
export interface TargetPlace {
  readonly place: Place;
  readonly armType?: string | undefined;
  /** The target, if it is in the set. */
  readonly object?: AzureObject | undefined;
}

/** Whether a role assigned in a scope applies in a place; undefined if that cannot be determined. */
export function covers(scope: Place, place: Place): boolean | undefined {
  const [outer, inner] = [scope.id, place.id];
  // Manifests do not tell which subscriptions a management group contains; a role there is assumed to cover the subscriptions in use.
  if (scope.whole && (outer === '' || MANAGEMENT_GROUP.test(outer))) return true;
  if (scope.whole && isWithin(outer, inner)) return true;
  if (unknownSubscription(outer) !== unknownSubscription(inner)) return withoutSubscription(outer, inner);
  if (!scope.whole) return isWithin(outer, inner) || isWithin(inner, outer) ? undefined : false;
  return !place.whole && isWithin(inner, outer) ? undefined : false;
}

const MANAGEMENT_GROUP = /^\/providers\/microsoft\.management\/managementgroups\//;
const UNKNOWN = /^\/subscriptions\/\?[^/]*/;

function isWithin(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

function unknownSubscription(id: string): boolean {
  return UNKNOWN.test(id);
}

/** Compares the ids where one of the two subscriptions is not known: if the rest matches, they may be the same. */
function withoutSubscription(outer: string, inner: string): undefined | false {
  const rest = (id: string) => id.replace(/^\/subscriptions\/[^/]*/, '');
  return isWithin(rest(outer), rest(inner)) ? undefined : false;
}

/** Whether only scopes that are a prefix of the place's id can cover it. */
export function isDefinite({ id, whole }: Place): boolean {
  return whole && id !== '' && !unknownSubscription(id) && !MANAGEMENT_GROUP.test(id);
}

/** Predicts the ARM ids of the objects of a set, by the credentials that apply to them. */
export class Places {
  private readonly positions: ReadonlyMap<number, number>;
  private ids: readonly (string | undefined)[] = [];
  private folded: readonly (string | undefined)[] = [];
  private readonly subscriptions = new Map<string, string>();

  public constructor(
    private readonly set: CredentialSet,
    selection: CredentialSelection,
    selected: readonly Selection[],
    private readonly otherwise?: string,
  ) {
    this.positions = new Map(set.azure.map(({ index }, position) => [index, position]));
    // A Secret to which an identity is propagated is for the identity's subscription, which the identity's own credential determines, and
    // so on.
    for (const [key, { subscriptionId }] of selection.credentials) {
      if (subscriptionId !== undefined) this.subscriptions.set(key, subscriptionId.toLowerCase());
    }
    const propagated = [...selection.credentials].filter(
      ([key, { propagatedFrom }]) => propagatedFrom !== undefined && !this.subscriptions.has(key),
    );
    for (let known = -1; known !== this.subscriptions.size;) {
      known = this.subscriptions.size;
      this.ids = this.predicted(selected);
      this.folded = this.ids.map((id) => id?.toLowerCase());
      for (const [key, { propagatedFrom }] of propagated) {
        const id = subscriptionIn(this.idOf(propagatedFrom!));
        if (id !== undefined) this.subscriptions.set(key, id);
      }
    }
  }

  /** The subscription of a credential. */
  public subscriptionOf(secret: string | undefined): string | undefined {
    return (secret === undefined ? undefined : this.subscriptions.get(secret)) ?? this.otherwise?.toLowerCase();
  }

  /** The ARM id of an object, if all of it is known. */
  public armIdOf(object: AzureObject): string | undefined {
    const id = this.ids[this.positions.get(object.index)!];
    return id === undefined || unknownSubscription(id) ? undefined : id;
  }

  /** The ARM id, in lower case; `?…` stands for an unknown subscription. */
  public idOf(object: AzureObject): string | undefined {
    return this.folded[this.positions.get(object.index)!];
  }

  /** The place of an object; a name that is known only later is left open. */
  public of(object: AzureObject, selection: Selection): Place {
    const id = this.idOf(object);
    if (id !== undefined) return { id, whole: true };
    const owner = object.facts.owner;
    const found = this.set.ownerOf(object);
    const ownerId = owner?.armId !== undefined ? withoutTrailingSlashes(owner.armId.toLowerCase()) : found && this.idOf(found);
    // The resource's name is new, so no role can exist in a narrower scope.
    if (ownerId === undefined) return { id: `/subscriptions/${this.subscriptionOrPlaceholder(selection)}`, whole: false };
    return { id: `${ownerId}/?`, whole: true };
  }

  /** The target of a reference, and its place. */
  public target(from: AzureObject, target: Target, selection: Selection): TargetPlace {
    if (target.armId !== undefined) {
      const id = withoutTrailingSlashes(target.armId);
      return { place: { id: id.toLowerCase(), whole: true }, armType: armTypeOf(id) };
    }
    const found = this.set.find(target.group ?? '', target.kind ?? '', from.namespace, target.name ?? '');
    if (found && isAzure(found)) return { place: this.of(found, selection), armType: found.version.facts.arm?.type, object: found };
    const armType = this.set.catalog.kind(target.group ?? '', target.kind ?? '')?.latest.facts.arm?.type;
    return { place: { id: `/subscriptions/${this.subscriptionOrPlaceholder(selection)}`, whole: false }, armType };
  }

  private subscriptionOrPlaceholder({ secret }: Selection): string {
    return this.subscriptionOf(secret) ?? `?${(secret ?? '').replace(/\//g, '?')}`;
  }

  private predicted(selected: readonly Selection[]): (string | undefined)[] {
    return predictedIds(
      this.set.azure.map(({ facts }) => facts),
      (position) => {
        const owner = this.set.ownerOf(elementAt(this.set.azure, position));
        return owner && this.positions.get(owner.index);
      },
      (position) => this.subscriptionOrPlaceholder(elementAt(selected, position)),
    );
  }
}

/** The subscription of an ARM id, if it is known. */
export function subscriptionIn(id: string | undefined): string | undefined {
  const found = id === undefined ? null : /^\/subscriptions\/([^/?]+)(\/|$)/i.exec(id);
  return found ? elementAt(found, 1).toLowerCase() : undefined;
}
