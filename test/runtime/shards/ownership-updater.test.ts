import { Claims } from '../../../runtime/shards/claims';
import { Fence } from '../../../runtime/shards/fence';
import { OwnershipUpdater } from '../../../runtime/shards/ownership-updater';
import type { Snapshot } from '../../../runtime/shards/snapshot';

function environment(onSnapshot: (snapshot: Snapshot) => Promise<void>) {
  const timers = new Set<() => void>();
  const time = {
    now: () => 0,
    elapsed: () => 0,
    random: () => 0,
    sleep: (_: number, signal?: AbortSignal) => new Promise<void>((resolve) => {
      timers.add(resolve);
      signal?.addEventListener('abort', () => timers.delete(resolve));
    }),
  };
  return { timers, updater: new OwnershipUpdater({ identity: 'a', fence: new Fence(time), time, onSnapshot }, new Claims()) };
}

test('a snapshot that has been taken leaves no timer behind', async () => {
  const { timers, updater } = environment(async () => undefined);
  await updater.update();
  expect(timers.size).toBe(0);
});

test('one that is never taken is waited for as long as its timer runs', async () => {
  const { timers, updater } = environment(() => new Promise(() => undefined));
  const updated = updater.update();
  expect(timers.size).toBe(1);
  for (const end of timers) end();
  await updated;
  expect(timers.size).toBe(0);
});
