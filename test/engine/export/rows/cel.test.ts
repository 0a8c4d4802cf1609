import { compileError, engine, evaluated, gives, refusal, refused, runError, self, version } from './run';
import { Budget, createCelEngine } from '../../../../engine/export/cel';
import type { ExpressionObservation } from '../../../../engine/export/cel/engine';
import { escapedName } from '../../../../engine/export/cel/escape';
import { Catalog } from '../../../../src/catalog';
import { table } from '../../../docs/spec-tables';

const yes = (...conditions: string[]) => gives(conditions.map((condition) => [`${condition} ? "yes" : "no"`, 'yes'] as const));

table('docs/spec/cel.md#environment', (row) => {
  row(
    'standard macros',
    'has, all, exists, exists_one, map, filter over lists',
    yes(
      'has(self.spec.location)',
      'self.spec.zones.all(z, z != "")',
      'self.spec.zones.exists(z, z == "2")',
      'self.spec.zones.exists_one(z, z == "2")',
      'self.spec.zones.map(z, z + "!").join() == "1!2!3!"',
      'self.spec.zones.map(z, z != "1", z).join() == "23"',
      'self.spec.zones.filter(z, z > "1").size() == 2',
    ),
  );
  row(
    'standard macros',
    'over the keys of maps',
    yes(
      'self.spec.tags.all(k, k != "")',
      'self.spec.tags.exists(k, k == "three")',
      'self.spec.tags.map(k, k).join(",") == "tag one,three"',
      'self.spec.tags.filter(k, k == "three").size() == 1',
    ),
  );
  row(
    'standard functions and conversions',
    'conversions',
    yes(
      'string(1) == "1"',
      'string(1u) == "1"',
      'string(1.5) == "1.5"',
      'string(true) == "true"',
      'string(b"abc") == "abc"',
      'int("-7") == -7',
      'int(7.9) == 7',
      'uint("7") == 7u',
      'double("1.5") == 1.5',
      'bool("true")',
      'bytes("abc") == b"abc"',
      'type(1) == int',
      'type("") == string',
      'dyn(1) == 1',
      'timestamp("2024-01-02T03:04:05Z") == timestamp(1704164645)',
      'duration("90m") == duration("1h30m")',
      'string(duration("90s")) == "90s"',
    ),
  );
  row(
    'standard functions and conversions',
    'operators',
    yes(
      '1 + 2 * 3 - 4 / 2 % 3 == 5',
      '-(1) < 0',
      '!false && (true || false)',
      '"a" + "b" == "ab"',
      '[1] + [2] == [1, 2]',
      '"b" in ["a", "b"]',
      '"three" in self.spec.tags',
      '(1 > 2 ? "a" : "b") == "b"',
      '{"a": 1}.a == 1',
      '{"a": 1}["a"] == 1',
      'false && 1 / 0 == 1 || true',
      'r"a\\b" == "a\\\\b"',
      '0x1F == 31',
    ),
  );
  row(
    'standard functions and conversions',
    'on texts, lists, maps, times and durations',
    yes(
      'size("a😀") == 2',
      '"abc".size() == 3',
      'size([1, 2]) == 2',
      'size(self.spec.tags) == 2',
      '"abc".contains("b")',
      '"abc".startsWith("a")',
      '"abc".endsWith("c")',
      'timestamp("2024-01-02T03:04:05Z").getFullYear() == 2024',
      'timestamp("2024-01-02T03:04:05Z").getMonth() == 0',
      'timestamp("2024-01-02T03:04:05Z").getDate() == 2',
      'timestamp("2024-01-02T03:04:05Z").getDayOfMonth() == 1',
      'timestamp("2024-02-01T00:00:00Z").getDayOfYear() == 31',
      'timestamp("2024-01-07T00:00:00Z").getDayOfWeek() == 0',
      'duration("90m").getMinutes() == 90',
      'timestamp("2024-01-02T03:04:05Z") + duration("1h") > timestamp("2024-01-02T03:04:05Z")',
    ),
  );
  row('standard functions and conversions', 'what does not convert fails when it is evaluated', () => {
    for (const text of [
      'string(int(""))',
      'string(int("0b1"))',
      'string(int("x"))',
      'string(1 / 0)',
      'string(1 % 0)',
      'string(9223372036854775807 + 1)',
      'string(bool("maybe"))',
      '{"a": "b", "a": "c"}',
    ]) {
      expect(runError(text)).toContain(`failed to eval CEL expression: "${text}": `);
    }
  });
  row('strings extension', 'every function, counting characters', gives([
    ['"a😀b".charAt(1) + "a".charAt(1)', '😀'],
    ['string("a😀b".indexOf("b")) + string("abab".indexOf("b", 2)) + string("x".indexOf("y"))', '23-1'],
    ['string("abab".lastIndexOf("b")) + string("abab".lastIndexOf("b", 2)) + string("x".lastIndexOf("y"))', '31-1'],
    ['["a", "b"].join() + ["a", "b"].join("-")', 'aba-b'],
    ['"ÄbC".lowerAscii() + "äbC".upperAscii()', 'ÄbcäBC'],
    ['strings.quote("a\\"\\n")', '"a\\"\\n"'],
    ['"aaa".replace("a", "b") + "aaa".replace("a", "b", 2) + "ab".replace("", "-")', 'bbbbba-a-b-'],
    ['"a😀b".reverse()', 'b😀a'],
    ['"a,b,c".split(",").join("|") + "a,b,c".split(",", 2).join("|") + "ab".split("").join("|")', 'a|b|ca|b,ca|b'],
    ['"a😀b".substring(1) + "a😀b".substring(1, 2)', '😀b😀'],
    ['" \\n a\\t".trim()', 'a'],
    ['"%s %d %.1f %e %x %X %o %b %%".format(["s", 1, 1.25, 10.0, 255, 255, 8, true])', 's 1 1.3 1.000000e+01 ff FF 10 1 %'],
    ['"%s".format([["a", 1, {"k": 1.5}]])', '[a, 1, {k: 1.5}]'],
  ]));
  row('strings extension', 'indexes out of range and formats that do not fit fail', () => {
    for (const text of [
      '"a".charAt(2)',
      '"a".substring(2)',
      '"ab".substring(1, 0)',
      'string("a".indexOf("a", -1))',
      '"%d".format(["a"])',
      '"%s".format([])',
      '"%q".format(["a"])',
    ]) {
      expect(runError(text)).toContain('failed to eval CEL expression');
    }
  });
  row(
    'two-variable comprehensions',
    'over maps and lists',
    yes(
      'self.spec.tags.all(k, v, k != v)',
      'self.spec.zones.exists(i, z, i == 2 && z == "3")',
      'self.spec.zones.existsOne(i, z, i == 1)',
      'self.spec.zones.transformList(i, z, string(i) + z).join() == "011223"',
      'self.spec.zones.transformList(i, z, i > 1, z) == ["3"]',
      'self.spec.tags.transformMap(k, v, v + "!")["three"] == "four!"',
      'self.spec.tags.transformMap(k, v, k == "three", v).size() == 1',
      'self.spec.tags.transformMapEntry(k, v, {v: k}) == {"hello": "tag one", "four": "three"}',
      'self.spec.zones.transformMapEntry(i, z, i == 0, {z: i}) == {"1": 0}',
    ),
  );
  row('two-variable comprehensions', 'one key twice fails', () =>
    expect(runError('self.spec.tags.transformMapEntry(k, v, {"x": v})')).toContain('key x already exists'),
  );
  row(
    'optional types',
    'made, selected, indexed, mapped',
    gives([
      ['optional.of("a").value() + optional.none().orValue("b")', 'ab'],
      ['self.?spec.location.orValue("none") + self.status.?hostName.orValue("none")', 'westus2none'],
      ['self.spec.zones[?7].orValue("none") + self.spec.tags[?"three"].orValue("none")', 'nonefour'],
      ['optional.ofNonZeroValue("").or(optional.of("c")).value()', 'c'],
      ['self.spec.?location.optMap(l, l + "!").orValue("") + (optional.of(1).hasValue() ? "y" : "n")', 'westus2!y'],
      ['optional.of("a").optFlatMap(a, optional.of(a + "b")).value()', 'ab'],
    ]),
  );
  row('optional types', 'an optional that is asked for what it does not have fails', () =>
    expect(runError('self.spec.zones[?7].value()')).toContain('not present'),
  );
  row(
    'numeric comparison',
    'across int, uint and double',
    yes('1 < 1.5', '2.0 >= 1', '2u > 1', '1 <= 1u', '1.5 < 2u', 'dyn(1) == dyn(1.0)'),
  );
  row('numeric comparison', 'equality of different static types does not compile, as in cel-go', refused('1 == 1.0 ? "a" : "b"'));
  row(
    'time zone',
    'UTC, unless a name or an offset is given',
    yes(
      'timestamp("2024-06-01T23:30:00Z").getHours() == 23',
      'timestamp("2024-06-01T23:30:00Z").getHours("UTC") == 23',
      'timestamp("2024-06-01T23:30:00Z").getDate("Europe/Berlin") == 2',
      'timestamp("2024-06-01T23:30:00Z").getHours("-05:00") == 18',
      'timestamp("2024-06-01T23:30:00Z").getMinutes("05:45") == 15',
    ),
  );
  row('time zone', 'one that does not exist fails', () =>
    expect(runError('string(timestamp("2024-06-01T23:30:00Z").getHours("Nowhere/Land"))')).toContain('unknown time zone'),
  );
  row('eager validation', 'the declarations of every kind can be used', () => {
    const fresh = createCelEngine();
    for (const kind of Catalog.default().allKinds.filter(({ latest }) => latest.facts.exports?.expressions).slice(0, 40)) {
      expect(fresh.compile(kind.latest, 'self.metadata.name').output).toBe('string');
    }
  });
  row(
    'homogeneous literals',
    'not required',
    yes('size([1, "a", true]) == 3', '{"a": 1, "b": "c"}.size() == 2', '[1, "a"].map(x, string(x)).join() == "1a"'),
  );
  row(
    'Kubernetes libraries',
    'off',
    refused(
      '[1, 2].sum() > 0 ? "a" : ""',
      '["b"].sort()[0]',
      '"a".find("a")',
      '"a".findAll("a")[0]',
      'url("http://a").getHost()',
      'isURL("a") ? "a" : ""',
      'string(ip("1.2.3.4"))',
      'cidr("10.0.0.0/8").ip()',
      'string(quantity("1Gi").asInteger())',
      '["a"].isSorted() ? "a" : ""',
      'format.dns1123Label().value()',
      'semver("1.2.3").major()',
    ),
  );
  row(
    'regular expressions',
    'RE2',
    yes(
      '"abc".matches("b")',
      '"ABC".matches("(?i)^abc$")',
      '"x1".matches("^[[:alpha:]][[:digit:]]$")',
      '"ab".matches("(?P<first>a)b")',
      '"é".matches("^\\\\pL$")',
      '"a.b".matches("a\\\\.b")',
      '!"a\\nb".matches("a.b")',
      '"a\\nb".matches("(?s)a.b")',
      '"a-b".matches("^[\\\\w-]+$")',
      '"a]".matches("^a[]]$")',
    ),
  );
  row('regular expressions', 'what RE2 does not have fails', () => {
    for (const pattern of ['(?=a)', '(?!a)', '(?<=a)', '(a)\\\\1', '(a', '[[:nothing:]]', '(?x)a']) {
      expect(runError(`"a".matches("${pattern}") ? "y" : "n"`)).toContain('Invalid regular expression');
    }
  });
  row(
    'base64, math, sets',
    "off, as are bindings and the engine's own functions",
    refused(
      'base64.encode(b"a")',
      'string(math.greatest(1, 2))',
      'sets.contains([1], [1]) ? "a" : ""',
      'cel.bind(x, "a", x + x)',
      'b"a".base64()',
      'b"a".hex()',
      'dyn(b"a").hex()',
      'b"{}".json().a',
    ),
  );
  row('custom function', 'aso.parseResourceId', gives([['aso.parseResourceId(self.status.id).name', 'R1']]));
});

