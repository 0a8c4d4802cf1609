import type { Attack } from './attack';
import { HostileEnvironment } from './hostile-environment';

/** What must hold for everybody else, whatever the row does. */
async function everybodyElse(environment: HostileEnvironment, attack: Attack): Promise<void> {
  const { mayRestart = false, healthWithinMs = 1_000, neighbourWithinS = 30 } = attack;
  await environment.isReady('ResourceGroup', 'neighbour', 'before', neighbourWithinS);
  await environment.object('neighbour', 'ResourceGroup', 'after', { location: 'uksouth' });
  await environment.isReady('ResourceGroup', 'neighbour', 'after', neighbourWithinS);
  const log = environment.controller!.log;
  for (const secret of environment.secrets) expect(log).not.toContain(secret);
  if (mayRestart) return;
  expect(environment.controller!.endings).toEqual([]);
  expect(environment.controller!.starts).toBe(1);
  expect(environment.slowestHealthMs).toBeLessThan(healthWithinMs);
}

/** A test for each row, each with an environment of its own. */
export function runAttacks(area: string, attacks: readonly Attack[]): void {
  jest.setTimeout(240_000);

  describe(area, () => {
    if (attacks.length === 0) test.todo('rows');
    for (const attack of attacks) {
      test(attack.id, async () => {
        const environment = await HostileEnvironment.start(attack.environment);
        try {
          await environment.object('neighbour', 'ResourceGroup', 'before', { location: 'uksouth' });
          await attack.run(environment);
          await everybodyElse(environment, attack);
        } finally {
          await environment.close();
        }
      });
    }
  });
}
