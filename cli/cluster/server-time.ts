import type { Connection } from '../../engine/kubernetes';

/** The time on the API server's clock, in milliseconds since the epoch and to the second. */
export async function serverTime(connection: Pick<Connection, 'request'>): Promise<number> {
  const { headers } = await connection.request({ method: 'GET', path: '/version' });
  const time = Date.parse(headers.date ?? '');
  if (Number.isNaN(time)) throw new Error('the answers of the API server have no Date header: a proxy takes it away');
  return time;
}
