import { MILLION, type Fleet } from '../../bench/model/fleet';
import { limitsOf } from '../../bench/model/limits';
import { predict } from '../../bench/model/predict';
import { RATES } from '../../bench/model/rates';
import { RUNS } from '../../bench/model/runs';

const of = (changes: Partial<Fleet>) => predict({ ...MILLION, ...changes }, RATES);
/** One cluster, as the bench of shards has it. */
const measured = (objects: number, replicas: number, madeInSeconds: number) => (
  of({ objects, clusters: 1, replicas, subscriptions: 100, madeInSeconds })
);

test.each(RUNS)('the model is within a quarter of a run with $fleet.objects objects and $fleet.replicas replicas', (run) => {
  const { objects, replicas } = run.fleet;
  // One of the replicas is killed in the middle, and its objects go to the others.
  const model = measured(objects, replicas - 1, run.seconds);
  const near = (actual: number, expected: number) => {
    expect(actual).toBeGreaterThan(expected * 0.75);
    expect(actual).toBeLessThan(expected * 1.25);
  };
  near(model.replicaMiB, run.replicaMiB);
  near(model.apiServerMiB, run.apiServerMiB);
  near(model.storageMiB, run.storageMiB);
  if (run.takeOverSeconds !== undefined) near(model.takeOverSeconds, run.takeOverSeconds);
  near(RATES.apiRequestsPerObject, run.apiRequestsPerObject);
});

test('more replicas have less each, and ask more about Leases', () => {
  const [three, six] = [of({ replicas: 3 }), of({ replicas: 6 })];
  expect(six.replicaMiB).toBeLessThan(three.replicaMiB);
  expect(six.leaseRequestsPerSecond).toBeGreaterThan(three.leaseRequestsPerSecond);
});

test('what is made at once is Ready after the longest of its bounds', () => {
  const { bounds, readySeconds } = of({});
  expect(readySeconds).toBe(Math.max(...Object.values(bounds)));
  // 10,000 objects of one subscription: 10,600 writes, of which 200 at once and 10 a second.
  expect(of({ subscriptions: 100 }).bounds['writes to Azure']).toBeCloseTo((10_000 * RATES.writesPerObject - 200) / 10);
});

test('a single replica owns everything; of several, one has more than its share', () => {
  expect(of({ clusters: 1, replicas: 1, objects: 9_000 }).objectsOfReplica).toBe(9_000);
  const share = of({ clusters: 1, replicas: 3, objects: 9_000 }).objectsOfReplica / 9_000;
  expect(share).toBeGreaterThan(1 / 3);
  expect(share).toBeLessThan(0.5);
});

test('limits are in the order in which they come', () => {
  const limits = limitsOf(MILLION, of({}), { roleAssignments: 3, storageAccounts: 1 }, 512);
  const shares = limits.map(({ value, limit }) => value / limit);
  expect(shares).toEqual([...shares].sort((a, b) => b - a));
  expect(limits).toHaveLength(9);
});
