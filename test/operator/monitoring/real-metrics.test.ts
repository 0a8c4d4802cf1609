import { alerts, hasPromtool, testAnswers, testRules } from './promtool';
import { REAL_FAULTS, type RealFault } from './real-faults';
import { metricOf, Recording, type Stretch } from './recording';
import { boundsOf, groupedLabels, labelsOf, matches, selectorsOf, thresholdsOf } from './selectors';
import { SCRAPE_MS, SCRAPES_PER_MINUTE, Stage } from './stage';
import { ControllerAlerts } from '../../../src/operator';
import { DASHBOARD_ROWS } from '../../../src/operator/monitoring/dashboard-panels';
// The metrics are times, of a process that shares the machine: a fault that is not seen, or one alert too many, has to be so twice.
jest.retryTimes(1);

const ALERTS = alerts().groups.flatMap(({ rules }) => rules);
const QUERIES = DASHBOARD_ROWS.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries))
  .map(({ expr }) => expr.replaceAll('$S', 'namespace="azureserviceoperator-system"'));
const EXPRESSIONS = [...ALERTS.map(({ expr }) => expr), ...QUERIES];
const USED = new Set(EXPRESSIONS.flatMap((expr) => selectorsOf(expr).map(({ metric }) => metric)));
const SECONDS = 60 / SCRAPES_PER_MINUTE;
/** Minutes for which a fault and the time after it last. The longest `for` is an hour, the longest window two. */
const [PEACE_BEFORE, FAULT, PEACE_AFTER] = [30, 90, 130];
/** Labels of a target, which a metric of ours must not use: Prometheus would rename it. */
const RESERVED = ['job', 'instance', 'namespace', 'pod', 'service', 'container', 'endpoint'];
/** Scrapes until the metrics have followed a repair, and of a quiet time. */
const [SETTLE, QUIET] = [2, 3];

const recording = new Recording(SCRAPE_MS);
let stage: Stage;
let quiet: Stretch;

/** Series of the stretches, one after the other, and how many minutes they take. */
function played(stretches: readonly Stretch[]) {
  const minutes = stretches.reduce((sum, { from, to, minutes: long }) => sum + (long ?? (to - from) / SCRAPES_PER_MINUTE), 0);
  return { input: recording.played(stretches, USED, SCRAPES_PER_MINUTE), minutes: Math.floor(minutes) };
}

async function quietTime(): Promise<Stretch> {
  // A scrape that a busy machine answers too late says nothing about the time of peace, which is played for two hours.
  for (;;) {
    const from = recording.now;
    const stretch = { from, to: await recording.next(QUIET) };
    if (recording.isWhole(stretch)) return stretch;
  }
}

/** A time of peace, a fault, and a time of peace: the alert fires in the fault, and no other one ever. */
async function expectAlert(
  { firing, may = [], isOnce, scrapes = 4 }: Pick<RealFault, 'may' | 'isOnce' | 'scrapes'> & { readonly firing: readonly string[] },
  cause: () => Promise<() => Promise<unknown>>,
): Promise<void> {
  const began = recording.now;
  const end = await cause();
  const from = isOnce ? began : await recording.next(1);
  const to = await recording.next(isOnce ? 5 : scrapes);
  await end();
  const repaired = await recording.next(SETTLE);
  const after = await quietTime();
  const before = [{ ...quiet, minutes: PEACE_BEFORE }, { from: began, to: from }].filter((stretch) => stretch.to > stretch.from);
  const during = { from, to, ...(isOnce ? {} : { minutes: FAULT }) };
  const { input, minutes } = played([...before, during, { from: to, to: repaired }, { ...after, minutes: PEACE_AFTER }]);
  quiet = after;
  // The last minute of a stretch: the sample at its end is the first one of the next.
  const checks = [{ minute: PEACE_BEFORE - 1, firing: [] }, { minute: played([...before, during]).minutes - 1, firing }];
  testRules([{ input, minutes: minutes - 1, firing: [], before: checks, everFiring: firing, may }], SECONDS);
}

