import { profileIdOf } from './arm-id-parts';
import type { Grant } from './grant';
import type { PlatformProblems } from './problems';
import { armTypeOfService } from './shared-kind-facts';
import type { SharedService } from './shared-service';
import { FRONT_DOOR_ENDPOINT } from './shared-service-types';
import type { SharedServices } from './shared-services';
import { AzureReference } from '../../core';
import type { IAzureResourceRef } from '../../core';
import { suggestion } from '../../util/nearest';

/** An environment that knows the ARM ids of its resources. */
interface KnownIds {
  armIdOf(reference: IAzureResourceRef): string;
}

/** The shared services that a team uses, each once. Adds a problem for each that the environment lacks, or that has no role for teams. */
export function usedServices(
  environment: { readonly name: string; readonly shared: SharedServices }, uses: readonly string[], problems: PlatformProblems,
): SharedService[] {
  const { services = [] } = environment.shared;
  const names = services.map(({ name }) => name);
  return [...new Set(uses)].flatMap((name) => {
    const field = `uses[${uses.indexOf(name)}]`;
    const service = services.find((one) => one.name === name);
    if (!service) {
      problems.add(field, `environment '${environment.name}' shares no '${name}'.${suggestion(String(name), names)} It has ${names.join(', ') || 'none'}: add it to shared.services, or leave it out there.`);
      return [];
    }
    if (!service.role && service._needsRole) {
      problems.add(field, `environment '${environment.name}' does not say which role teams get on '${name}'. Give the shared service a role: BuiltInRole.custom(id) of a role that is as narrow as can be.`);
    }
    return [service];
  });
}

/** The roles of a team on the shared services that it uses, each once; the ids are the services' names. */
export function sharedGrants(environment: KnownIds, services: readonly SharedService[]): Grant[] {
  const grants = services.flatMap((service): (Grant & { readonly role: IAzureResourceRef })[] => {
    const { name, role, roleTo } = service;
    return role ? [{ id: name, on: scopeOf(environment, service), role, to: roleTo }] : [];
  });
  const keys = grants.map(({ id, on, role, to }) => {
    const { armId } = on.azureResourceRef;
    return JSON.stringify([armId?.toLowerCase() ?? id, to, role.azureResourceRef]);
  });
  return grants.filter((_, index) => keys.indexOf(keys[index]!) === index);
}

/** Custom domains and origin groups of Front Door are in the endpoint's profile, so a role on the endpoint alone would not allow them. */
function scopeOf(environment: KnownIds, service: SharedService): IAzureResourceRef {
  if (armTypeOfService(service)?.toLowerCase() !== FRONT_DOOR_ENDPOINT) return service.resource;
  return AzureReference.fromArmId(profileIdOf(environment.armIdOf(service.resource)));
}