table('docs/spec/cel.md#variables', (row) => {
  row('self', 'members by their JSON names, typed', () => {
    gives([
      ['self.metadata.name + self.spec.sku.name + self.kind', 'r1Enterprise_E10RedisEnterprise'],
      ['self.status.id.split("/")[2]', 'S-1'],
    ])();
    refused('self.spec.loc', 'self.nothing', 'self.metadata.annotation', 'self["spec"].location')();
  });
  row('self', 'of the version last applied: what another version has is unknown', () => {
    const kind = Catalog.default().kind('containerservice.azure.com', 'ManagedCluster')!;
    const [newest, oldest] = [kind.latest, kind.version('v1api20240901')!];
    const spec = (of: typeof newest) => Object.keys(of.type(of.facts.spec!).props);
    const added = spec(newest).filter((name) => !spec(oldest).includes(name));
    expect(added.length).toBeGreaterThan(0);
    const text = `has(self.spec.${added[0]}) ? "a" : "b"`;
    expect(engine.compile(newest, text).output).toBe('string');
    expect(refusal(() => engine.compile(oldest, text)).phase).toBe('compile');
  });
  row('secret', 'a map of texts; empty for ConfigMaps, so that access fails when it is evaluated', () => {
    expect(evaluated('secret.primaryKey', { primaryKey: 'K' })).toBe('K');
    expect(evaluated('secret', { primaryKey: 'K' })).toEqual({ primaryKey: 'K' });
    expect(runError('secret.primaryKey')).toBe('failed to eval CEL expression: "secret.primaryKey": no such key: primaryKey');
  });
});

