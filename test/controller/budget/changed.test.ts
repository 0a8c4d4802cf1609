import { ModelArm } from './model-arm';
import { VirtualTime } from './virtual-time';
import { Budget, ThrottledError, type BudgetUse } from '../../../controller/budget';
import type { ArmRequest } from '../../../engine/arm/types';

const get = (name: string): ArmRequest => ({ method: 'GET', url: `/subscriptions/s/resourceGroups/${name}` });
const put = (name: string): ArmRequest => ({ ...get(name), method: 'PUT' });
const keyOf = (name: string) => ({ group: 'resources.azure.com', kind: 'ResourceGroup', namespace: 'a', name });

/** How a read uses the budget; `false`: it cannot be throttled. */
type Look = Partial<Omit<BudgetUse, 'onThrottled'>> & { readonly onThrottled?: BudgetUse['onThrottled'] | false };

/** Reads that only look have to wait: what they may take of the bucket is used up. */
async function crowded() {
  const time = new VirtualTime();
  const arm = new ModelArm(time);
  const budget = new Budget({ clock: time });
  const client = (use: Partial<BudgetUse> = {}) =>
    budget.clientFor(
      { client: arm.client('p', 's'), tenantId: 't', clientId: 'p', source: 'a/b' },
      { namespace: 'a', priority: 'resync', ...use },
    );
  for (let i = 0; i < 205; i += 1) void client().send(get('burst'));
  await time.run(time.now());
  arm.received.length = 0;
  /** A look that may be throttled, and what becomes of it. */
  const look = (name: string, { onThrottled = () => undefined, ...use }: Look = {}) => {
    const reconcile = client({ key: keyOf(name), ...(onThrottled && { onThrottled }), ...use });
    return {
      reconcile,
      end: reconcile.send(get(name)).then(
        () => 'sent',
        (error: unknown) => (error instanceof ThrottledError ? 'throttled' : 'failed'),
      ),
    };
  };
  return { time, arm, budget, look };
}

/** State of the promise without any time passing. */
async function now(time: VirtualTime, end: Promise<string>): Promise<string> {
  await time.run(time.now());
  return Promise.race([end, Promise.resolve('waits')]);
}

test('a look that still waits gives up when its object changes; others keep their places', async () => {
  const { time, arm, budget, look } = await crowded();
  const [edited, other] = [look('edited'), look('other')];
  expect([await now(time, edited.end), await now(time, other.end)]).toEqual(['waits', 'waits']);
  budget.changed(keyOf('edited'));
  expect([await now(time, edited.end), await now(time, other.end)]).toEqual(['throttled', 'waits']);
  // A changed object may begin at once, and took no token.
  expect(budget.isOpen(keyOf('edited'), 'fresh')).toBe(true);
  await time.run();
  expect(await other.end).toBe('sent');
  expect(arm.received.filter(({ url }) => url.endsWith('/edited'))).toEqual([]);
});

test('a reconcile that is about a change itself goes on, and so does one that has written', async () => {
  const { time, budget, look } = await crowded();
  const writes = look('writes');
  await time.run();
  expect(await writes.end).toBe('sent');
  await Promise.all([writes.reconcile.send(put('writes')), time.run()]);
  for (let i = 0; i < 260; i += 1) void look(`burst-${i}`, { onThrottled: false });
  const after = writes.reconcile.send(get('writes')).then(() => 'sent', () => 'throttled');
  const fresh = Array.from({ length: 60 }, () => look('fresh', { priority: 'fresh' }));
  expect([await now(time, after), await now(time, fresh.at(-1)!.end)]).toEqual(['waits', 'waits']);
  budget.changed(keyOf('writes'));
  budget.changed(keyOf('fresh'));
  expect([await now(time, after), await now(time, fresh.at(-1)!.end)]).toEqual(['waits', 'waits']);
  await time.run();
  expect(await after).toBe('sent');
});

test('it does not count among those times after which a reconcile waits as long as it takes', async () => {
  const { time, budget, look } = await crowded();
  for (let i = 0; i < 5; i += 1) {
    const { end } = look('edited');
    expect(await now(time, end)).toBe('waits');
    budget.changed(keyOf('edited'));
    expect(await now(time, end)).toBe('throttled');
  }
  for (let i = 0; i < 200; i += 1) void look(`other-${i}`, { onThrottled: false, rank: 9 });
  const { end } = look('edited');
  await time.run(time.now() + 1_100);
  expect(await now(time, end)).toBe('throttled');
});
