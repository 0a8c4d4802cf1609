import type { Attack } from './attack';
import { HostileEnvironment } from './hostile-environment';

/** So long the thread that answers probes may compute in one go, in milliseconds of the processor: more of it delays all objects. */
const COMPUTES_AT_MOST_MS = 1_000;

/** Invariants for all other tenants, for every row. */
async function everybodyElse(environment: HostileEnvironment, attack: Attack): Promise<void> {
  const { id, mayRestart = false, healthWithinBeats = 200, neighbourWithinBeats = 600 } = attack;
  const beats = await environment.control.during(async () => {
    await environment.isReady('ResourceGroup', 'neighbour', `before-${id}`);
    await environment.object('neighbour', 'ResourceGroup', `after-${id}`, { location: 'uksouth' });
    await environment.isReady('ResourceGroup', 'neighbour', `after-${id}`);
  });
  expect(beats).toBeLessThan(neighbourWithinBeats);
  const log = environment.controller!.log;
  for (const secret of environment.secrets) expect(log).not.toContain(secret);
  if (mayRestart) return;
  expect(environment.controller!.endings).toEqual([]);
  expect(environment.controller!.starts).toBe(1);
  expect(environment.mostComputedMs).toBeLessThan(COMPUTES_AT_MOST_MS);
  expect(environment.slowestHealthBeats).toBeLessThan(healthWithinBeats);
}

/** One environment for all rows that may share it and want the same. */
class SharedEnvironments {
  private readonly environments = new Map<string, Promise<HostileEnvironment>>();

  public of({ environment = {} }: Attack): Promise<HostileEnvironment> {
    const key = JSON.stringify(environment);
    let found = this.environments.get(key);
    if (!found) this.environments.set(key, (found = HostileEnvironment.start(environment)));
    return found;
  }

  public async close(): Promise<void> {
    for (const started of await Promise.allSettled(this.environments.values())) {
      if (started.status === 'fulfilled') await started.value.close();
    }
  }
}

async function runAttack(environment: HostileEnvironment, attack: Attack): Promise<void> {
  await environment.object('neighbour', 'ResourceGroup', `before-${attack.id}`, { location: 'uksouth' });
  await attack.run(environment);
  await everybodyElse(environment, attack);
}

export interface RunOptions {
  /** Whether rows run one after the other: those that need the processor for themselves. Default: some run at a time. */
  readonly oneByOne?: boolean;
}

/** A test for each row. Rows that say so share an environment, others have one of their own. */
export function runAttacks(area: string, attacks: readonly Attack[], { oneByOne = false }: RunOptions = {}): void {
  describe(area, () => {
    const shared = new SharedEnvironments();
    afterAll(() => shared.close());

    for (const attack of attacks) {
      (oneByOne ? test : test.concurrent)(attack.id, async () => {
        if (attack.shares) return runAttack(await shared.of(attack), attack);
        const environment = await HostileEnvironment.start(attack.environment);
        try {
          await runAttack(environment, attack);
        } finally {
          await environment.close();
        }
      });
    }
  });
}
