import { settled } from './fake-clock';
import { GROUP_ID, GROUPS, inSeparateEnvironments, object, TestEnvironment, type EnvironmentSettings } from './harness';
import { annotation, withAnnotations } from '../../../engine/objects/annotations';
import { PUT_RECORD } from '../../../src/azure/annotations';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OFTEN: EnvironmentSettings = { syncPeriod: MINUTE };
let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

const events = (reason: string) => environment.events.filter((event) => event.reason === reason);
const record = () =>
  JSON.parse(annotation(environment.stored(GROUPS, 'rg')!, PUT_RECORD)!) as { corrected?: Record<string, { times: number }> };
const inAzure = () => environment.azure.resources.get(GROUP_ID.toLowerCase())!.body;

async function ready(tags: Record<string, string> = { team: 'a' }, settings: EnvironmentSettings = {}): Promise<void> {
  await environment.cluster.create(GROUPS, object(GROUPS, 'rg', { location: 'westeurope', tags }));
  await environment.start(settings);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
}

/** Another client writes the tags again, right after each PUT of ours. */
function fight(tags: () => Record<string, string>): void {
  let writes = 0;
  environment.azure.before = ({ method, url }) => {
    const isSettled = method === 'GET' && !url.includes('/operations/') && environment.azure.count('PUT') > writes;
    if (!isSettled) return;
    writes = environment.azure.count('PUT');
    environment.clock.schedule(1, () => environment.azure.meddle(GROUP_ID, { tags: tags() }));
  };
  environment.azure.meddle(GROUP_ID, { tags: tags() });
}

/** How long after the one before each PUT of a time comes, in minutes. */
async function gaps(duration: number): Promise<number[]> {
  const times: number[] = [];
  const known = environment.azure.before;
  environment.azure.before = (request) => {
    if (request.method === 'PUT') times.push(environment.clock.now());
    known(request);
  };
  await environment.clock.advance(duration);
  environment.azure.before = known;
  return times.slice(1).map((time, index) => Math.round((time - times[index]!) / MINUTE));
}

test('what is changed back each time is corrected as often, more and more slowly, and never given up', async () => {
  await ready({ team: 'a' }, OFTEN);
  fight(() => ({ team: 'b' }));
  expect((await gaps(6 * HOUR)).slice(0, 9)).toEqual([1, 1, 5, 10, 20, 40, 60, 60, 60]);
  expect(await gaps(48 * HOUR)).toHaveLength(47);
});

test('the same where the other writer has a new value each time', async () => {
  await ready({ team: 'a' }, OFTEN);
  let round = 0;
  fight(() => ({ team: `b${round++}` }));
  expect((await gaps(4 * HOUR)).slice(0, 8)).toEqual([1, 1, 5, 10, 20, 40, 60, 60]);
});

test('with the sync period of an hour each sync corrects', async () => {
  await ready();
  fight(() => ({ team: 'b' }));
  expect(await gaps(24 * HOUR)).toHaveLength(23);
});

test('the condition tells what, how often and when next, and changes with a correction only', async () => {
  await ready({ team: 'a' }, OFTEN);
  fight(() => ({ team: 'b' }));
  await environment.clock.advance(20 * MINUTE);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({
    status: 'True',
    reason: 'Succeeded',
    message: 'Something in Azure changes /tags/team back each time: corrected 5 times, last at 2026-01-01T00:18:00Z, '
      + 'and again not before 2026-01-01T00:38:00Z. Stop the other writer, list the property in the annotation aso.cdk8s.io/ignore-changes, or change the spec',
  });
  expect(events('RepeatedDrift').map(({ type }) => type)).toEqual(['Warning', 'Warning', 'Warning']);
  const writes = environment.cluster.writes.length;
  await environment.clock.advance(10 * MINUTE);
  expect(environment.cluster.writes).toHaveLength(writes);
});

test('while a correction waits, the status shows what Azure has, and a restart does not hurry it', async () => {
  await ready({ team: 'a' }, OFTEN);
  fight(() => ({ team: 'b' }));
  await environment.clock.advance(30 * MINUTE);
  expect(environment.stored(GROUPS, 'rg')!.status).toMatchObject({ tags: { team: 'b' } });
  for (let round = 0; round < 5; round += 1) {
    await environment.kill();
    await environment.start(OFTEN);
  }
  expect((await gaps(3 * HOUR)).slice(0, 3)).toEqual([40, 60, 60]);
  expect(record().corrected).toMatchObject({ '/tags/team': { times: expect.any(Number) as number } });
});

test('a day of peace ends the count, and the condition says so', async () => {
  await ready();
  for (let round = 1; round <= 4; round += 1) {
    environment.azure.meddle(GROUP_ID, { tags: { team: 'b' } });
    await environment.clock.advance(HOUR);
  }
  expect(environment.ready(GROUPS, 'rg')!.message).toContain('/tags/team');
  await environment.clock.advance(25 * HOUR);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(environment.ready(GROUPS, 'rg')).not.toHaveProperty('message');
  expect(record()).not.toHaveProperty('corrected');
});

test('a new spec starts anew', async () => {
  await ready({ team: 'a' }, OFTEN);
  fight(() => ({ team: 'b' }));
  await environment.clock.advance(30 * MINUTE);
  environment.azure.before = () => undefined;
  await environment.cluster.edit(GROUPS, 'default', 'rg', { tags: { team: 'b' } });
  await settled();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', observedGeneration: 2 });
  expect(environment.ready(GROUPS, 'rg')).not.toHaveProperty('message');
  expect(record()).not.toHaveProperty('corrected');
});

test('another difference does not wait for the one that comes back', async () => {
  await ready({ team: 'a' }, OFTEN);
  fight(() => ({ team: 'b' }));
  await environment.clock.advance(30 * MINUTE);
  environment.azure.before = () => undefined;
  environment.azure.meddle(GROUP_ID, { location: 'elsewhere' });
  const found = environment.azure.count('PUT');
  await environment.clock.advance(2 * MINUTE);
  expect(environment.azure.count('PUT')).toBe(found + 1);
  expect(inAzure()).toMatchObject({ location: 'westeurope', tags: { team: 'a' } });
});

test('hundreds of properties with long names are counted together, and the annotation stays small', async () => {
  const tags = (value: string) => Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${'long'.repeat(100)}${index}`, value]));
  await ready(tags('a'), OFTEN);
  fight(() => tags('b'));
  expect((await gaps(3 * HOUR)).slice(0, 6)).toEqual([1, 1, 5, 10, 20, 40]);
  expect(annotation(environment.stored(GROUPS, 'rg')!, PUT_RECORD)!.length).toBeLessThan(10_000);
  expect(environment.ready(GROUPS, 'rg')!.message!.length).toBeLessThan(2_000);
});

test('a record of an older version, without times, counts on', async () => {
  await ready();
  await environment.kill();
  const old = { ...record(), corrected: { '/tags/team': { mark: 'x', times: 3 } } };
  await environment.cluster.replace(GROUPS, withAnnotations(environment.stored(GROUPS, 'rg')!, { [PUT_RECORD]: JSON.stringify(old) }));
  environment.azure.meddle(GROUP_ID, { tags: { team: 'b' } });
  await environment.clock.advance(2 * HOUR);
  await environment.start();
  expect(inAzure()).toMatchObject({ tags: { team: 'a' } });
  expect(record().corrected).toMatchObject({ '/tags/team': { times: 4 } });
});
