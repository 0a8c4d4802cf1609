import type { DatabaseAdministratorLogin } from './database-administrator-login';
import { SharedRole } from './shared-role';
import { OWN_GROUPS } from '../../util/api-groups';

/** Roles of a service on a database, from the least to the most. */
const LEVELS = ['Reader', 'Writer', 'Owner'] as const;

/** The roles on the databases of a server: a user of the service's identity, made by the controller. */
export function databaseRoles({ name, credential }: DatabaseAdministratorLogin): SharedRole[] {
  return LEVELS.map((level) => SharedRole.access(`Database${level}`, [{
    group: `databases${OWN_GROUPS}`,
    kind: 'DatabaseAccess',
    principal: 'principalIdFromConfig',
    client: 'clientIdFromConfig',
    exclusive: true,
    ...(credential && { credential }),
    properties: { azureName: '{login}', administrator: name, level, principalType: 'ServicePrincipal' },
  }]));
}
