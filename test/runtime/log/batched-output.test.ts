import { setImmediate as immediate } from 'node:timers/promises';
import { BatchedOutput } from '../../../runtime/log/batched-output';

function recorded() {
  const writes: string[] = [];
  const output = new BatchedOutput({
    write: (text: string | Uint8Array) => {
      writes.push(String(text));
      return true;
    },
  });
  return { writes, output };
}

test('the lines of one turn of the event loop are one write, in their order', async () => {
  const { writes, output } = recorded();
  output.write('a\n', false);
  output.write('b\n', false);
  expect(writes).toEqual([]);
  await immediate();
  output.write('c\n', false);
  await immediate();
  expect(writes).toEqual(['a\nb\n', 'c\n']);
});

test('an urgent line is written at once, behind those before it', async () => {
  const { writes, output } = recorded();
  output.write('a\n', false);
  output.write('error\n', true);
  expect(writes).toEqual(['a\nerror\n']);
  await immediate();
  expect(writes).toHaveLength(1);
});

test('many lines of one turn are not kept', () => {
  const { writes, output } = recorded();
  output.write('x'.repeat(65_537), false);
  expect(writes).toHaveLength(1);
});

test('the end of the process writes what is left, and is asked for as long as something is', async () => {
  const before = process.listeners('exit');
  const added = () => process.listeners('exit').filter((one) => !before.includes(one));
  const { writes, output } = recorded();
  expect(added()).toEqual([]);
  output.write('last\n', false);
  for (const listener of added()) (listener as () => void)();
  expect(writes).toEqual(['last\n']);
  await immediate();
  expect(added()).toEqual([]);
});