table('docs/spec/cel.md#escaping', (row) => {
  row('__', '__underscores__', () => expect(escapedName('a__b')).toBe('a__underscores__b'));
  row('.', '__dot__', () => expect(escapedName('odata.type')).toBe('odata__dot__type'));
  row('-', '__dash__, in an object of a real kind', () => {
    const cluster = Catalog.default().kind('containerservice.azure.com', 'ManagedCluster')!.latest;
    const object = { ...self, spec: { autoScalerProfile: { 'scan-interval': '10s' } } };
    expect(engine.compile(cluster, 'self.spec.autoScalerProfile.scan__dash__interval').evaluate({ self: object, secret: {} })).toBe('10s');
  });
  row('/', '__slash__', () => expect(escapedName('a/b')).toBe('a__slash__b'));
  row('words', 'true, false, null and in, and nothing that only begins so', () => {
    expect(['true', 'false', 'null', 'in', 'inner'].map(escapedName)).toEqual(['__true__', '__false__', '__null__', '__in__', 'inner']);
  });
});

table('docs/spec/cel.md#properties', (row) => {
  row('map keys', 'are never escaped', () => {
    const object = { ...self, metadata: { ...self.metadata, annotations: { 'a/b': 'slashed' } } };
    expect(evaluated('self.metadata.annotations["a/b"]', {}, object)).toBe('slashed');
  });
  row('no schema type', 'dyn, to be converted', () => {
    const found = Catalog.default().allKinds.flatMap(({ latest }) =>
      latest.facts.spec && latest.facts.exports?.expressions
        ? Object.entries(latest.type(latest.facts.spec).props)
          .filter(([, { type }]) => JSON.stringify(type) === '{"map":"json"}')
          .map(([name]) => ({ latest, name }))
        : [],
    )[0];
    const object = { ...self, spec: { [found!.name]: { x: { y: 7, z: ['w'] } } } };
    expect(refusal(() => engine.compile(found!.latest, `self.spec.${found!.name}.x.y`)).message).toContain('but was dyn');
    expect(engine.compile(found!.latest, `string(self.spec.${found!.name}.x.z[0])`).evaluate({ self: object, secret: {} })).toBe('w');
  });
  row(
    'unset',
    'reads as the zero value of its type, however deep',
    yes(
      'self.status.hostName == ""',
      'self.status.sku.capacity == 0',
      'self.spec.encryption.customerManagedKeyEncryption.keyEncryptionKeyUrl == ""',
      'self.status.zones.size() == 0',
      'self.status.tags.size() == 0',
      'self.metadata.labels.size() == 0',
    ),
  );
  row('fails', 'an index out of range and a missing key', () => {
    expect(runError('self.spec.zones[7]')).toContain('index out of bounds');
    expect(runError('self.spec.tags["nine"]')).toContain('no such key: nine');
  });
  row(
    'has',
    'tests presence',
    yes('has(self.spec.location)', '!has(self.status.hostName)', 'has(self.spec.tags.three)', '!has(self.spec.tags.nine)'),
  );
});

