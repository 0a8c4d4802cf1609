import { applyTeam, APPLIED_AT_A_TIME, withConcurrency, percentile, round, sleep, wait, type Bench, type Row } from './bench';
import { nameOf } from '../shared/environment/objects-seen';
import { crowd, emptyTeam, probesOf } from '../shared/environment/teams';

const NAMESPACE = 'quiet';
const TIMEOUT_SECONDS = 120;

/**
 * One namespace applies very many objects; how long does another one's single object wait for its first request? Same subscription, same
 * principal.
 */
export async function storm(bench: Bench, count: number, probes: number, interval = 3_000): Promise<Row[]> {
  const { environment, seen, controller, credential, say } = bench;
  // With its own sync period again.
  await controller.stop();
  await controller.start();
  const quiet = emptyTeam(NAMESPACE, 0, credential);
  const crowded = crowd('storm', count, 0, credential);
  await applyTeam(bench, quiet);
  await applyTeam(bench, crowded);
  const single = probesOf(NAMESPACE, probes);
  await environment.apply(single.group);
  await wait(
    bench,
    'the quiet namespace has its group',
    () => nameOf(single.group),
    () => seen.settledAt(nameOf(single.group)) !== undefined,
    TIMEOUT_SECONDS,
  );
  const from = (await environment.requests()).length;
  const begun = Date.now();
  const applied = withConcurrency(crowded.objects, APPLIED_AT_A_TIME, (object) => environment.apply(object));
  const times: number[] = [];
  for (const object of single.objects) {
    await sleep(interval);
    await environment.apply(object);
    const at = Date.now();
    const azureName = String(object.spec?.azureName ?? object.metadata.name).toLowerCase();
    let sent: number | undefined;
    await wait(bench, `${nameOf(object)} is sent`, () => nameOf(object), async () => {
      sent = (await environment.requests(from)).find(({ path }) => path.toLowerCase().endsWith(`/${azureName}`))?.at;
      return sent !== undefined;
    }, TIMEOUT_SECONDS);
    times.push(Math.max(0, sent! - at));
    say(`${nameOf(object)}: first request after ${sent! - at} ms; ${seen.settled(crowded.objects.map(nameOf))} of ${count} Ready`);
  }
  const left = seen.unsettled(crowded.objects.map(nameOf)).length;
  const rate = (await environment.requests(from)).length / ((Date.now() - begun) / 1000);
  await applied;
  return [
    {
      what: `another namespace applies ${count} objects; first request of a single one, p50 of ${probes}, ms`,
      value: percentile(times, 50),
    },
    { what: '… longest, ms', value: Math.max(...times), aim: '≤ 2000' },
    { what: '… objects of the other namespace that were not Ready at the end', value: left },
    { what: '… requests a second', value: round(rate) },
  ];
}
