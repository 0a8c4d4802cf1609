import { App, Chart } from 'cdk8s';
import fc from 'fast-check';
import { createCelEngine } from '../../../engine/export/cel';
import { Catalog } from '../../../src/catalog';
import { CelExpression } from '../../../src/core';
import { expressionCheck } from '../../../src/core/cel/expression-check';
import { memberName, celName } from '../../../src/core/cel/spelling';
import { ResourceGroup } from '../../../src/services/resources/resource-group';
import { StorageAccount, StorageAccountKind } from '../../../src/services/storage';

const version = Catalog.default().kind('storage.azure.com', 'StorageAccount')!.latest;
const engine = createCelEngine();
const check = expressionCheck(version);
const ID = '/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/acc';

const self = {
  apiVersion: version.apiVersion,
  kind: 'StorageAccount',
  metadata: { name: 'acc', namespace: 'team', annotations: { 'a/b': 'note' } },
  spec: {
    location: 'UKSouth',
    tags: { 'a b': 'tagged' },
    sku: { name: 'Standard_LRS' },
    isHnsEnabled: true,
    azureName: 'acc',
    owner: { name: 'rg' },
    kind: 'StorageV2',
  },
  status: { id: ID, primaryEndpoints: { blob: 'https://ACC.blob' }, conditions: [] },
};

function evaluated(expression: CelExpression, secret: Record<string, string> = {}): unknown {
  expect(check(expression.text)).toBeUndefined();
  return engine.compile(version, expression.text).evaluate({ self: self as never, secret });
}

const { field, spec, status, secret, literal, concat, format, mapOf } = CelExpression;

describe('what is written gives what is meant', () => {
  test.each<[string, () => CelExpression, unknown]>([
    ['a field', () => field('metadata.name'), 'acc'],
    ['a field of the spec', () => spec('sku.name'), 'Standard_LRS'],
    ['a field of the status', () => status('primaryEndpoints.blob'), 'https://ACC.blob'],
    ['lower case', () => status('primaryEndpoints.blob').lower(), 'https://acc.blob'],
    ['upper case', () => spec('location').upper(), 'UKSOUTH'],
    ['replaced', () => status('primaryEndpoints.blob').replace('https://', ''), 'ACC.blob'],
    ['a key of a map', () => field('metadata.annotations["a/b"]'), 'note'],
    ['a key with a space', () => spec('tags["a b"]'), 'tagged'],
    ['a key that is not there, with something else', () => spec('tags["none"]').orElse(literal('other')), 'other'],
    ['an element that is not there, with something else', () => status('conditions[0].reason').orElse(literal('none')), 'none'],
    ['a status that is not set, with something else', () => status('primaryEndpoints.dfs').orElse(spec('location')), 'UKSouth'],
    ['one that is set', () => status('primaryEndpoints.blob').orElse(literal('x')).lower(), 'https://acc.blob'],
    ['put together', () => concat(field('metadata.namespace'), literal('/'), spec('tags["none"]'), field('metadata.name')), 'team/acc'],
    ['formatted', () => format('%s is 100%% in %s', field('metadata.name'), spec('location').lower()), 'acc is 100% in uksouth'],
    ['a truth value', () => spec('isHnsEnabled').asText(), 'true'],
    ['trimmed', () => concat(literal(' '), spec('location')).trim(), 'UKSouth'],
    ['a subscription', () => status('id').parsedResourceId().subscriptionId, '11111111-1111-1111-1111-111111111111'],
    ['a resource group', () => status('id').parsedResourceId().resourceGroupName, 'rg'],
    ['a provider', () => status('id').parsedResourceId().providerNamespace, 'Microsoft.Storage'],
    ['a type', () => status('id').parsedResourceId().resourceType, 'storageAccounts'],
    ['the name of a parent', () => status('id').parsedResourceId().parent.name, 'rg'],
    [
      'a map',
      () => mapOf({ 'blob': status('primaryEndpoints.blob'), 'the "name"': field('metadata.name') }),
      { 'blob': 'https://ACC.blob', 'the "name"': 'acc' },
    ],
    ['a secret', () => concat(literal('key='), secret('key1')), 'key=k'],
    ['any', () => CelExpression.of('self.spec.tags.transformMapEntry(k, v, {k.replace(" ", "-"): v})'), { 'a-b': 'tagged' }],
  ])('%s', (_, make, wanted) => expect(evaluated(make(), { key1: 'k' })).toEqual(wanted));

  test('the names of secrets are found, so that the operator fetches them', () => {
    expect(engine.compile(version, format('%s%s', secret('key1'), secret('key2')).text).secretNames).toEqual(['key1', 'key2']);
  });

  test('a text is itself, whatever is in it', () => {
    fc.assert(fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (text) => expect(evaluated(literal(text))).toBe(text)));
    const text = fc.string({ minLength: 1 });
    fc.assert(fc.property(text, text, (a, b) => expect(evaluated(concat(literal(a), literal(b)))).toBe(a + b)));
  });

  test('a name that is spelt for CEL is read back', () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-z][a-z./-]{0,8}$/), (name) => expect(memberName(celName(name))).toBe(name)));
    expect(['in', 'true', 'a-b', 'a__b'].map(celName)).toEqual(['__in__', '__true__', 'a__dash__b', 'a__underscores__b']);
  });
});