table('docs/spec/cel.md#resource-ids', (row) => {
  const id = '"/subscriptions/S/resourceGroups/G/providers/Microsoft.Network/virtualNetworks/V/subnets/N"';
  const part = (path: string, of = id) => evaluated(`aso.parseResourceId(${of}).${path}`);
  row('parent', 'up to the root, where it is empty', () => {
    expect([part('parent.name'), part('parent.parent.name'), part('parent.parent.parent.parent.parent.name')]).toEqual(['V', 'G', '']);
  });
  row('texts', 'subscriptionId, resourceGroupName, provider, location, name; empty where there is none', () => {
    expect(['subscriptionId', 'resourceGroupName', 'name', 'provider', 'location'].map((name) => part(name))).toEqual([
      'S',
      'G',
      'N',
      '',
      '',
    ]);
    expect([
      part('location', '"/subscriptions/S/providers/Microsoft.KeyVault/locations/westus/deletedVaults/v"'),
      part('provider', '"/subscriptions/S/providers/Microsoft.X"'),
    ]).toEqual(['westus', 'Microsoft.X']);
  });
  row('resourceType', 'namespace and type', () =>
    expect([part('resourceType.namespace'), part('resourceType.type')]).toEqual(['Microsoft.Network', 'virtualNetworks/subnets']),
  );
  row('invalid', 'fails when it is evaluated', () => {
    for (const text of ['""', '"x"', '"/nothing/x"']) {
      expect(runError(`aso.parseResourceId(${text}).name`)).toContain('aso.parseResourceId: invalid resource ID: ');
    }
  });
});

