import { EventLog } from '../../../controller/page/event-log';
import { RequestLog } from '../../../controller/page/request-log';

const ID = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/data';
const request = (method: 'PUT' | 'POST' | 'GET', path: string) => ({ method, path, resource: 'x', seconds: 0.1, status: 200, requestId: 'r' });

test('requests of a resource, the newest first, with the actions below it', () => {
  let now = 0;
  const log = new RequestLog(() => ++now);
  log.add(request('PUT', ID));
  log.add(request('POST', `${ID}/listKeys`));
  log.add(request('GET', `${ID.toUpperCase()}`));
  log.add(request('GET', `${ID}2`));
  expect(log.of(ID).map(({ method, action, at }) => [method, action, at])).toEqual([['GET', undefined, 3], ['POST', '/listKeys', 2], ['PUT', undefined, 1]]);
  expect(log.of(undefined)).toEqual([]);
});

test('both logs have a bound', () => {
  const log = new RequestLog(() => 0);
  for (let i = 0; i < 100; i += 1) log.add(request('GET', ID));
  expect(log.of(ID)).toHaveLength(30);
  for (let i = 0; i < 5_000; i += 1) log.add(request('GET', `${ID}${i}`));
  expect([log.of(ID).length, log.of(`${ID}4999`).length]).toEqual([0, 1]);
  const events = new EventLog();
  for (let i = 0; i < 100; i += 1) events.add('a', { type: 'Normal', reason: 'R', message: `${i}`, count: 1, last: i });
  expect(events.of(['a']).get('a')).toHaveLength(20);
  for (let i = 0; i < 5_000; i += 1) events.add(`${i}`, { type: 'Normal', reason: 'R', message: '', count: 1, last: i });
  expect([...events.of(['a', '4999', undefined]).keys()]).toEqual(['4999']);
});

test('an event that repeats is one', () => {
  const events = new EventLog();
  for (const count of [1, 2]) events.add('a', { type: 'Normal', reason: 'R', message: 'm', count, last: count });
  expect(events.of(['a']).get('a')).toEqual([{ type: 'Normal', reason: 'R', message: 'm', count: 2, last: 2 }]);
});
