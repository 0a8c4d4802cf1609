import { accessKind } from './access/access-kind';
import { mysqlAccess } from './mysql/access';
import { mysqlConnect } from './mysql/connect';
import { mysqlUsers } from './mysql/mysql-user';
import { postgresqlAccess } from './postgresql/access';
import { postgresqlConnect } from './postgresql/connect';
import { postgresqlUsers } from './postgresql/postgresql-user';
import type { Connect } from './session';
import { sqlAccess } from './sqlserver/access';
import { sqlConnect } from './sqlserver/connect';
import { sqlUsers } from './sqlserver/sql-user';
import { userKind } from './user-kind';
import type { ExternalKind } from '../../engine/kinds/external';

export {
  accessKind, mysqlAccess, mysqlConnect, mysqlUsers, postgresqlAccess, postgresqlConnect, postgresqlUsers, sqlAccess, sqlConnect, sqlUsers,
  userKind,
};

/**
 * The users inside database servers, and access to databases, by `<group>/<kind>`.
 *
 * @param mayWrite whether this process may change anything now
 */
export function databaseKinds(mayWrite: () => boolean): Readonly<Record<string, ExternalKind>> {
  const guarded = (connect: Connect) => onlyWhile(mayWrite, connect);
  return {
    'dbformysql.azure.com/User': userKind(mysqlUsers(guarded(mysqlConnect()))),
    'dbforpostgresql.azure.com/User': userKind(postgresqlUsers(guarded(postgresqlConnect()))),
    'sql.azure.com/User': userKind(sqlUsers(guarded(sqlConnect()))),
    'databases.aso.cdk8s.io/DatabaseAccess': accessKind({
      mysql: mysqlAccess(guarded(mysqlConnect())),
      postgresql: postgresqlAccess(guarded(postgresqlConnect())),
      sql: sqlAccess(guarded(sqlConnect())),
    }),
  };
}

/** A process that is no longer the leader runs no statement. */
export function onlyWhile(mayWrite: () => boolean, connect: Connect): Connect {
  const check = () => {
    if (!mayWrite()) throw new Error('this process does not lead any more');
  };
  return async (target, login) => {
    check();
    const session = await connect(target, login);
    return {
      ...session,
      rows: async (statement) => {
        check();
        return session.rows(statement);
      },
    };
  };
}
