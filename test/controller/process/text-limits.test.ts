import fc from 'fast-check';
import { withReady } from '../../../controller/reconcile/core/conditions';
import { eventTextOf, fatal, fromClassification, unclassified } from '../../../controller/reconcile/core/failure';
import type * as ArmErrors from '../../../engine/arm/arm-error';
import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { causesOf, escapeUnseen, oneLine, truncate, truncateBytes } from '../../../engine/text-limits';
import { EventRecorder } from '../../../runtime/events/event-recorder';
import type * as Log from '../../../runtime/log/log';
import { counted, growth } from '../../setup/work';
import { FakeClock } from '../reconcile/fake-clock';

const { armErrorFrom, describeArmError } = counted<typeof ArmErrors>('engine/arm/arm-error');
const { createLogger } = counted<typeof Log>('runtime/log/log', ['pino']);

const isWellFormed = (whole: string) => !/\p{Surrogate}/u.test(whole);
const text = fc.oneof(
  fc.string({ maxLength: 200, unit: 'binary' }),
  fc.string({ maxLength: 200, unit: fc.constantFrom('a', ' ', '\n', '€', '😀', '\ud800', '\udc00') }),
);

test('a text is never longer than its limit, valid Unicode at the cut, and says that it was cut', () => {
  fc.assert(fc.property(text, fc.integer({ min: 1, max: 150 }), (whole, limit) => {
    const cut = truncate(whole, limit);
    expect(cut.length).toBeLessThanOrEqual(limit);
    if (whole.length <= limit) return expect(cut).toBe(whole);
    expect(cut).toContain('…');
    if (isWellFormed(whole)) expect(isWellFormed(cut)).toBe(true);
    if (limit > 40) expect(cut).toContain(`[truncated: ${whole.length} characters]`);
  }));
});

test('the same in bytes', () => {
  fc.assert(fc.property(text, fc.integer({ min: 60, max: 300 }), (whole, limit) => {
    const cut = truncateBytes(whole, limit);
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(limit);
    if (Buffer.byteLength(whole) <= limit) expect(cut).toBe(whole);
    else expect(cut).toContain('… [truncated: ');
    if (isWellFormed(whole)) expect(cut).not.toContain('\ufffd');
  }));
});

test('one line: no line break, no longer than its limit', () => {
  fc.assert(fc.property(text, fc.integer({ min: 1, max: 100 }), (whole, limit) => {
    const line = oneLine(whole, limit);
    expect(line.length).toBeLessThanOrEqual(limit);
    expect(line).not.toMatch(/[\r\n]/);
  }));
  expect(oneLine(' a\n b ', 10)).toBe('a b');
  expect(oneLine(' '.repeat(1e6), 10)).toMatch(/…$/);
});

