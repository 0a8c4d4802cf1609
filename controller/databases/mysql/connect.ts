import { BoundedSocket } from '../bounded-socket';
import { CONNECT_TIMEOUT, STATEMENT_TIMEOUT, type Connect, type ConnectOptions, type Row, type Session } from '../session';

/** Loaded with the first user: most controllers have none. */
const load = () => import('./driver');

/** Connections to MySQL: TLS, the server's certificate and name verified. */
export function mysqlConnect({ ca, connectTimeoutMs = CONNECT_TIMEOUT }: ConnectOptions = {}): Connect {
  return async ({ host, port, database }, { user, password, isToken }) => {
    const mysql = await load();
    const bounded = new BoundedSocket();
    const socket = bounded.socket.setNoDelay(true);
    const connection = await mysql.createConnection({
      host,
      port,
      stream: () => socket.connect(port, host),
      database,
      user,
      password,
      charset: 'utf8mb4',
      connectTimeout: connectTimeoutMs,
      multipleStatements: false,
      // A token is too long for any hash: it travels as it is, and only inside TLS. A password never does.
      enableCleartextPlugin: isToken,
      ssl: { rejectUnauthorized: true, verifyIdentity: true, minVersion: 'TLSv1.2', ...(ca ? { ca } : {}) },
    }).catch((error: unknown) => {
      socket.destroy();
      throw error;
    });
    // After the last statement, errors of the connection do not matter.
    connection.on('error', () => undefined);
    const session: Session = {
      rows: async ({ text, values = [] }) => {
        bounded.startStatement();
        const [rows] = await connection.query({ sql: text, values: [...values], timeout: STATEMENT_TIMEOUT });
        return Array.isArray(rows) ? (rows as Row[]) : [];
      },
      close: () => connection.end().catch(() => undefined),
      destroy: () => {
        connection.destroy();
        socket.destroy();
      },
    };
    try {
      // The driver escapes with backslashes, which some modes of the server take for ordinary characters.
      await connection.query("SET SESSION sql_mode = ''");
      await connection.ping();
    } catch (error) {
      session.destroy();
      throw error;
    }
    return session;
  };
}
