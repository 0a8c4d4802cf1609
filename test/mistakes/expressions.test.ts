import { Catalog } from '../../src/catalog';
import { expressionProblem, resultIn } from '../../src/core/schema/expressions';

const account = resultIn(Catalog.default().kind('storage.azure.com', 'StorageAccount')!.latest);
const problem = (value: string, key?: string, store: 'ConfigMap' | 'Secret' = 'Secret') => expressionProblem(store, value, key, account);

test.each([
  '"a" + "b"',
  '\'it\' + "s"',
  'string(self.spec.sku) == string(1)',
  'secret.key1 + "x"',
  '{"a": "b"}',
  'self.status.id',
  'self.spec.tags["a"]',
  'self.spec.nothing',
  'self.metadata.name + "x"',
  'self.metadata.annotations["a"]',
  'self.spec.sku.nothing',
  '-self.x',
  'self',
  'self.spec',
  'truest',
  'string(string(1))',
  '"a\\" + \'b',
])('%s is left to the compiler of the language, with a key and without', (value) => {
  expect([problem(value), problem(value, 'k')]).toEqual([undefined, undefined]);
});

test.each([
  '"a"',
  '\'a "b"\'',
  'string(1)',
  'secret.key1',
  'self.spec.location',
  'self.spec.sku.name',
  'self.metadata.name',
  ' self.metadata.uid\n',
])('%s gives a text', (value) => {
  expect(problem(value, 'k')).toBeUndefined();
  expect(problem(value)).toMatch(/gives a text, for which the Secret needs a key\. Give 'key' as well\.$/);
});

test.each(['self.spec.tags', 'self.metadata.labels', 'self.metadata.annotations'])('%s gives a map', (value) => {
  expect(problem(value)).toBeUndefined();
  expect(problem(value, 'k')).toMatch(/gives a map, whose keys become those of the Secret\. Leave 'key' out\.$/);
});

test.each([
  ['1', 'a number'],
  ['true', 'true or false'],
  ['self.spec.allowBlobPublicAccess', 'true or false'],
  ['self.metadata.generation', 'a number'],
])('%s gives %s', (value, what) => {
  expect(problem(value, 'k')).toContain(`gives ${what}, but a Secret holds texts. Write string(${value})`);
});

test.each([
  ['self.spec.sku', 'an object'],
  ['self.spec.owner', 'an object'],
  ['self.spec.networkAcls.ipRules', 'a list'],
])('%s gives %s', (value, what) => {
  expect(problem(value, 'k')).toContain(`gives ${what}, but a Secret holds texts. Name a text that is in it.`);
});

test('a secret goes to Secrets only', () => {
  expect(problem('secret.key1', 'k', 'ConfigMap')).toContain('Move it to secretExpressions');
  expect(problem('"secret.key1"', 'k', 'ConfigMap')).toBeUndefined();
});
