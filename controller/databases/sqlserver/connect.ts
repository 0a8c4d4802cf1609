import type { Connection, ConnectionConfiguration, Request, TYPES } from 'tedious';
import { CONNECT_TIMEOUT, STATEMENT_TIMEOUT, type Connect, type ConnectOptions, type Row, type Session, type Statement } from '../session';

/** The used part of the driver. */
export interface Driver {
  readonly Connection: new (configuration: ConnectionConfiguration) => Connection;
  readonly Request: new (text: string, done: (error: Error | null | undefined, rowCount?: number, rows?: Column[][]) => void) => Request;
  readonly TYPES: typeof TYPES;
}

interface Column {
  readonly value: unknown;
  readonly metadata: { readonly colName: string };
}

/** Loaded with the first user: most controllers have none. */
export const loadDriver = async (): Promise<Driver> => {
  const driver = await import('./driver');
  return { Connection: driver.Connection, Request: driver.Request as Driver['Request'], TYPES: driver.TYPES };
};

/** Connections to Azure SQL: encrypted, the server's certificate and name verified. */
export function sqlConnect({ ca }: ConnectOptions = {}, load: () => Promise<Driver> = loadDriver): Connect {
  return async ({ host, port, database }, { user, password, isToken }) => {
    const driver = await load();
    const connection = new driver.Connection({
      server: host,
      authentication: isToken
        ? { type: 'azure-active-directory-access-token', options: { token: password } }
        : { type: 'default', options: { userName: user, password } },
      options: {
        port,
        database,
        encrypt: true,
        trustServerCertificate: false,
        connectTimeout: CONNECT_TIMEOUT,
        requestTimeout: STATEMENT_TIMEOUT,
        // A sleeping database is tried again by the reconciler, which reports it.
        maxRetriesOnTransientErrors: 0,
        rowCollectionOnRequestCompletion: true,
        appName: 'cdk8s-aso-controller',
        ...(ca ? { cryptoCredentialsDetails: { ca } } : {}),
      },
    });
    // A connection that breaks between two statements is reported by the next one.
    connection.on('error', () => undefined);
    await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
    const session: Session = {
      rows: (statement) => execute(driver, connection, statement),
      close: async () => connection.close(),
      destroy: () => connection.close(),
    };
    try {
      await session.rows({ step: 'ping', text: 'SELECT 1 AS one' });
    } catch (error) {
      session.destroy();
      throw error;
    }
    return session;
  };
}

/** The only placeholder is `@user`, a name; what has none is a batch, because a statement about a user must be alone in its scope. */
function execute({ Request: DriverRequest, TYPES: types }: Driver, connection: Connection, { text, values }: Statement): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const request = new DriverRequest(text, (error, _, rows = []) => (error ? reject(error) : resolve(rows.map(rowOf))));
    if (!values) return connection.execSqlBatch(request);
    request.addParameter('user', types.NVarChar, values[0]);
    return connection.execSql(request);
  });
}

function rowOf(columns: readonly Column[]): Row {
  return Object.fromEntries(columns.map(({ value, metadata }) => [metadata.colName, value]));
}
