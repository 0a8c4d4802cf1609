const deep = (levels: number, around: (inner: unknown) => unknown): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) value = around(value);
  return value;
};

/** Values that a schema would not let through, or that no schema stops. */
export const HOSTILE_VALUES: readonly (() => unknown)[] = [
  () => null, () => '', () => ' ', () => [], () => ({}), () => 0, () => -1, () => 1e308, () => 2 ** 53, () => 0.1, () => true, () => false,
  () => 'x'.repeat(4_096), () => '-----BEGIN '.repeat(400), () => '-----BEGIN PRIVATE KEY-----\n'.repeat(50), () => 'a'.repeat(30) + '!',
  () => '%2e%2e', () => '..', () => '.', () => '../../x', () => 'a/b', () => 'a?b=c', () => 'a#b', () => 'a\\b', () => '%', () => '%00', () => '\u0000',
  () => 'x\r\nAuthorization: Bearer y', () => '\u2028', () => '\u202e', () => '\u200b', () => '\ufeff', () => '\ud800', () => 'İ', () => 'ﬀ',
  () => '*/ process.exit(3) /*', () => '`${process.exit(3)}`', () => "'); process.exit(3); ('", () => '</script><script>alert(1)</script>', () => '\u001b[2J',
  () => '__proto__', () => 'constructor', () => 'toString', () => 'hasOwnProperty', () => 'then',
  () => ({ __proto__: 'own' }), () => JSON.parse('{"__proto__":{"polluted":true}}') as unknown, () => ({ constructor: { prototype: {} } }),
  () => ({ toString: 'x', valueOf: 5, hasOwnProperty: null, then: 'x', length: -1 }), () => ({ toJSON: 'x' }),
  () => deep(80, (inner) => [inner]), () => deep(80, (inner) => ({ a: inner })), () => deep(600, (inner) => [inner]),
  () => Array.from({ length: 300 }, (_, index) => index), () => Array.from({ length: 200 }, () => ({ name: 'same' })),
  () => Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, 'v'])),
  () => '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/../../x',
  () => '/subscriptions/x', () => '/', () => '//', () => 'https://evil.invalid/subscriptions/x',
  () => 'self.spec', () => '((((((((((', () => 'self.spec.tags.map(a, self.spec.tags.map(b, a + b))', () => "'x'.matches('(a+)+$')", () => '${', () => '{{', () => '${{ x }}',
  () => 2 ** 31, () => -(2 ** 63), () => 2 ** 64, () => -0, () => 5e-324, () => 1.7976931348623157e308, () => '-0', () => '1'.repeat(400), () => '0.1e-9999',
  () => '\u0085', () => '\u2066x\u2069', () => '\u200e', () => '\udc00\ud800', () => '\u0001\u001f\u007f', () => 'e\u0301'.repeat(200), () => '\u{1f468}\u200d\u{1f469}', () => '\ufffe',
  () => 'x'.repeat(100_000), () => '\n'.repeat(10_000), () => ' '.repeat(20_000), () => '\\'.repeat(5_000), () => '"'.repeat(5_000), () => 'é'.repeat(30_000),
  () => deep(2_000, (inner) => [inner]), () => deep(999, (inner) => ({ a: inner })), () => Object.fromEntries(HOSTILE_KEYS.map((key) => [key, key])),
  () => Array.from({ length: 3_000 }, () => null), () => [[], [[]], {}], () => ({ length: 1e9 }), () => ({ get: 1, size: -1, constructor: null }),
  () => '2026-02-30T25:61:61Z', () => '9999999999999999999999', () => '1e400', () => 'NaN', () => '0x10', () => 'P1Y2M', () => '10.0.0.0/33', () => '::1/129',
];

/** Names for members that ought not to mean anything. */
export const HOSTILE_KEYS: readonly string[] = [
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'length', '', ' ', '.', '..', 'a.b', 'a/b', 'a"b', "a'b", 'a`b', 'a\nb', '*/', '\u2028',
  '\u202e', '${x}', '0', '-1', '[0]', 'owner', 'azureName', 'operatorSpec', 'secretsFrom', 'name', 'id', 'type', 'properties', 'value', 'nextLink', 'error',
];