(hasPromtool ? describe : describe.skip)('the alerts on the metrics of the built controller', () => {
  beforeAll(async () => {
    stage = await Stage.start({ webhooks: true, flags: ['--enable-leader-election'], recording });
  });
  afterAll(async () => {
    await recording.stop();
    await stage?.close();
  });

  test('an hour of peace with users who create, change and delete objects: no alert', async () => {
    const { environment } = stage;
    await environment.namespace('team');
    for (let index = 0; index < 4; index += 1) await stage.group('team', `base-${index}`);
    await environment.object('team', 'UserAssignedIdentity', 'identity', { location: 'uksouth', owner: { name: 'base-0' } });
    await environment.isReady('UserAssignedIdentity', 'team', 'identity');
    await stage.review({ tags: { a: 'b' } });
    const start = await recording.next(1);
    for (let round = 0; round < 3; round += 1) {
      const names = Array.from({ length: 10 }, (_, index) => `work-${round}-${index}`);
      for (const name of names) await stage.group('team', name);
      await Promise.all(names.map((name) => environment.isReady('ResourceGroup', 'team', name)));
      for (const name of names) await environment.patch('ResourceGroup', 'team', name, { spec: { tags: { round: String(round) } } });
      expect(await stage.review({ tags: { a: 'b' } })).toBe(200);
      for (const name of names) await environment.delete('ResourceGroup', 'team', name);
    }
    const { input, minutes } = played([{ from: 0, to: start }, { from: start, to: await recording.next(1), minutes: 90 }]);
    testRules([{ input, minutes, firing: [], everFiring: [] }], SECONDS);
    await stage.gone(/^cdk8s_aso_resources\{.*ready="(?!True)/);
    quiet = await quietTime();
  });

  test.each(REAL_FAULTS.map((fault) => [fault.by === undefined ? fault.alert : `${fault.alert}: ${fault.by}`, fault] as const))('%s', async (_, fault) => {
    await expectAlert({ ...fault, firing: [fault.alert, ...fault.also ?? []].sort() }, () => fault.cause(stage));
  });

  test('AsoSeveralLeaders: two API servers, as after a cluster was restored beside the old one', async () => {
    let other: Stage | undefined;
    await expectAlert({ firing: ['AsoSeveralLeaders'] }, async () => {
      other = await Stage.start({ pod: 'controller-1', flags: ['--enable-leader-election'], recording });
      await stage.seen(/^leader_election_master_status\{/, 1);
      return () => other!.close();
    });
  });

  test('AsoQueueLate: one worker, and an API server that takes its time', async () => {
    let other: Stage | undefined;
    const env = { MAX_CONCURRENT_RECONCILES: '1', PLANTED_CLOCK_SCALE: '60' };
    await expectAlert({ firing: ['AsoQueueLate'], scrapes: 10 }, async () => {
      other = await Stage.start({ pod: 'controller-1', env, recording });
      const { environment } = other;
      await environment.namespace('team');
      environment.proxy.disturb = ({ resource, isWatch }) => (resource === 'resourcegroups' && !isWatch ? { delayMs: 150 } : undefined);
      for (let index = 0; index < 40; index += 1) await other.group('team', `late-${index}`);
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      return () => other!.close();
    });
  });

  test('every alert has a fault of a real controller', () => {
    expect(new Set([...REAL_FAULTS.map(({ alert }) => alert), 'AsoSeveralLeaders', 'AsoQueueLate'])).toEqual(new Set(ControllerAlerts.names));
  });

  test('every selector of alerts and dashboard finds series of the controller, and every label is one of theirs', () => {
    const series = [...recording.series].map((name) => ({ metric: metricOf(name), labels: labelsOf(name) }));
    const problems = EXPRESSIONS.flatMap((expr) => {
      const selectors = selectorsOf(expr);
      const found = series.filter(({ metric }) => selectors.some((selector) => selector.metric === metric));
      const names = new Set(found.flatMap(({ labels }) => [...labels.keys()]));
      return [
        ...selectors.filter((selector) => !series.some((one) => matches(selector, one))).map(({ text }) => text),
        ...groupedLabels(expr).filter((name) => !names.has(name)).map((name) => `by (${name}) in ${expr}`),
        // A quantile between two bounds is interpolated: a threshold there says nothing.
        ...thresholdsOf(expr).filter((threshold) => !boundsOf(found).includes(threshold)).map((threshold) => `> ${threshold} in ${expr}`),
      ];
    });
    expect(problems).toEqual([]);
    const own = [...recording.series].filter((name) => !name.startsWith('up{')).flatMap((name) => [...labelsOf(name.replace(/,?job="azureservice.*$/, '}')).keys()]);
    expect(own.filter((name) => RESERVED.includes(name))).toEqual([]);
  });

  test('every panel of the dashboard has data', () => {
    const { input, minutes } = played([{ from: 0, to: recording.now }]);
    testAnswers(input, minutes, QUERIES, SECONDS);
  });
});
