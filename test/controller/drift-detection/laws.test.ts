import fc from 'fast-check';
import { HOUR, LAG, MINUTE, Rig } from './rig';

const names = ['a', 'b', 'c'];
/** The latest after its change that somebody looks: a whole period with its spread, and rows that are late. */
const FOUND_WITHIN = 1.25 * HOUR + LAG + 2 * MINUTE;

interface Change {
  readonly after: number;
  readonly who: number;
  readonly what: 'drift' | 'edit' | 'trouble' | 'silence';
}

const changes = fc.array(fc.record<Change>({
  after: fc.integer({ min: 1, max: 200 }).map((minutes) => minutes * MINUTE),
  who: fc.nat(names.length - 1),
  what: fc.constantFrom<Change['what']>('drift', 'drift', 'edit', 'trouble', 'silence'),
}), { maxLength: 12 });

/** The controller's queue: each object has its turn, then its next one after a period with its spread. */
class Steps {
  private readonly due = new Map<string, number>();
  public readonly found = new Map<string, number>();
  public wrongPuts = 0;

  public constructor(private readonly rig: Rig, private readonly chance: () => number) {}

  public begin(name: string): void {
    this.rig.set(name, 0);
    this.rig.report(name, ['put', 'read', 'complete'], { value: 0 });
    this.due.set(name, this.rig.clock.now() + this.period());
  }

  public async until(time: number): Promise<void> {
    for (;;) {
      const [name, due] = [...this.due].sort(([, a], [, b]) => a - b)[0]!;
      if (due > time) break;
      if (due > this.rig.clock.now()) await this.rig.clock.advance(due - this.rig.clock.now());
      await this.turn(name);
    }
    if (time > this.rig.clock.now()) await this.rig.clock.advance(time - this.rig.clock.now());
  }

  private async turn(name: string): Promise<void> {
    const { rig } = this;
    const confirmed = await rig.confirms(name);
    if (confirmed) {
      this.due.set(name, rig.clock.now() + rig.detection.nextIn(rig.key(name), this.period()));
      return;
    }
    const before = rig.value(name);
    const done = rig.reconcile(name);
    if (done === 'put' && before === 0) this.wrongPuts += 1;
    this.due.set(name, rig.clock.now() + this.period());
  }

  private period(): number {
    return Math.round(HOUR * (0.75 + 0.5 * this.chance()));
  }
}

test('drift is always found within a sync period and the lag, whatever rows show, and nothing is sent where nothing differs', async () => {
  const chances = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
  await fc.assert(
    fc.asyncProperty(changes, fc.boolean(), chances, async (list, isList, stream) => {
      const chance = (): number => stream.next().value as number;
      const rig = new Rig(isList);
      rig.lag = () => Math.round(LAG * chance());
      const steps = new Steps(rig, chance);
      names.forEach((name) => steps.begin(name));
      const drifted: { name: string; at: number; value: number }[] = [];
      let value = 0;
      for (const { after, who, what } of list) {
        await steps.until(rig.clock.now() + after);
        const name = names[who];
        if (what === 'drift') {
          rig.set(name!, (value += 1));
          drifted.push({ name: name!, at: rig.clock.now(), value });
        } else if (what === 'edit') {
          rig.changedInCluster.add(name!);
        } else if (what === 'trouble') {
          rig.intercept = () => ({ status: 500, body: {} });
        } else {
          rig.intercept = () => undefined;
        }
      }
      for (const { name, at, value: bad } of drifted) {
        if (rig.clock.now() < at + FOUND_WITHIN) await steps.until(at + FOUND_WITHIN);
        expect(rig.value(name, at + FOUND_WITHIN)).not.toBe(bad);
      }
      expect(steps.wrongPuts).toBe(0);
    }),
    { numRuns: 25 },
  );
});
