import { createCelEngine, ExpressionError } from '../../../engine/export/cel';
import { escapedName } from '../../../engine/export/cel/escape';
import { Catalog } from '../../../src/catalog';

const version = Catalog.default().kind('cache.azure.com', 'RedisEnterprise')!.latest;
const engine = createCelEngine();

const self = {
  apiVersion: version.apiVersion,
  kind: 'RedisEnterprise',
  metadata: { name: 'r1', namespace: 'default', annotations: { 'foo': 'bar', 'baz': 'qux', 'a/b': 'slashed' } },
  spec: {
    location: 'westus2',
    sku: { name: 'Enterprise_E10', capacity: 1 },
    zones: ['1', '2', '3'],
    tags: { 'tag one': 'hello', 'three': 'four' },
  },
  status: { id: '/subscriptions/S-1/resourceGroups/RG/providers/Microsoft.Cache/redisEnterprise/R1' },
};

function run(text: string, secret: Record<string, string> = {}, object: typeof self = self) {
  return engine.compile(version, text).evaluate({ self: object, secret });
}

function refusal(act: () => unknown): ExpressionError {
  try {
    act();
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('worked results of ASO', () => {
  test.each<[string, unknown]>([
    ['self.spec.location', 'westus2'],
    ["'hello'", 'hello'],
    ['"%s:%d".format([self.spec.location, 7])', 'westus2:7'],
    ['self.metadata.namespace + ":" + self.metadata.name', 'default:r1'],
    ['string(self.spec.sku.capacity)', '1'],
    ['self.metadata.annotations', { 'foo': 'bar', 'baz': 'qux', 'a/b': 'slashed' }],
    ['self.metadata.annotations["foo"]', 'bar'],
    ['self.spec.zones.filter(z, int(z) % 2 == 1).join("-")', '1-3'],
    ['self.spec.tags.transformMapEntry(k, v, {k.replace(" ", "-"): v})', { 'tag-one': 'hello', 'three': 'four' }],
    ['{"a": self.spec.location}', { a: 'westus2' }],
    ['self.status.id.lowerAscii()', self.status.id.toLowerCase()],
  ])('%s', (text, want) => {
    const got = run(text);
    expect(typeof got === 'string' ? got : { ...got }).toEqual(want);
  });

  test('an int is rejected', () => {
    const error = refusal(() => engine.compile(version, 'self.spec.sku.capacity'));
    expect(error.phase).toBe('compile');
    expect(error.message).toBe('expression "self.spec.sku.capacity" must return one of [string,map(string, string)], but was int');
  });

  test('secret without secrets compiles and fails when it is evaluated', () => {
    const error = refusal(() => run('secret.primaryKey'));
    expect(error.phase).toBe('evaluate');
    expect(error.message).toBe('failed to eval CEL expression: "secret.primaryKey": no such key: primaryKey');
  });
});

describe('the dialect', () => {
  test.each<[string, string]>([
    ['aso.parseResourceId(self.status.id).subscriptionId', 'S-1'],
    ['aso.parseResourceId(self.status.id).resourceGroupName', 'RG'],
    ['aso.parseResourceId(self.status.id).parent.name', 'RG'],
    ['aso.parseResourceId(self.status.id).resourceType.namespace', 'Microsoft.Cache'],
    ['aso.parseResourceId(self.status.id).parent.parent.parent.parent.name', ''],
    ['self.metadata.annotations["a/b"]', 'slashed'],
    ['has(self.status.hostName) ? "set" : "unset"', 'unset'],
    ['has(self.spec.location) ? "set" : "unset"', 'set'],
    ['has(self.spec.sku.capacity) && !has(self.spec.encryption.customerManagedKeyEncryption) ? "a" : "b"', 'a'],
    ['self.status.?hostName.orValue("none")', 'none'],
    ['self.spec.?location.orValue("none")', 'westus2'],
    ['self.spec.?tags[?"three"].orValue("none")', 'four'],
    ['self.spec.tags[?"four"].orValue("none")', 'none'],
    ['optional.ofNonZeroValue(self.status.hostName).orValue("none")', 'none'],
    ['self.spec.?location.optMap(l, l + "!").orValue("")', 'westus2!'],
    ['self.status.hostName + "x"', 'x'],
    ['self.spec.sku.capacity < 1.5 ? "less" : "more"', 'less'],
    ['size(self.spec.zones) > 2u ? "more" : "less"', 'more'],
    ['self.spec.zones.all(i, z, string(i + 1) == z) ? "yes" : "no"', 'yes'],
    ['self.spec.tags.exists(k, v, k == "three" && v == "four") ? "yes" : "no"', 'yes'],
    ['self.spec.zones.existsOne(i, z, i > 0) ? "yes" : "no"', 'no'],
    ['self.spec.tags.transformList(k, v, k + "=" + v).join(";")', 'tag one=hello;three=four'],
    ['self.spec.zones.transformList(i, z, i > 0, z).join("")', '23'],
    ['self.spec.zones.map(z, "z" + z).join(",")', 'z1,z2,z3'],
    ['"héllo".reverse()', 'olléh'],
    ['"hello".charAt(1) + "hello".charAt(5)', 'e'],
    ['"a.b.c".replace(".", "-", 1)', 'a-b.c'],
    ['"a.b".split(".").join("/")', 'a/b'],
    ['strings.quote("say \\"hi\\"\\n")', '"say \\"hi\\"\\n"'],
    [
      '"%.2f|%e|%x|%X|%o|%b|%%|%s".format([3.14159, 1052.033, 255, "hi", 8, 5, [1, "a", true]])',
      '3.14|1.052033e+03|ff|6869|10|101|%|[1, a, true]',
    ],
    ['"abc".matches("^a.c$") ? "m" : "n"', 'm'],
    ['string(timestamp("2024-01-02T03:04:05Z")) + string(duration("90s"))', '2024-01-02T03:04:05Z90s'],
    ['string(int(timestamp("2024-01-01T00:00:00Z")))', '1704067200'],
    ['"  x ".trim().upperAscii().substring(0, 1)', 'X'],
  ])('%s → %s', (text, want) => expect(run(text)).toBe(want));

  test('transformMap keeps the keys', () => {
    expect({ ...(run('self.spec.tags.transformMap(k, v, k != "three", v + "!")') as object) }).toEqual({ 'tag one': 'hello!' });
  });

  test('an object is not formatted as text', () =>
    expect(refusal(() => run('"%s".format([self.spec])')).message).toContain('not an object'));

  test('an array index out of range and a missing map key fail', () => {
    expect(refusal(() => run('self.spec.zones[7]')).message).toContain('index out of bounds');
    expect(refusal(() => run('self.spec.tags["nine"]')).message).toContain('no such key: nine');
  });

  test.each([
    'self.spec.loc',
    'self.spec.location +',
    '1 + "a"',
    'unknown.name',
    'self.spec.tags.transformMapEntry(k, v, v)',
    'nothing(self)',
  ])('%s does not compile', (text) => {
    const error = refusal(() => engine.compile(version, text));
    expect(error.phase).toBe('compile');
    expect(error.message.startsWith(`failed to compile CEL expression: "${text}": `)).toBe(true);
    expect(error.message).not.toContain('\n');
  });

  test.each([
    ['self.spec.zones', 'list(string)'],
    ['self.spec.?location', 'optional_type(string)'],
    ['{"a": 1}', 'map(string, int)'],
    ['self.spec.sku', 'spec.Sku'],
    ['true', 'bool'],
  ])('%s has the wrong type %s', (text, type) => {
    expect(refusal(() => engine.compile(version, text)).message).toBe(
      `expression "${text}" must return one of [string,map(string, string)], but was ${type}`,
    );
  });

  test.each([
    ['odata.type', 'odata__dot__type'],
    ['a-b/c', 'a__dash__b__slash__c'],
    ['a__b', 'a__underscores__b'],
    ['in', '__in__'],
    ['inner', 'inner'],
  ])('the property %s is spelt %s', (name, spelt) => expect(escapedName(name)).toBe(spelt));

  test('an escaped property of a real kind', () => {
    const cluster = Catalog.default().kind('containerservice.azure.com', 'ManagedCluster')!.latest;
    const object = { ...self, spec: { autoScalerProfile: { 'scan-interval': '10s' } } };
    const text = 'self.spec.autoScalerProfile.scan__dash__interval';
    expect(engine.compile(cluster, text).evaluate({ self: object, secret: {} })).toBe('10s');
  });
});

describe('secrets', () => {
  test('names are collected wherever they stand', () => {
    const { secretNames } = engine.compile(version, '{"a": secret.one + self.spec.zones.map(z, z + secret.two).join(""), "b": "%s".format([secret["three"]]), "c": has(secret.four) ? "x" : ""}');
    expect(secretNames).toEqual(['four', 'one', 'three', 'two']);
  });

  test('a value never stands in an error', () => {
    const secret = { key: 'TOP-SECRET' };
    for (const text of [
      'string(int(secret.key))',
      'self.spec.tags[secret.key]',
      'string(duration(secret.key))',
      '"%d".format([secret.key])',
      'aso.parseResourceId(secret.key).name',
      'string(bool(secret.key))',
    ]) {
      const error = refusal(() => run(text, secret));
      expect(error.message).not.toContain('TOP-SECRET');
      expect(error.message).toContain(text);
    }
  });
});

describe('limits', () => {
  test('what is too dear for every object does not compile', () => {
    const list = `[${Array(60).fill('1').join(',')}]`;
    const text = `string(${list}.all(a, ${list}.all(b, ${list}.all(c, ${list}.all(d, ${list}.all(e, a + b + c + d + e > 0))))))`;
    const error = refusal(() => engine.compile(version, text));
    expect(error.phase).toBe('compile');
    expect(error.message).toContain('costs some');
  });

  test('an expression that is too long is refused', () => {
    expect(refusal(() => engine.compile(version, `"${'x'.repeat(20_000)}"`)).message).toContain('longer than');
  });
});

test('every kind of the catalog has an environment', () => {
  for (const kind of Catalog.default().allKinds.filter(({ latest }) => latest.facts.exports?.expressions)) {
    expect(engine.compile(kind.latest, 'self.metadata.name').output).toBe('string');
  }
});
