import { atATime } from '../../../cli/cluster/at-a-time';

const soon = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

test('all items, at most so many at a time', async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await atATime([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, running += 1);
    await soon(1);
    running -= 1;
    done.push(item);
  });
  expect([done, most]).toEqual([[1, 2, 3, 4, 5], 2]);
});

test('a failure: what is under way ends first, nothing more is begun, and the first failure is told', async () => {
  const [begun, ended]: [number[], number[]] = [[], []];
  const all = atATime([1, 2, 3, 4, 5], 3, async (item) => {
    begun.push(item);
    await soon(item * 5);
    if (item !== 2) throw new Error(`item ${item}`);
    ended.push(item);
  });
  await expect(all).rejects.toThrow('item 1');
  expect([begun, ended]).toEqual([[1, 2, 3], [2]]);
});

test('a function that throws at once is a failure like others', async () => {
  await expect(atATime([1], 1, () => {
    throw new Error('at once');
  })).rejects.toThrow('at once');
});