table('docs/spec/cel.md#errors-and-limits', (row) => {
  row('compile error', 'expression, cause, and where in the text', () => {
    expect(compileError('self.spec.loc')).toBe('failed to compile CEL expression: "self.spec.loc": undefined field \'loc\' (at 1:11)');
    expect(compileError('nothing')).toBe(
      "failed to compile CEL expression: \"nothing\": undeclared reference to 'nothing' (in container '') (at 1:1)",
    );
    expect(compileError('1 + "a"')).toBe(
      'failed to compile CEL expression: "1 + "a"": found no matching overload for \'_+_\' applied to \'(int, string)\' (at 1:1)',
    );
    expect(compileError('"a" +\n  ')).toContain('(at 2:3)');
    refused(
      '',
      '(',
      'self.spec.location +',
      'has(1)',
      'nothing(1)',
      '"a".nothing()',
      'self.spec.zones.map(1, 2)',
      'self.spec.tags.transformMapEntry(k, v, v)',
      '"a',
      '{"a"}',
    )();
  });
  row('run-time error', 'expression and cause', () =>
    expect(runError('self.spec.tags["x"]')).toBe('failed to eval CEL expression: "self.spec.tags["x"]": no such key: x'),
  );
  row('run-time error', '(better) never with a value of a secret', () => {
    for (const text of [
      'string(int(secret.key))',
      'self.spec.tags[secret.key]',
      '"%d".format([secret.key])',
      'aso.parseResourceId(secret.key).name',
      '"a".matches("(" + secret.key) ? "" : ""',
    ]) {
      expect(runError(text, { key: 'TOP-SECRET' })).not.toContain('TOP-SECRET');
    }
  });
  const object = { ...self, spec: { ...self.spec, zones: Array<string>(60).fill('1') } };
  const over = (zones: number, body: string) =>
    Array.from({ length: zones }, (_, depth) => `self.spec.zones.map(v${depth}, `).join('') + body + ').join("")'.repeat(zones);
  const budgetError = /the expressions of this object cost more than \d+ steps together/;
  row('limits', '(better: ASO has none) comprehensions in comprehensions end', () => {
    expect(refusal(() => evaluated(over(6, '"x"'), {}, object)).message).toMatch(budgetError);
    expect(typeof evaluated(over(2, '"x"'), {}, object)).toBe('string');
  });
  row('limits', '(better) an error that the expression swallows does not go on', () => {
    const nested =
      'self.spec.zones.exists(a, self.spec.zones.exists(b, self.spec.zones.exists(c, self.spec.zones.exists(d, a + b + c + d == "x"))))';
    expect(refusal(() => evaluated(`${nested} || true ? "a" : "b"`, {}, object)).message).toMatch(budgetError);
  });
  row('limits', '(better) what is too dear for every object does not compile', () => {
    const list = `[${Array(60).fill('1').join(',')}]`;
    expect(compileError(`string(${list}.all(a, ${list}.all(b, ${list}.all(c, ${list}.all(d, a + b + c + d > 0)))))`)).toMatch(
      /the expression costs some .* steps, more than/,
    );
  });
  const doubled = (begin: string, times: number, body: string) => begin + `.map(a, ${body})`.repeat(times);
  row('limits', '(better) texts and lists that double end before they fill the memory', () => {
    expect(runError(`${doubled('["xxxxxxxxxx"]', 40, 'a + a')}[0]`)).toContain('the text is longer than');
    expect(runError(`string(size(${doubled('[["x"]]', 40, 'a + a')}[0]))`)).toMatch(budgetError);
    expect(runError(`"%s".format([${doubled('["x"]', 40, '[a, a]')}])`)).toMatch(budgetError);
    expect(runError(`${doubled('["x"]', 40, '[a, a]')} == ${doubled('["y"]', 40, '[a, a]')} ? "a" : "b"`)).toMatch(budgetError);
    expect(runError(`${doubled('["xxxxxxxxxx"]', 15, 'a + a')}.map(a, a.replace("", a))[0]`)).toContain('the text is longer than');
    expect(runError(`${doubled('["xxxxxxxxxx"]', 15, 'a + a')}.map(a, "${'-'.repeat(900)}".split("").join(a))[0]`)).toContain(
      'the text is longer than',
    );
  });
  row('limits', '(better) a regular expression takes time by the length of its text, and the steps that it costs are counted', () => {
    expect(evaluated('"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab".matches("^(a|a)*$") ? "a" : "b"')).toBe('b');
    const budget = new Budget();
    const text = `${doubled('["xxxxxxxxxx"]', 12, 'a + a')}.map(a, a.matches("(?:x?x?){50}${'(?:x?x?){50}'.repeat(20)}y"))[0] ? "a" : "b"`;
    expect(refusal(() => evaluated(text, {}, self, budget)).message).toMatch(budgetError);
    expect(refusal(() => evaluated('"x"', {}, self, budget)).message).toMatch(budgetError);
  });
  row('limits', '(better) an expression of more than 16 KiB does not compile', () =>
    expect(compileError(`"${'x'.repeat(20_000)}"`)).toContain('longer than 16384 characters'),
  );
  row('limits', '(better) what is nested too deeply ends as well, in a short message', () => {
    const deep = [
      '"a"' + '+"a"'.repeat(2400),
      '('.repeat(8000) + '"a"' + ')'.repeat(8000),
      '-'.repeat(3000) + '1',
      '"a"' + '.trim()'.repeat(2000),
      'x'.repeat(16_000),
    ];
    for (const text of deep) expect(refusal(() => evaluated(text)).message.length).toBeLessThan(2000);
    for (let terms = 100; terms <= 2000; terms += 100) {
      const text = '"a"' + '+"a"'.repeat(terms);
      try {
        expect(evaluated(text)).toHaveLength(terms + 1);
      } catch (error) {
        expect(error).toMatchObject({ name: 'ExpressionError', message: expect.stringContaining('nested too deeply') as string });
      }
    }
  });
  row('caches', 'programs and environments are kept; (better) not without bound, and no errors', () => {
    const seen: ExpressionObservation[] = [];
    const cached = createCelEngine((observation) => seen.push(observation));
    const compiled = cached.compile(version, 'self.metadata.name');
    expect(cached.compile(version, 'self.metadata.name')).toBe(compiled);
    for (let i = 0; i < 2; i += 1) expect(() => cached.compile(version, 'nothing')).toThrow();
    expect(seen.map(({ program, resource }) => `${resource} ${program}`)).toEqual([
      'RedisEnterprise miss',
      'RedisEnterprise hit',
      'RedisEnterprise miss',
      'RedisEnterprise miss',
    ]);
    for (let i = 0; i < 1000; i += 1) cached.compile(version, `"${i}"`);
    expect(cached.compile(version, 'self.metadata.name')).not.toBe(compiled);
  });
  row('first use', 'the environment of a kind is made once', () => {
    // Its kinds are new, whatever other suites have compiled before.
    const other = Catalog.default().copy().kind('signalrservice.azure.com', 'SignalR')!.latest;
    const seen: ExpressionObservation[] = [];
    const cached = createCelEngine((observation) => seen.push(observation));
    cached.compile(other, '"a"');
    cached.compile(other, '"b"');
    expect(seen.map(({ environment }) => environment)).toEqual(['miss', 'hit']);
    expect(seen.every(({ seconds }) => seconds! >= 0)).toBe(true);
  });
  row('admission', 'an evaluator is part of every process: expressions are always checked', () =>
    expect(compileError('nothing')).toContain('failed to compile'),
  );
});

