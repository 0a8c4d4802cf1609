import type { Grant } from './grant';
import type { PlatformProblems } from './problems';
import type { SharedService } from './shared-service';
import type { SharedServices } from './shared-services';
import { suggestion } from '../../util/nearest';

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

/** The roles of a team on the shared services that it uses; the ids are the services' names. */
export function sharedGrants(services: readonly SharedService[]): Grant[] {
  return services.flatMap(({ name, resource, role, roleTo }) => (role ? [{ id: name, on: resource, role, to: roleTo }] : []));
}
