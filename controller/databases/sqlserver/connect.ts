import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Connection, ConnectionConfiguration, Request, TYPES } from 'tedious';
import { BoundedSocket } from '../bounded-socket';
import { isOfSameCloud } from '../owner-server';
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
export function sqlConnect(
  { ca, connectTimeoutMs = CONNECT_TIMEOUT }: ConnectOptions = {}, load: () => Promise<Driver> = loadDriver,
): Connect {
  return async ({ host, port, database }, { user, password, isToken }) => {
    const driver = await load();
    const link = new Link(host, port);
    const late = setTimeout(() => link.destroy(new Error(`no login within ${connectTimeoutMs / 1000} s (timeout)`)), connectTimeoutMs);
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
        connectTimeout: connectTimeoutMs,
        requestTimeout: STATEMENT_TIMEOUT,
        // A sleeping database is tried again by the reconciler, which reports it.
        maxRetriesOnTransientErrors: 0,
        rowCollectionOnRequestCompletion: true,
        appName: 'cdk8s-aso-controller',
        connector: (...address: Parameters<Link['connect']>) => link.connect(...address),
        ...(ca ? { cryptoCredentialsDetails: { ca } } : {}),
      },
    });
    // A connection that breaks between two statements is reported by the next one.
    connection.on('error', () => undefined);
    const session: Session = {
      rows: (statement) => {
        link.bounded?.startStatement();
        return Promise.race([execute(driver, connection, statement), link.lost]);
      },
      close: async () => session.destroy(),
      destroy: () => {
        connection.close();
        link.destroy();
      },
    };
    try {
      const login = new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
      await Promise.race([login, link.lost]);
      await session.rows({ step: 'ping', text: 'SELECT 1 AS one' });
    } catch (error) {
      session.destroy();
      throw error;
    } finally {
      clearTimeout(late);
    }
    return session;
  };
}

/**
 * The connection to the server, or to the node to which its gateway sends the client on; the login is sent there again.
 * @see https://learn.microsoft.com/azure/azure-sql/database/connectivity-architecture
 */
class Link {
  /**
   * Rejects when the connection is gone. The driver then waits for the rest of a message for ever, whatever its time limit is.
   * @see https://github.com/tediousjs/tedious/issues/590 and https://github.com/tediousjs/tedious/issues/1157
   */
  public readonly lost: Promise<never>;
  private readonly lose: (error: Error) => void;
  public bounded?: BoundedSocket;

  public constructor(private readonly host: string, private readonly port: number) {
    let lose: (error: Error) => void = () => undefined;
    this.lost = new Promise((_, reject) => (lose = reject));
    this.lose = lose;
    this.lost.catch(() => undefined);
  }

  /** The driver passes the address, which its types do not say. */
  public async connect(
    { host, port } = { host: this.host, port: this.port }, _lookup?: unknown, signal?: AbortSignal,
  ): Promise<Socket> {
    if (!isOfSameCloud(this.host, host)) throw new Error(`server "${this.host}" sends on to "${host}", which is not of its cloud`);
    const bounded = new BoundedSocket();
    const { socket } = bounded;
    this.bounded = bounded;
    try {
      await once(socket.connect(port, host), 'connect', signal ? { signal } : {});
    } catch (error) {
      socket.destroy();
      throw error;
    }
    // The first node is left for the second one.
    socket.once('close', () => bounded === this.bounded && this.lose(socket.errored ?? new Error('the server closed the connection')));
    return socket;
  }

  public destroy(error?: Error): void {
    this.bounded?.socket.destroy(error);
    if (error) this.lose(error);
  }
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
