import { connected, type Entrance } from '../../../controller/databases/connected';
import type { Session } from '../../../controller/databases/session';
import { timersLeftBy } from '../../setup/timers-left';

const ENTRANCE = { target: {}, admin: {}, secrets: [] } as unknown as Entrance;

test.each<[string, Partial<Session>]>([
  ['that has done its work', {}],
  ['whose statement was refused', { rows: () => Promise.reject(new Error('no')) }],
  ['that was cut off instead of closed', { close: () => Promise.reject(new Error('no')) }],
])('a connection %s keeps no timer', async (_, part) => {
  const session: Session = { rows: async () => [], close: async () => undefined, destroy: () => undefined, ...part };
  const { signal } = new AbortController();
  const work = () => connected(async () => session, ENTRANCE, { signal }, (run) => run({ step: 'create user', text: 'CREATE USER a' }));
  expect(await timersLeftBy(work)).toBe(0);
});
