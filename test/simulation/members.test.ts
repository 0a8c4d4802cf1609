import { PENDING } from './pending';
import { simulationsOfSuite } from './program';

/** `SIMULATION_SEEDS=1000 npx jest test/simulation/members` for more. */
const COUNT = Number(process.env.SIMULATION_SEEDS ?? 6);
const simulate = simulationsOfSuite();

test('objects that members of teams make by hand come right, end with their team, and reach no other team', async () => {
  const limits = new Set<string>();
  let byHand = 0;
  for (let seed = 1; seed <= COUNT; seed += 1) {
    const { violations, faults, ...report } = await simulate({ seed, without: PENDING, members: 'guarded' });
    expect([seed, faults, violations]).toEqual([seed, faults, []]);
    report.limits.forEach((limit) => limits.add(limit));
    byHand += report.byHand;
  }
  expect(byHand).toBeGreaterThan(5 * COUNT);
  expect([...limits].sort()).toEqual([
    'self-service-annotation', 'self-service-credential', 'self-service-export', 'self-service-kind', 'self-service-name', 'self-service-owner',
  ]);
});

test('without guard rails the simulation sees that members reach other teams', async () => {
  const found: string[] = [];
  for (let seed = 1; seed <= COUNT && found.length === 0; seed += 1) {
    const { violations } = await simulate({ seed, without: PENDING, members: 'unguarded' });
    found.push(...violations.filter((text) => text.includes("outside of its team's resource groups")));
  }
  expect(found).not.toEqual([]);
});
