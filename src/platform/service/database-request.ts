import type { Lifecycle } from './lifecycle';
import { DatabaseRole } from './roles';

/** The database of a service. */
export interface DatabaseRequest extends Lifecycle {
  /** The team's name for the database. The Azure name has the team's namespace as prefix. */
  readonly name: string;
  /** Character set, usually `UTF8`. Cannot be changed. */
  readonly charset: string;
  /**
   * Collation, e.g. `en_US.utf8`. Cannot be changed.
   * @see https://learn.microsoft.com/azure/postgresql/flexible-server/how-to-create-server-cli
   */
  readonly collation: string;
  /**
   * Name of the shared PostgreSQL server.
   * @default - the only one that the team uses
   */
  readonly on?: string;
  /**
   * The service's roles on the database: one at most. Needs the `administrator` of the shared server.
   * @default - DatabaseRole.OWNER if the shared server names its administrator, else none
   */
  readonly roles?: DatabaseRole[];
}
