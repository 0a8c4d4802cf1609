import type { Grant } from './grant';
import type { PlatformProblems } from './problems';
import type { RoleChoices } from './role-choices';
import { SharedService } from './shared-service';
import type { SharedServices } from './shared-services';
import { TeamIdentity } from './team-identities';
import { BuiltInRole } from '../../core';
import type { IAzureResourceRef } from '../../core';

/** The shared services of an environment, with the roles on them. */
interface Sharing {
  readonly name: string;
  readonly shared: SharedServices;
  readonly roles: RoleChoices;
}

interface Choice {
  readonly on?: IAzureResourceRef | undefined;
  readonly role?: IAzureResourceRef | undefined;
  readonly shared: string;
  readonly roles: string;
  readonly to: TeamIdentity;
}

/** The roles of a team that uses shared services. Adds a problem for each service or role that the environment lacks. */
export function sharedGrants(environment: Sharing, uses: readonly SharedService[], problems: PlatformProblems): Grant[] {
  return [...new Set(uses)].flatMap((service) => {
    const field = `uses[${uses.indexOf(service)}]`;
    const choice = choiceOf(environment, service);
    if (!choice) {
      problems.add(field, `'${service}' is no shared service. Give one of ${Object.values(SharedService).join(', ')}.`);
      return [];
    }
    const { on, role, shared, roles, to } = choice;
    if (!on) {
      problems.add(field, `environment '${environment.name}' shares no ${service}. Give it ${shared}, or leave the service out there.`);
    }
    if (!role) {
      problems.add(
        field,
        `environment '${environment.name}' does not say which role teams get on ${shared}. Give it ${roles}: BuiltInRole.custom(id) of a role that is as narrow as can be.`,
      );
    }
    return on && role ? [{ id: service, on, role, to }] : [];
  });
}

function choiceOf({ shared, roles }: Sharing, service: SharedService): Choice | undefined {
  switch (service) {
    case SharedService.SERVICE_BUS:
      return {
        on: shared.serviceBus,
        role: roles.serviceBus,
        shared: 'shared.serviceBus',
        roles: 'roles.serviceBus',
        to: TeamIdentity.OPERATOR,
      };
    case SharedService.DATABASE:
      return {
        on: shared.postgresServer,
        role: roles.database,
        shared: 'shared.postgresServer',
        roles: 'roles.database',
        to: TeamIdentity.OPERATOR,
      };
    case SharedService.APP_CONFIGURATION: {
      // Pods read the store; the operator creates nothing in it.
      const role = roles.appConfiguration ?? BuiltInRole.APP_CONFIGURATION_DATA_READER;
      return {
        on: shared.appConfiguration,
        role,
        shared: 'shared.appConfiguration',
        roles: 'roles.appConfiguration',
        to: TeamIdentity.WORKLOAD,
      };
    }
    default: return undefined;
  }
}
