import { countOf, objectsOf, perObject, round, sleep, wait, type Bench, type Row } from './bench';
import { apply } from './ready';

/** An hour of Azure is a minute here: with the seconds of `Retry-After` the controller's own waits are scaled, too. */
export const PERIOD_SPEED = 60;
const HOUR = 3600 / PERIOD_SPEED;
/**
 * The first hours of a process are not like the others: it reads every resource once, and rows of Resource Graph are only then known to be
 * newer.
 */
const FIRST_HOURS = 2.5;
const HOURS = 4;
const DAY = 24 * HOUR;
const TIMEOUT_SECONDS = 1800;

/** The controller's settings: a sync period of an hour, and a full-read period of a day. */
export const PERIOD_SETTINGS = { AZURE_SYNC_PERIOD: `${HOUR}s`, FULL_READ_PERIOD: `${DAY}s` };

/** Requests in an hour in which nothing changes, with a sync period of an hour. */
export async function period(bench: Bench): Promise<Row[]> {
  const { environment, teams, seen, say } = bench;
  const count = objectsOf(teams).length;
  const names = await apply(bench);
  await wait(
    bench,
    'all objects are Ready',
    () => `${seen.settled(names)} of ${count} Ready`,
    () => seen.settled(names) === count,
    TIMEOUT_SECONDS,
  );
  await sleep(FIRST_HOURS * HOUR * 1000);
  const before = (await environment.requests()).length;
  say(`${HOURS} hours of ${HOUR} s`);
  await sleep(HOURS * HOUR * 1000);
  const requests = await environment.requests(before);
  return [
    {
      what: `ARM requests an hour at rest, ${count} objects, sync period 1 h (time × ${PERIOD_SPEED})`,
      value: round(requests.length / HOURS),
      aim: `< ${count}, ASO's`,
    },
    { what: '… per object and hour', value: perObject(requests, count * HOURS) },
    { what: '… PUTs', value: countOf(requests, 'PUT'), aim: '0' },
  ];
}