table('docs/spec/cel.md#examples', (row) => {
  row('location', 'self.spec.location', gives([['self.spec.location', 'westus2']]));
  row('text', 'a literal', gives([["'hello'", 'hello']]));
  row('format', 'format', gives([['"%s:%d".format([self.spec.location, 7])', 'westus2:7']]));
  row('namespace and name', '+', gives([['self.metadata.namespace + ":" + self.metadata.name', 'default:r1']]));
  row('capacity', 'rejected', () =>
    expect(compileError('self.spec.sku.capacity')).toBe(
      'expression "self.spec.sku.capacity" must return one of [string,map(string, string)], but was int',
    ),
  );
  row('string of capacity', 'converted', gives([['string(self.spec.sku.capacity)', '1']]));
  row('annotations', 'a map', gives([['self.metadata.annotations', { foo: 'bar', baz: 'qux' }]]));
  row('annotation', 'indexed', gives([['self.metadata.annotations["foo"]', 'bar']]));
  row('zones', 'filtered and joined', gives([['self.spec.zones.filter(z, int(z) % 2 == 1).join("-")', '1-3']]));
  row(
    'tags',
    'transformed',
    gives([['self.spec.tags.transformMapEntry(k, v, {k.replace(" ", "-"): v})', { 'tag-one': 'hello', 'three': 'four' }]]),
  );
  row(
    'map',
    'a literal, whatever its keys',
    gives([
      ['{"a": self.spec.location}', { a: 'westus2' }],
      ['{"constructor": "x"}', { constructor: 'x' }],
    ]),
  );
  row(
    'id',
    'in lower case',
    gives([['self.status.id.lowerAscii()', '/subscriptions/s-1/resourcegroups/rg/providers/microsoft.cache/redisenterprise/r1']]),
  );
  row('secret', 'a run-time error in configMapExpressions', () =>
    expect(runError('secret.primaryKey')).toContain('no such key: primaryKey'),
  );
});
