import { GROUPS, GroupsEnvironment } from './groups-environment';
import { freePort } from './servers';
import { until } from '../setup/until';

/** At first; then another client uses up all of the subscription's writes, and twice as many more objects are applied. */
const OBJECTS = 20;

describe('a subscription that is throttled by somebody else', () => {
  let environment: GroupsEnvironment | undefined;
  let log = '';
  beforeAll(async () => {
    environment = await GroupsEnvironment.start({ timeScale: 60, limits: true });
  });
  afterAll(() => environment?.close());

  test('gets a few requests only, is reported once, and all objects are Ready in the end', async () => {
    const { azure, client } = environment!;
    const apply = (name: string) => environment!.apply('ns', name);
    const ready = async () =>
      (await client.list(GROUPS, {})).items.filter(({ status }) =>
        (status?.conditions as { type: string; status: string }[] | undefined)?.some(
          ({ type, status: is }) => type === 'Ready' && is === 'True',
        ),
      ).length;
    await environment!.namespace('ns');
    const port = await freePort();
    const flags = ['--delay-scale', '60', '--metrics-addr', `127.0.0.1:${port}`, '--secure-metrics=false'];
    const controller = environment!.startController(flags, {}, ['ignore', 'pipe', 'pipe']);
    for (const stream of [controller.stdout!, controller.stderr!]) stream.on('data', (data: Buffer) => (log += data.toString()));
    const metric = async (pattern: RegExp) =>
      Number(pattern.exec(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())?.[1] ?? NaN);
    const many = (from: number, to: number) => Promise.all(Array.from({ length: to - from }, (_, index) => apply(`group-${from + index}`)));
    await many(0, OBJECTS);
    await until('the first objects are Ready', async () => (await ready()) === OBJECTS);

    azure.drain({ operation: 'writes', seconds: 300 });
    await many(OBJECTS, 3 * OBJECTS);
    await until(
      'the controller knows',
      async () => (await metric(/^cdk8s_aso_arm_budget_blocked\{[^}]*operation="writes"\} (\d+)/m)) === 1,
    );
    // Azure refuses no longer, and not before it has said so.
    await until('all objects are Ready', async () => (await ready()) === 3 * OBJECTS);

    const refused = azure.log().filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(1);
    // Requests in flight at the first refusal, and one that goes ahead after each wait.
    expect(refused.length).toBeLessThanOrEqual(OBJECTS);
    expect(await metric(/^cdk8s_aso_arm_budget_blocked\{[^}]*operation="writes"\} (\d+)/m)).toBe(0);
    expect(await metric(/^cdk8s_aso_arm_budget_blocked_seconds_total\{[^}]*operation="writes"\} ([\d.]+)/m)).toBeGreaterThan(1);
    expect(await metric(/^cdk8s_aso_arm_requests_total\{purpose="reconcile",operation="writes"\} (\d+)/m)).toBeGreaterThanOrEqual(
      3 * OBJECTS,
    );
    expect(log.match(/Azure refuses writes/g)).toHaveLength(1);
    expect(log.match(/Azure takes requests again/g)).toHaveLength(1);
  });
});