describe('mistakes are reported where they are made', () => {
  test.each<[string, () => unknown, RegExp]>([
    ['a path of nothing', () => field('statuss.id'), /does not begin with one of/],
    ['no path', () => field('status..id'), /is not a path, from '\.\.id'/],
    ['an open bracket', () => status('x[0'), /is not a path/],
    ['an empty path', () => field(''), /does not begin/],
    ['no secret', () => secret('a b'), /is not the name of a secret/],
    ['an empty expression', () => CelExpression.of(' '), /is empty/],
    ['nothing to put together', () => concat(), /nothing to put together/],
    ['too few values', () => format('%s %s', field('metadata.name')), /2 places \(%s\) and 1 values/],
    ['another verb', () => format('%d', field('metadata.name')), /'%d' is none/],
    ['an empty map', () => mapOf({}), /the map is empty/],
  ])('%s', (_, make, message) => expect(make).toThrow(message));
});

describe('what can be told of plain texts', () => {
  test.each([
    ['self.statuss.id', /self of StorageAccount .* has no 'statuss'.*'status'/],
    ['self.status.primaryEndpoint.blob', /self\.status of StorageAccount .* has no 'primaryEndpoint'.*'primaryEndpoints'/],
    ['self.status.primaryEndpoints.blb', /has no 'blb'.*'blob'/],
    ['has(self.spec.skuu) ? "a" : "b"', /has no 'skuu'/],
    ['self.metadata.nam', /has no 'nam'/],
    ['status.id', /there is no variable 'status'/],
    ['slef.status.id', /there is no variable 'slef'.*'self'/],
    ['"a" + b', /there is no variable 'b'/],
    ['string(self.status.id', /'\(' is not closed/],
    ['self.status.id)', /'\)' closes nothing/],
    ['[self.status.id}', /'}' closes nothing/],
    ['"abc', /has no end/],
    ['self.status.id # x', /nothing in CEL is written #/],
    ['secret.key3', /has no secret 'key3'.*'key1'/],
    ['secret["key1"]', /does not fetch.*secret\.key1/],
  ])('%s', (text, message) => expect(check(text)).toMatch(message));

  test.each([
    'self.status.id',
    'self.spec.tags["whatever"].lowerAscii()',
    'self.spec.networkAcls.ipRules.map(r, r.value).join(",")',
    'optional.of(self.status.id).orValue("x")',
    '{"a": self.spec.?location.orValue("b")}',
    'self.spec.tags.transformMapEntry(k, v, {k: v})',
    'r"\\d" + \'it\\\'s\' + """x " y"""',
    'self.metadata.annotations["a"] // a comment with self.nothing',
    'string(1.5e3) + string(0x1F)',
    'secret.key1',
    'self.status.conditions.exists(c, c.type == "Ready") ? "a" : "b"',
  ])('nothing is wrong with %s', (text) => expect(check(text)).toBeUndefined());

  test('what the operator compiles is not refused', () => {
    const paths = fc.constantFrom(
      'status.id',
      'spec.location',
      'metadata.name',
      'status.primaryEndpoints.web',
      'spec.tags["x"]',
      'status.conditions[2].message',
    );
    const { expression } = fc.letrec<{ expression: CelExpression }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        paths.map((path) => field(path)),
        fc.string({ maxLength: 5 }).map((text) => literal(text)),
        fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => concat(a, b)),
        fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => a.orElse(b)),
        tie('expression').map((a) => a.lower()),
        fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => format('<%s|%s>', a, b)),
      ),
    }));
    fc.assert(fc.property(expression, (made) => {
      expect(engine.compile(version, made.text).output).toBe('string');
      expect(check(made.text)).toBeUndefined();
    }), { numRuns: 200 });
  });

  test('and it is reported at synth, with the place', () => {
    const chart = new Chart(new App(), 'chart');
    const account = (value: string, labels?: Record<string, string>) => {
      const scope = new Chart(chart, `c${chart.node.children.length}`);
      new StorageAccount(scope, 'a', {
        owner: new ResourceGroup(scope, 'rg', { location: 'x' }),
        location: 'x',
        azureName: 'account',
        kind: StorageAccountKind.STORAGE_V2,
        sku: { name: 'Standard_LRS' as never },
        operatorSpec: { configMapExpressions: [{ name: 'c', key: 'k', value, ...(labels && { labels }) }] },
      });
      return scope.node.findAll().flatMap((construct) => construct.node.validate());
    };
    expect(account(status('id').text)).toEqual([]);
    expect(account(status('idd').text)).toEqual([
      expect.stringMatching(/operatorSpec\.configMapExpressions\[0\]\.value: self\.status .* has no 'idd'/),
    ]);
    expect(account(status('id').text, { a: 'self.spec.locaton' })).toEqual([
      expect.stringMatching(/configMapExpressions\[0\]\.labels\.a: .*'location'/),
    ]);
  });
});
