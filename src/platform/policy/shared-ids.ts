import { all, any, lower, lowerAscii, matches, not, oneOf, startsWith, type Condition, type Text } from './condition';

import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import { profileIdOf } from '../model/arm-id-parts';
import { armTypeOfService } from '../model/shared-kind-facts';
import type { SharedService } from '../model/shared-service';
import { FRONT_DOOR_ENDPOINT } from '../model/shared-service-types';
import type { TeamInEnvironment } from '../model/team-in-environment';

const STORAGE_ACCOUNT = 'microsoft.storage/storageaccounts';

/** Characters that make another name of a name, as part of an id in a URL. */
export const NOT_IN_NAMES = ['/', '\\', '?', '#', '%'];

/** Characters that change the meaning of an id in a URL. */
export const NOT_IN_IDS = ['//', '/.', '\\', '?', '#', '%'];

/** A resource that teams share, and the beginning of the names that a team's resources have there. Ids and names in lower case. */
export interface SharedPlace {
  readonly id: string;
  readonly namePrefix: string;
  /** Prefixes of other teams that begin with `namePrefix`. */
  readonly otherPrefixes: readonly string[];
}

/** The resources to which a team may refer. Ids in lower case. */
export interface ReferenceScope {
  /** The resources that teams share, with those that the team does not use. */
  readonly shared: readonly string[];
  /** The shared resources that the team uses. */
  readonly used: readonly string[];
  /** Where names separate the teams. */
  readonly places: readonly SharedPlace[];
  /** Resources that are the team's own or open to it, with all below them. */
  readonly open: readonly string[];
}

/** An ARM id in the form in which ids are compared. */
export function plainId(armId: string): string {
  return lowerAscii(withoutTrailingSlashes(armId));
}

/** The resources that the teams of the environment share: of a Front Door endpoint its profile. */
export function sharedIds({ environment }: TeamInEnvironment): string[] {
  return (environment.shared.services ?? []).map((service) => {
    const id = plainId(environment.armIdOf(service.resource));
    return typeOf(service) === FRONT_DOOR_ENDPOINT ? profileIdOf(id) : id;
  });
}

/** The shared resources that the team uses. */
export function usedIds({ environment, uses }: TeamInEnvironment): string[] {
  return uses.map(({ resource }) => plainId(environment.armIdOf(resource)));
}

/** The storage accounts that teams share. */
export function sharedAccountsOf({ environment }: TeamInEnvironment): string[] {
  return (environment.shared.services ?? []).filter((service) => typeOf(service) === STORAGE_ACCOUNT)
    .map(({ resource }) => plainId(environment.armIdOf(resource)));
}

function typeOf(service: SharedService): string | undefined {
  return armTypeOfService(service)?.toLowerCase();
}

/** Whether an id is the scope or below it. */
export function within(id: Text, scopes: readonly string[]): Condition {
  return any(oneOf(id, scopes), startsWith(id, scopes.map((scope) => `${scope}/`)));
}

/**
 * Whether a resource may refer to an id for a team: in shared services only to what is the team's. Outside of them Azure asks the team's
 * credential, which has rights in its own groups. An id with one of `NOT_IN_IDS` is no matter of this condition.
 */
export function mayRefer(reference: Text, { shared, used, places, open }: ReferenceScope): Condition {
  const id = lower(reference);
  return all(startsWith(id, ['/']), any(
    not(within(id, shared)), oneOf(id, used), within(id, open), ...places.map((place) => isOwn(id, place)),
  ));
}

/** Whether the name of a resource below a shared one begins as the team's do, whatever its type is. */
function isOwn(id: Text, { id: place, namePrefix, otherPrefixes }: SharedPlace): Condition {
  const below = (prefix: string) => matches(id, `^${literal(place)}/[^/]+/${literal(prefix)}`);
  return all(below(namePrefix), ...otherPrefixes.map((other) => not(below(other))));
}

/** A text as a pattern that means the same in RE2 and in JavaScript. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
