import { shortHash } from '../../azure/names/fit-name';
import type { ServiceOfTeam } from '../naming/service-naming';

/** The shortest limit for names of users among the database servers, MySQL's. */
const MAX_LOGIN = 32;

/** The name with which a service logs in to databases: that of its identity. A long one is cut, and ends with a hash. */
export function databaseLoginOf(id: ServiceOfTeam): string {
  const name = id.team.environment.naming.serviceIdentity(id);
  return name.length <= MAX_LOGIN ? name : `${name.slice(0, MAX_LOGIN - 7)}-${shortHash(name)}`;
}
