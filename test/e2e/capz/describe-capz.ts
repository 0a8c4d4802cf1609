import type { CapzEnvironment } from './environment';
import { expectedFacts, expectedWrites, MOST_READS } from './expected';
import { EXISTING_GROUPS, live, type Life, type ScenarioName } from './scenarios';

/** The lives of clusters under CAPZ, and what Azure is asked meanwhile. */
export function describeCapz(
  title: string, start: (existingGroups: readonly string[]) => Promise<CapzEnvironment>, names: readonly ScenarioName[],
): void {
  describe(`CAPZ ${title}`, () => {
    let lives: ReadonlyMap<ScenarioName, Life>;
    const lifeOf = (name: ScenarioName) => lives.get(name)!;
    beforeAll(async () => {
      const environment = await start(EXISTING_GROUPS);
      try {
        lives = await live(environment, names);
      } catch (error) {
        throw new Error(`${(error as Error).message}\n${environment.management.log().slice(-4_000)}`, { cause: error });
      } finally {
        await environment.close();
      }
    });

    const steps = names.flatMap((name) => Object.entries(expectedWrites[name]).map(([step, writes]) => [name, step, writes] as const));
    test.each(steps)('%s, %s: no write beyond those of CAPZ', (name, step, writes) => {
      const traffic = lifeOf(name).steps[step]!;
      const counted = Object.entries(traffic.writes).map(([write, count]) => (count === 1 ? write : `${write} × ${count}`));
      expect(counted.sort()).toEqual([...writes].sort());
      expect(traffic.refused).toEqual([]);
      const most = MOST_READS[name]?.[step];
      if (most !== undefined) expect(Object.entries(traffic.reads).filter(([, count]) => count > most)).toEqual([]);
    });

    test.each(names)('%s has no step without an expectation, and what is read of it', (name) => {
      expect(Object.keys(lifeOf(name).steps)).toEqual(Object.keys(expectedWrites[name]));
      expect(lifeOf(name).facts).toEqual(expectedFacts[name]);
    });
  });
}
