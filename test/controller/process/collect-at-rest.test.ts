import { CollectionAtRest } from '../../../controller/process/collect-at-rest';

const MIB = 1024 * 1024;

/** A process whose live objects have 40 MiB, and a look at it every 15 s. */
function rested() {
  const state = { cpuMs: 0, heapBytes: 40 * MIB, collections: 0 };
  const collection = new CollectionAtRest({
    cpuMs: () => state.cpuMs,
    heapBytes: () => state.heapBytes,
    collect: () => {
      state.collections += 1;
      state.heapBytes = 45 * MIB;
    },
  });
  const look = (changes: { cpuMs: number; heapBytes?: number; elapsedMs?: number }) => {
    state.cpuMs += changes.cpuMs;
    state.heapBytes = changes.heapBytes ?? state.heapBytes;
    collection.look(changes.elapsedMs ?? 15_000);
    return state.collections;
  };
  return look;
}

test('a heap that has grown is collected once, as soon as the process is at rest', () => {
  const look = rested();
  expect(look({ cpuMs: 9_000, heapBytes: 100 * MIB })).toBe(0);
  expect(look({ cpuMs: 3_100 })).toBe(0);
  expect(look({ cpuMs: 300 })).toBe(1);
  expect(look({ cpuMs: 300 })).toBe(1);
  expect(look({ cpuMs: 300, heapBytes: 56 * MIB })).toBe(1);
});

test('again where it has grown by 12 MiB, but not within five minutes', () => {
  const look = rested();
  expect(look({ cpuMs: 300, heapBytes: 60 * MIB })).toBe(1);
  expect(look({ cpuMs: 300, heapBytes: 57 * MIB })).toBe(1);
  expect(look({ cpuMs: 300, elapsedMs: 280_000 })).toBe(1);
  expect(look({ cpuMs: 300 })).toBe(2);
});

test('a heap that V8 has made smaller counts as collected', () => {
  const look = rested();
  expect(look({ cpuMs: 300, heapBytes: 30 * MIB })).toBe(0);
  expect(look({ cpuMs: 300, heapBytes: 43 * MIB })).toBe(1);
});