test('characters that are not seen are shown as their codes', () => {
  fc.assert(fc.property(text, (whole) => {
    const shown = escapeUnseen(whole);
    expect(shown).not.toMatch(/(?![\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(escapeUnseen(shown)).toBe(shown);
  }));
  expect(escapeUnseen('a\u202eb\u001b[2J\n\tc\u{e0041}')).toBe('a\\u202eb\\u001b[2J\n\tc\\udb40\\udc41');
  // A line of JSON says the same.
  for (const json of [true, false]) {
    const written: string[] = [];
    createLogger({ verbosity: 2, json, output: { write: (line: string) => written.push(line) > 0 } as never }).info(
      { text: 'a\u202eb' },
      'c\u200bd\u001b',
    );
    expect(written.join()).toContain('a\\u202eb');
    expect(written.join()).toContain('c\\u200bd\\u001b');
    if (json) expect(JSON.parse(written.join())).toMatchObject({ text: 'a\u202eb', msg: 'c\u200bd\u001b' });
  }
});

test('a chain of causes ends', () => {
  let error = new Error('0');
  for (let index = 1; index < 100; index += 1) error = new Error(String(index), { cause: error });
  expect(causesOf(error)).toHaveLength(5);
  const cycle = new Error('cycle');
  cycle.cause = cycle;
  expect(causesOf(cycle)).toEqual([cycle]);
});

const HUGE = '-----BEGIN '.repeat(40_000);
const object: KubernetesObject = {
  apiVersion: 'resources.azure.com/v1',
  kind: 'ResourceGroup',
  metadata: { name: 'rg', namespace: 'team', uid: 'u', generation: 1 },
};

test('failures: message, reason and details are cut, whoever says them', () => {
  const classification = { code: 'X'.repeat(9_000), message: HUGE, details: HUGE, severity: 'Error', retry: 'slow' } as const;
  for (const failure of [unclassified(new Error(HUGE)), unclassified(HUGE), fatal(HUGE, HUGE), fromClassification(classification)]) {
    expect(failure.message.length).toBeLessThanOrEqual(8_192);
    expect(failure.details?.length ?? 0).toBeLessThanOrEqual(8_192);
    expect(failure.reason.length).toBeLessThanOrEqual(128);
    expect(eventTextOf(failure).length).toBeLessThan(20_000);
  }
  expect(new KubernetesError(422, 'Invalid', HUGE).message.length).toBeLessThanOrEqual(8_192);
});

test('a condition holds what metav1.Condition allows', () => {
  const ready = withReady(object, { status: 'False', severity: 'Error', reason: 'Failed', message: '😀'.repeat(40_000) }, 0).status!
    .conditions![0];
  expect(ready!.message!.length).toBeLessThanOrEqual(32_768);
  expect(isWellFormed(ready!.message!)).toBe(true);
});

test('an event holds what the API server takes', () => {
  const created: KubernetesObject[] = [];
  const client = { create: (_: unknown, event: KubernetesObject) => (created.push(event), Promise.resolve(event)) };
  new EventRecorder({ client: client as never, clock: new FakeClock(), instance: 'here', componentOf: ({ kind }) => kind }).record(object, {
    type: 'Warning',
    reason: 'R'.repeat(500),
    message: '€'.repeat(5_000),
  });
  const { message, reason } = created[0] as unknown as { message: string; reason: string };
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(1_024);
  expect(message).toContain('[truncated: 5000 characters]');
  expect(reason.length).toBeLessThanOrEqual(128);
});

test("Azure's errors: a body of any size and any number of details", () => {
  const details = (depth: number): object[] =>
    depth === 0
      ? []
      : Array.from({ length: 30 }, (_, index) => ({ code: `c${index}`, message: `${depth}/${index}`, details: details(depth - 1) }));
  const body = (count: number) => ({
    error: {
      code: 'C'.repeat(1_000),
      message: 'x'.repeat(10 * count),
      target: 'x'.repeat(10 * count),
      details: [...details(3), ...Array.from({ length: count }, () => ({ code: 'x', message: HUGE }))],
    },
  });
  let error!: ReturnType<typeof armErrorFrom>;
  expect(growth(5_000, (count) => (error = armErrorFrom({ status: 400, headers: {}, body: body(count), text: '' })))).toBeLessThan(5);
  expect(error.message.length).toBeLessThanOrEqual(8_192);
  expect(error.details!.length).toBeLessThanOrEqual(1_000);
  expect(describeArmError(error).length).toBeLessThan(4_000);
  expect(armErrorFrom({ status: 502, headers: {}, body: undefined, text: HUGE }).message.length).toBeLessThan(1_000);
});

describe('log lines', () => {
  const logged = (log: (logger: ReturnType<typeof createLogger>) => void, json: boolean): string => {
    const lines: string[] = [];
    log(createLogger({ verbosity: 3, json, output: { write: (line: string | Uint8Array) => lines.push(String(line)) > 0 } }));
    return lines.join('');
  };
  const chain = (length: number) => Array.from({ length }).reduce<Error>((cause) => new Error(HUGE, { cause }), new Error('first'));
  const deep = (levels: number) => Array.from({ length: levels }).reduce<object>((inner) => ({ inner }), {});
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`${'n'.repeat(1_000)}${index}`, HUGE]));
  test.each<[string, number, (logger: ReturnType<typeof createLogger>, size: number) => void]>([
    ['a text', 15_000, (logger, size) => logger.info('x'.repeat(size))],
    ['spaces without an end', 15_000, (logger, size) => logger.info(' '.repeat(size))],
    ['a field', 15_000, (logger, size) => logger.warn({ message: 'x'.repeat(size) }, 'x'.repeat(size))],
    ['a thousand fields', 250, (logger, size) => logger.warn(fields(size), 'x')],
    ['a list', 5_000, (logger, size) => logger.warn({ list: Array.from({ length: size }, () => HUGE) }, 'x')],
    ['an error with causes', 12, (logger, size) => logger.error({ err: chain(size) }, 'x')],
    ['what nests deeply', 2_500, (logger, size) => logger.error({ deep: deep(size) }, 'x')],
  ])('%s: a line within its limit, and work for what the line has', (_, size, log) => {
    for (const json of [true, false]) {
      let line = '';
      expect(growth(size, (one) => (line = logged((logger) => log(logger, one), json)))).toBeLessThan(1.1);
      expect(line.length).toBeLessThan(100_000);
      expect(line.trimEnd()).not.toContain('\n');
      if (json) expect(() => JSON.parse(line) as unknown).not.toThrow();
    }
  });
});
