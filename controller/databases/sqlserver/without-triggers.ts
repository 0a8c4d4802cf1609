import { KindError } from '../../../engine/kinds';
import type { Run } from '../connected';
import type { Statement } from '../session';

/**
 * Triggers that keep the users of a database from being changed: all, or those in a database in which others than its owners may make
 * them. There, nobody can tell an administrator's trigger, for example of an audit, from one that was made to become administrator.
 */
export type RefusedTriggers = 'all' | 'possibly of others';

/** Enabled triggers for statements such as CREATE USER: https://learn.microsoft.com/sql/relational-databases/triggers/ddl-triggers */
const TRIGGERS = 'FROM sys.triggers WHERE parent_class = 0 AND is_disabled = 0 AND is_ms_shipped = 0';

/**
 * Whether others than owners of the database may make triggers of it: members of db_ddladmin, and grantees of the permission or of one that
 * implies it. https://learn.microsoft.com/sql/t-sql/statements/create-trigger-transact-sql#permissions
 */
const OTHERS_MAY_MAKE = '(EXISTS (SELECT 1 FROM sys.database_role_members membership JOIN sys.database_principals role '
  + "ON role.principal_id = membership.role_principal_id WHERE role.name = N'db_ddladmin') "
  + "OR EXISTS (SELECT 1 FROM sys.database_permissions WHERE class = 0 AND state IN ('G', 'W') "
  + "AND permission_name IN (N'ALTER ANY DATABASE DDL TRIGGER', N'ALTER', N'CONTROL')))";

/** One batch and transaction of the check and of the statement: answers the name of the trigger where nothing was changed. */
export function unlessTriggers({ step, text }: Statement, refused: RefusedTriggers): Statement {
  return {
    step,
    text: [
      'SET XACT_ABORT ON;',
      'BEGIN TRANSACTION;',
      `IF EXISTS (SELECT 1 ${TRIGGERS})${refused === 'all' ? '' : `\n  AND ${OTHERS_MAY_MAKE}`}`,
      `  SELECT TOP 1 name AS refusedTrigger ${TRIGGERS} ORDER BY name;`,
      'ELSE',
      'BEGIN',
      text,
      'END;',
      'COMMIT TRANSACTION;',
    ].join('\n'),
  };
}

/**
 * Runs a statement that changes users, unless a trigger would run with the rights of the administrator that this controller logs in as.
 *
 * @throws KindError with the name of the trigger
 */
export async function runWithoutTriggers(run: Run, statement: Statement, refused: RefusedTriggers): Promise<void> {
  const trigger = (await run(unlessTriggers(statement, refused))).find(({ refusedTrigger }) => refusedTrigger !== undefined);
  if (!trigger) return;
  throw new KindError(
    `${statement.step}: the database has the trigger "${String(trigger.refusedTrigger)}" for changes of it, which would run with the rights `
    + 'of the administrator, so no user is changed: disable it (DISABLE TRIGGER … ON DATABASE), or drop it',
  );
}
