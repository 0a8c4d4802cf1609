import * as fc from 'fast-check';
import { ObjectHistory } from '../../../engine/informers/object-history';
import { backoffDelay } from '../../../engine/kubernetes/backoff';
import { compareResourceVersions } from '../../../engine/kubernetes/resource-version';
import type { KubernetesObject, ObjectEvent } from '../../../engine/kubernetes/types';

const NAMES = ['a', 'b', 'c'];

/** A server that counts versions and remembers its events, and a client that hears of them late. */
class Model {
  public readonly history = new ObjectHistory();
  public readonly delivered: ObjectEvent[] = [];
  private readonly objects = new Map<string, KubernetesObject>();
  private readonly log: ObjectEvent[] = [];
  private readonly answers: KubernetesObject[] = [];
  private version = 100;
  private heard = 0;

  /** Creates or changes an object; an own write's answer is on its way. */
  public write(name: string, own: boolean): void {
    this.version += 1;
    const known = this.objects.get(name);
    const uid = known?.metadata.uid ?? `uid-${this.version}`;
    const object: KubernetesObject = {
      apiVersion: 'g/v1',
      kind: 'K',
      metadata: { name, namespace: 'n', uid, resourceVersion: String(this.version) },
    };
    this.objects.set(name, object);
    this.log.push({ type: known ? 'MODIFIED' : 'ADDED', object });
    if (own) this.answers.push(object);
  }

  public delete(name: string): void {
    const known = this.objects.get(name);
    if (!known) return;
    this.version += 1;
    this.objects.delete(name);
    this.log.push({ type: 'DELETED', object: { ...known, metadata: { ...known.metadata, resourceVersion: String(this.version) } } });
  }

  public hear(): void {
    const event = this.log[this.heard];
    if (!event) return;
    this.heard += 1;
    this.deliver(this.history.apply(event).events);
    this.history.reached('', event.object.metadata.resourceVersion!);
  }

  public answer(index: number): void {
    const [object] = this.answers.splice(index % Math.max(this.answers.length, 1), 1);
    if (object) this.deliver(this.history.applyOwn(object, 'write').events);
  }

  /** A list that was read now and arrives now: the watch goes on after it. */
  public relist(): void {
    this.heard = this.log.length;
    this.deliver(this.history.replace('', [...this.objects.values()], String(this.version)).events);
  }

  public settle(): void {
    while (this.answers.length > 0) this.answer(0);
    while (this.heard < this.log.length) this.hear();
  }

  public get difference(): unknown {
    const known = this.history.store.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort();
    const real = [...this.objects.values()].map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort();
    return { known, real };
  }

  private deliver(events: readonly ObjectEvent[]): void {
    this.delivered.push(...events);
  }
}

const name = fc.constantFrom(...NAMES);
const step = fc.oneof(
  fc.record({ do: fc.constant('write' as const), name, own: fc.boolean() }),
  fc.record({ do: fc.constant('delete' as const), name }),
  fc.record({ do: fc.constant('hear' as const) }),
  fc.record({ do: fc.constant('answer' as const), index: fc.nat(5) }),
  fc.record({ do: fc.constant('relist' as const) }),
);

test('law: whatever comes in whatever order, the store ends equal to the server, and the events tell its story', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const model = new Model();
      for (const one of steps) {
        if (one.do === 'write') model.write(one.name, one.own);
        else if (one.do === 'delete') model.delete(one.name);
        else if (one.do === 'hear') model.hear();
        else if (one.do === 'answer') model.answer(one.index);
        else model.relist();
      }
      model.settle();
      const { known, real } = model.difference as { known: string[]; real: string[] };
      expect(known).toEqual(real);
      // Delivered events replayed give the store; none goes back in time; ADDED and DELETED alternate.
      const replayed = new Map<string, KubernetesObject>();
      for (const { type, object, previous } of model.delivered) {
        const before = replayed.get(object.metadata.name);
        expect(type === 'ADDED').toBe(before === undefined);
        expect(previous).toBe(before);
        if (before && type === 'MODIFIED') {
          expect(compareResourceVersions(object.metadata.resourceVersion, before.metadata.resourceVersion)).toBeGreaterThan(0);
        }
        if (type === 'DELETED') replayed.delete(object.metadata.name);
        else replayed.set(object.metadata.name, object);
      }
      expect([...replayed.values()].map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort()).toEqual(known);
    }),
    { numRuns: 2_000 },
  );
});

test('law: versions compare like the numbers they are, of any size', () => {
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.bigInt({ min: 0n, max: 10n ** 30n }), (a, b) => {
    expect(Math.sign(compareResourceVersions(String(a), String(b))!)).toBe(a < b ? -1 : a > b ? 1 : 0);
  }));
  expect(compareResourceVersions('a1', '2')).toBeUndefined();
  expect(compareResourceVersions('a1', 'a1')).toBe(0);
});

test('law: a delay grows, never beyond its bound, and jitter only shortens it', () => {
  const options = fc.record({ base: fc.integer({ min: 1, max: 10_000 }), max: fc.integer({ min: 1, max: 600_000 }) });
  const share = fc.double({ min: 0, max: 0.999, noNaN: true });
  fc.assert(fc.property(fc.integer({ min: 1, max: 5_000 }), options, share, share, (failures, plain, jitter, chance) => {
    const without = backoffDelay(failures, plain, () => chance);
    expect(without).toBeLessThanOrEqual(backoffDelay(failures + 1, plain, () => chance));
    expect(without).toBeLessThanOrEqual(plain.max);
    const delay = backoffDelay(failures, { ...plain, jitter }, () => chance);
    expect(delay).toBeLessThanOrEqual(without);
    expect(delay).toBeGreaterThanOrEqual(without * (1 - jitter) - 1e-9);
  }));
});
