import { CONNECT_TIMEOUT, STATEMENT_TIMEOUT, type Connect, type ConnectOptions, type Row, type Session } from '../session';

/** Loaded with the first user: most controllers have none. */
const load = () => import('./driver');

/** Connections to PostgreSQL: TLS, the server's certificate and name verified. */
export function postgresqlConnect({ ca }: ConnectOptions = {}): Connect {
  return async ({ host, port, database }, { user, password }) => {
    const { Client } = await load();
    const client = new Client({
      host,
      port,
      database,
      user,
      password,
      application_name: 'cdk8s-aso-controller',
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      query_timeout: STATEMENT_TIMEOUT,
      ssl: { rejectUnauthorized: true, ...(ca ? { ca } : {}) },
    });
    // A connection that breaks between two statements is reported by the next one.
    client.on('error', () => undefined);
    const session: Session = {
      rows: async ({ text, values }) => (await client.query<Row>(text, values ? [...values] : undefined)).rows,
      close: () => client.end().catch(() => undefined),
      destroy: () => void client.end().catch(() => undefined),
    };
    try {
      await client.connect();
      await client.query('SELECT 1');
    } catch (error) {
      session.destroy();
      throw error;
    }
    return session;
  };
}
