import { countOf, objectsOf, round, sleep, type Bench, type Row } from './bench';
import { confirmed, restart } from './restart';

const PERIODS = 3;
const ASO_REQUESTS = 1; // a PUT an object and period

/** Requests of one sync period in which nothing changes: those of an hour, where the period is an hour. */
export async function period(bench: Bench, seconds: number): Promise<Row[]> {
  const { world, teams, say } = bench;
  const count = objectsOf(teams).length;
  await restart(bench, { AZURE_SYNC_PERIOD: `${seconds}s` });
  await confirmed(bench);
  // The second round has the spread of the period already.
  await sleep(seconds * 1000);
  const before = (await world.requests()).length;
  say(`${PERIODS} sync periods of ${seconds} s`);
  await sleep(PERIODS * seconds * 1000);
  const requests = await world.requests(before);
  const each = requests.length / PERIODS;
  return [
    { what: `ARM requests in a sync period (of ${seconds} s here) at rest`, value: round(each) },
    { what: '… for 1,200 objects and 1 h, if in proportion: in an hour', value: round(each / count * 1200), aim: `ASO: ${1200 * ASO_REQUESTS}` },
    { what: '… PUTs', value: countOf(requests, 'PUT'), aim: '0' },
  ];
}
