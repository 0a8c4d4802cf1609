import { BoundedSocket } from '../bounded-socket';
import { CONNECT_TIMEOUT, LOCK_TIMEOUT, STATEMENT_TIMEOUT, type Connect, type ConnectOptions, type Row, type Session } from '../session';

/** Loaded with the first user: most controllers have none. */
const load = () => import('./driver');

/**
 * Users of a database may create functions and operators in it that fit the types of a statement better than those of the catalogue: they
 * would run with the rights of the administrator. So nothing but the catalogue is searched. And users may hold locks: the server itself
 * ends a statement that waits, since it does not notice that the client has given it up.
 * https://wiki.postgresql.org/wiki/A_Guide_to_CVE-2018-1058:_Protect_Your_Search_Path
 */
const SETTINGS = `SET search_path = pg_catalog, pg_temp; SET lock_timeout = '${LOCK_TIMEOUT}ms'; SET statement_timeout = '${STATEMENT_TIMEOUT}ms'`;

/** Connections to PostgreSQL: TLS, the server's certificate and name verified. */
export function postgresqlConnect({ ca, connectTimeoutMs = CONNECT_TIMEOUT }: ConnectOptions = {}): Connect {
  return async ({ host, port, database }, { user, password }) => {
    const { Client } = await load();
    const bounded = new BoundedSocket();
    const { socket } = bounded;
    const client = new Client({
      stream: () => socket,
      host,
      port,
      database,
      user,
      password,
      application_name: 'cdk8s-aso-controller',
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: STATEMENT_TIMEOUT,
      ssl: { rejectUnauthorized: true, ...(ca ? { ca } : {}) },
    });
    // A connection that breaks between two statements is reported by the next one.
    client.on('error', () => undefined);
    const session: Session = {
      rows: async ({ text, values }) => {
        bounded.startStatement();
        return (await client.query<Row>(text, values ? [...values] : undefined)).rows;
      },
      close: () => client.end().catch(() => undefined),
      // The client's own end is polite where no statement runs.
      destroy: () => void socket.destroy(),
    };
    try {
      await client.connect();
      await client.query(SETTINGS);
    } catch (error) {
      session.destroy();
      throw error;
    }
    return session;
  };
}
