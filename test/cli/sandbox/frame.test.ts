import { clipped } from '../../../cli/output/screen';
import { styleFor } from '../../../cli/output/terminal';
import { Board, type Entry } from '../../../cli/sandbox/board';
import { Display } from '../../../cli/sandbox/display';
import { frame } from '../../../cli/sandbox/frame';
import { changeText, treeText } from '../../../cli/sandbox/tree';
import type { KubernetesObject } from '../../../engine/kubernetes';

const plain = styleFor({ isTTY: false }, {});
const LONG = `${'a-name-that-is-as-long-as-kubernetes-allows-'.repeat(6).slice(0, 240)}-the-end`;

function account(name: string): KubernetesObject {
  return {
    apiVersion: 'storage.azure.com/v20250601',
    kind: 'StorageAccount',
    metadata: { name, namespace: 'shop' },
    spec: { owner: { name: 'rg' } },
  };
}

function withReady(object: KubernetesObject, status: 'True' | 'False', reason: string, severity: 'Warning' | 'Error' | 'Info' | '' = ''): KubernetesObject {
  const condition = { type: 'Ready', status, reason, severity, message: 'a message of Azure that says '.repeat(20), lastTransitionTime: '2026-01-01T00:00:00Z' };
  return { ...object, status: { conditions: [condition] } } as KubernetesObject;
}

/** A board of 40 objects after 65 s: 30 Ready, 5 in progress, 4 waiting, 1 failed; the last two have long names. */
function busyBoard(): { board: Board; now: number } {
  let now = 0;
  const board = new Board(() => now);
  const names = [...Array.from({ length: 38 }, (_, index) => `data${index}`), LONG, `other-${LONG}`];
  for (const name of names) board.expect(account(name));
  now = 20_000;
  names.slice(0, 30).forEach((name) => board.see(withReady(account(name), 'True', 'Succeeded')));
  names.slice(30, 34).forEach((name) => board.see(withReady(account(name), 'False', 'WaitingForOwner', 'Warning')));
  board.see(withReady(account(names[39]!), 'False', 'LocationRequired', 'Error'));
  return { board, now: 65_000 };
}

test.each([[24, 80], [10, 80], [24, 40], [60, 200]])('%i rows of %i columns: all fits, and the states are on the screen', (rows, columns) => {
  const { board, now } = busyBoard();
  const lines = frame(board.list(), plain, now, { rows, columns });
  expect(lines.length).toBeLessThan(rows);
  expect(lines.at(-3)).toBe('30 of 40 Ready, 5 in progress, 4 waiting, 1 failed; 1m5s');
  expect(lines.at(-2)).toBe('in progress: StorageAccount data34 1m5s, StorageAccount data35 1m5s and 3 more');
  expect(lines.at(-1)).toBe('waiting: 4 for an owner (45s)');
  for (const line of lines.filter((text) => /─ [○…✗]/.test(text))) {
    expect(clipped(line, columns)).toMatch(/(WaitingForOwner|Pending|LocationRequired) \S+/);
  }
});

test('what is Ready makes room for what is not', () => {
  const { board, now } = busyBoard();
  const lines = frame(board.list(), plain, now, { rows: 24, columns: 80 });
  expect(lines.filter((line) => line.includes('✓'))).toEqual([]);
  expect(lines.filter((line) => /─ [○…✗]/.test(line))).toHaveLength(10);
  expect(lines).toContain('… 30 more objects');
});

test('a long name is shortened in its middle, and keeps its end', () => {
  const { board, now } = busyBoard();
  const line = treeText(board.list(), plain, now, 80).find((text) => text.includes('the-end'))!;
  expect(line).toMatch(/^├─ … StorageAccount a-name-\S*…\S*-the-end +Pending 1m5s$/);
  expect(line.length).toBeLessThan(80);
});

test('a line of a change is short', () => {
  const entries: Entry[] = busyBoard().board.list();
  for (const entry of entries) expect(changeText(entry, plain, 0).length).toBeLessThanOrEqual(120);
  expect(changeText(entries[30]!, plain, 0)).toBe(' 20.0s ○ shop StorageAccount data30 waits for an owner');
  expect(changeText(entries[0]!, plain, 0)).toBe(' 20.0s ✓ shop StorageAccount data0 Ready');
});

test('a terminal is drawn within its size, a file has all of the tree in the end', () => {
  const { board } = busyBoard();
  for (const isTTY of [true, false]) {
    const written: string[] = [];
    const display = new Display(board, { isTTY, rows: 24, columns: 80, write: (text) => written.push(text) }, plain);
    display.start();
    const drawn = written.join('').split('\n').slice(0, -1);
    expect(drawn.length).toBeLessThan(24);
    expect(drawn.every((line) => line.length < 80)).toBe(true);
    display.finish();
    expect(written.join('').match(/StorageAccount data/g)!.length).toBeGreaterThanOrEqual(38);
  }
});
