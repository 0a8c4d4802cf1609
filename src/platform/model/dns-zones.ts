import { resourceNameOf } from './arm-id-parts';
import { armTypeOfService } from './shared-kind-facts';
import type { SharedService } from './shared-service';
import { DNS_ZONE } from './shared-service-types';
import type { TeamInEnvironment } from './team-in-environment';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';

/** A shared DNS zone. */
export interface SharedZone {
  readonly service: SharedService;
  /** ARM id. */
  readonly armId: string;
  /** The domain in lower case. */
  readonly name: string;
}

/** The shared DNS zones that a team uses. */
export function zonesOf({ environment, uses }: TeamInEnvironment): SharedZone[] {
  return uses.filter((service) => armTypeOfService(service)?.toLowerCase() === DNS_ZONE.toLowerCase()).map((service) => {
    const armId = withoutTrailingSlashes(environment.armIdOf(service.resource));
    return { service, armId, name: resourceNameOf(armId).toLowerCase() };
  });
}

/** The zone of a name: of several, that with the longest domain. */
export function zoneOfName(team: TeamInEnvironment, name: string): SharedZone | undefined {
  const zones = zonesOf(team).filter((zone) => name === zone.name || name.endsWith(`.${zone.name}`));
  return zones.sort((a, b) => b.name.length - a.name.length)[0];
}

/** The name of a record set in a zone; `@` for the zone's own domain. */
export function relativeName(name: string, zone: string): string {
  return name === zone ? '@' : name.slice(0, -zone.length - 1);
}
