import { fromArm, toArm } from '../../../engine/convert';
import { isDeeperThan } from '../../../engine/convert/json';
import { checkLocalShape } from '../../../engine/convert/local-shape';
import type { ValueSource } from '../../../engine/convert/types';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { convertObject } from '../../../engine/version-conversion/convert-object';
import { KEPT_MEMBERS } from '../../../src/azure/annotations';
import { Catalog } from '../../../src/catalog';

const kind = (group: string, name: string) => Catalog.default().kind(`${group}.azure.com`, name)!;
const extension = kind('compute', 'VirtualMachinesExtension').latest;
const group = kind('resources', 'ResourceGroup').latest;
const account = kind('storage', 'StorageAccount');
const values = { reference: () => '/id', secret: () => 's', secretMap: () => ({}), configMap: () => 'c' } as unknown as ValueSource;

const DEEP = 10_000;
const deepJson = (levels: number, open: string, close: string) => JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`) as unknown;
const DEEP_VALUES: readonly unknown[] = [deepJson(DEEP, '{"a":', '}'), deepJson(DEEP, '[', ']'), deepJson(100_000, '{"a":[', ']}')];

function millisecondsOf(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test.each(DEEP_VALUES)('a spec that nests thousands of levels is refused where it does, without an end of the stack', (deep) => {
  expect(() => toArm(extension, { settings: { x: deep } }, 'n', values)).toThrow('spec.settings.x: nests deeper than 64 levels');
  expect(() => toArm(extension, { settings: deep as object }, 'n', values)).toThrow(/nests deeper than 64 levels|expected an object/);
  expect(() => toArm(group, { location: deep as string }, 'n', values)).toThrow('spec.location: expected a text');
  expect(() => toArm(group, { location: 'x', tags: { a: deep as string } }, 'n', values)).toThrow('spec.tags.a: expected a text');
  expect(() => checkLocalShape(group, { operatorSpec: deep as object })).not.toThrow(RangeError);
  expect(() => checkLocalShape(group, { operatorSpec: { configMapExpressions: deep as object } })).toThrow(
    'spec.operatorSpec.configMapExpressions',
  );
});

test.each(DEEP_VALUES)('an answer that nests thousands of levels leaves the member out', (deep) => {
  const status = fromArm(extension, { id: '/id', properties: { settings: { x: deep } }, tags: { a: deep } });
  expect(status).toMatchObject({ id: '/id' });
  expect(JSON.stringify(status).length).toBeLessThan(1_000);
});

test('keys that mean something to JavaScript are keys', () => {
  const spec = JSON.parse('{"location":"x","tags":{"__proto__":"a","constructor":"b","prototype":"c","toString":"d"},"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as object;
  const body = toArm(group, spec as Record<string, unknown>, 'n', values);
  expect(Object.keys(body.tags as object)).toEqual(['__proto__', 'constructor', 'prototype', 'toString']);
  expect(JSON.stringify(body)).not.toContain('polluted');
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  const status = fromArm(group, JSON.parse('{"tags":{"__proto__":"a"},"__proto__":{"id":"x"}}'));
  expect(Object.getPrototypeOf(status.tags)).toBe(Object.prototype);
  expect(Object.keys(status.tags as object)).toEqual(['__proto__']);
  expect(status.id).toBeUndefined();
});

test('a body of 1.5 MB takes time by its size', () => {
  const tags = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`tag-${index}`, `value-${index}`]));
  expect(millisecondsOf(() => toArm(group, { location: 'x', tags }, 'n', values))).toBeLessThan(1_000);
  expect(millisecondsOf(() => fromArm(group, { location: 'x', tags }))).toBeLessThan(1_000);
});

describe('conversion between versions', () => {
  const [one, other] = [account.versionNames[0], account.versionNames.at(-1)!].map((name) => account.version(name!)!);
  const object = (annotation: string, spec: object = {}): KubernetesObject =>
    ({
      apiVersion: one!.apiVersion,
      kind: 'StorageAccount',
      metadata: { name: 'a', namespace: 'n', annotations: { [KEPT_MEMBERS]: annotation } },
      spec,
    }) as KubernetesObject;

  test.each([
    `{"spec":[[["tags","a"],${'['.repeat(50_000)}${']'.repeat(50_000)}]]}`,
    `{"spec":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
    `{"spec":[[[${'"a",'.repeat(50_000)}"a"],1]]}`,
    '{"spec":[[["__proto__","polluted"],1],[["constructor","prototype","polluted"],1]]}',
    `[${'{},'.repeat(50_000)}{}]`,
    '{"spec":{"length":1e9}}',
  ])('an annotation that somebody wrote stops no conversion', (annotation) => {
    let text = '';
    expect(millisecondsOf(() => (text = JSON.stringify(convertObject(object(annotation), other!))))).toBeLessThan(1_000);
    expect(text).toContain('"kind":"StorageAccount"');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('thousands of kept values of a list take time by its length', () => {
    const SIZE = 5_000;
    const ipRules = Array.from({ length: SIZE }, (_, index) => ({ name: `n${index}`, value: `v${index}` }));
    const kept = ipRules.map(({ name }, index) => [['networkAcls', 'ipRules', [SIZE - index, name], 'more'], index]);
    expect(millisecondsOf(() => convertObject(object(JSON.stringify({ spec: kept }), { networkAcls: { ipRules } }), other!))).toBeLessThan(
      1_500,
    );
  });
});

test.each([
  [0, 0, false],
  [1, 1, false],
  [2, 1, true],
  [65, 64, true],
  [64, 64, false],
])('a value of %d levels is deeper than %d: %s', (levels, most, expected) => {
  expect(isDeeperThan(deepJson(levels, '[', ']'), most)).toBe(expected);
});
