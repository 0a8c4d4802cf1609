import { Process, WallClock } from './process';
import { Random } from './random';
import { Scheduler } from './scheduler';

test('a process that was stopped takes in what came meanwhile before its next timer fires', async () => {
  const scheduler = new Scheduler();
  const process = new Process(1, scheduler, new WallClock(scheduler), new Random(1));
  const seen: string[] = [];
  const known: string[] = [];
  const answer = process.sleep(10).then(() => Promise.resolve()).then(() => known.push('the answer'));
  process.schedule(20, () => seen.push(`the timer knows ${known.join()}`));
  process.schedule(30, () => seen.push('a later timer'));
  process.pause(1_000);
  await scheduler.advance(999);
  expect(seen).toEqual([]);
  await scheduler.advance(1);
  await answer;
  expect(seen).toEqual(['the timer knows the answer', 'a later timer']);
  expect(scheduler.time).toBe(1_000);
});

test('what a process sent before it was stopped arrives, and what a killed one sent does not', async () => {
  const scheduler = new Scheduler();
  const process = new Process(1, scheduler, new WallClock(scheduler), new Random(1));
  const arrived: number[] = [];
  const arrives = () => arrived.push(scheduler.time);
  void process.onTheWay(10).then(arrives);
  process.pause(1_000);
  await scheduler.advance(20);
  expect(arrived).toEqual([10]);
  void process.onTheWay(10).then(arrives);
  process.die();
  await scheduler.advance(2_000);
  expect(arrived).toEqual([10]);
});

test('a process that is stopped again, or killed, before it has taken in everything', async () => {
  const scheduler = new Scheduler();
  const process = new Process(1, scheduler, new WallClock(scheduler), new Random(1));
  const seen: string[] = [];
  process.schedule(10, () => {
    seen.push('first');
    process.pause(500);
  });
  process.schedule(10, () => {
    seen.push('second');
    process.die();
  });
  process.schedule(10, () => seen.push('third'));
  process.pause(1_000);
  await scheduler.advance(1_499);
  expect(seen).toEqual(['first']);
  await scheduler.advance(1);
  expect(seen).toEqual(['first', 'second']);
});
