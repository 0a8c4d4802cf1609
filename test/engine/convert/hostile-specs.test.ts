import type * as Convert from '../../../engine/convert';
import { checkLocalShape } from '../../../engine/convert/local-shape';
import type { ValueSource } from '../../../engine/convert/types';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import type * as Conversion from '../../../engine/version-conversion/convert-object';
import { KEPT_MEMBERS } from '../../../src/azure/annotations';
import { Catalog } from '../../../src/catalog';
import { isDeeperThan } from '../../../src/util/records';
import { counted, growth } from '../../setup/work';

const { fromArm, toArm } = counted<typeof Convert>('engine/convert');
const { convertObject } = counted<typeof Conversion>('engine/version-conversion/convert-object');

const kind = (group: string, name: string) => Catalog.default().kind(`${group}.azure.com`, name)!;
const extension = kind('compute', 'VirtualMachinesExtension').latest;
const group = kind('resources', 'ResourceGroup').latest;
const account = kind('storage', 'StorageAccount');
const values = { reference: () => '/id', secret: () => 's', secretMap: () => ({}), configMap: () => 'c' } as unknown as ValueSource;

const DEEP = 10_000;
const deepJson = (levels: number, open: string, close: string) => JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`) as unknown;
const DEEP_VALUES: readonly unknown[] = [deepJson(DEEP, '{"a":', '}'), deepJson(DEEP, '[', ']'), deepJson(100_000, '{"a":[', ']}')];

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

test('a large body takes work by its size', () => {
  const tags = (size: number) => Object.fromEntries(Array.from({ length: size }, (_, index) => [`tag-${index}`, `value-${index}`]));
  expect(growth(5_000, (size) => toArm(group, { location: 'x', tags: tags(size) }, 'n', values))).toBeLessThan(5);
  expect(growth(5_000, (size) => fromArm(group, { location: 'x', tags: tags(size) }))).toBeLessThan(5);
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

  test.each<(size: number) => string>([
    (size) => `{"spec":[[["tags","a"],${'['.repeat(size)}${']'.repeat(size)}]]}`,
    (size) => `{"spec":${'{"a":'.repeat(size)}1${'}'.repeat(size)}}`,
    (size) => `{"spec":[[[${'"a",'.repeat(size)}"a"],1]]}`,
    (size) => `{"spec":[${'[["__proto__","polluted"],1],[["constructor","prototype","polluted"],1],'.repeat(size)}1]}`,
    (size) => `[${'{},'.repeat(size)}{}]`,
    (size) => `{"spec":{"length":${size}}}`,
  ])('an annotation that somebody wrote stops no conversion', (annotation) => {
    let text = '';
    const convert = (size: number) => (text = JSON.stringify(convertObject(object(annotation(size)), other!)));
    expect(growth(5_000, convert)).toBeLessThan(5);
    expect(text).toContain('"kind":"StorageAccount"');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('thousands of kept values of a list take work by its length', () => {
    const balancer = kind('network', 'LoadBalancer');
    let converted!: KubernetesObject;
    // Each is kept for the element of that name, which has moved.
    const convert = (size: number) => {
      const backendAddressPools = Array.from({ length: size }, (_, index) => ({ name: `n${index}` }));
      const kept = backendAddressPools.map(({ name }, index) => [['backendAddressPools', [size - 1 - index, name], 'more'], index]);
      const metadata = { name: 'a', annotations: { [KEPT_MEMBERS]: JSON.stringify({ spec: kept }) } };
      converted = convertObject({ apiVersion: 'any', kind: 'LoadBalancer', metadata, spec: { backendAddressPools } }, balancer.latest);
    };
    expect(growth(1_250, convert)).toBeLessThan(5);
    expect(JSON.parse(converted.metadata.annotations![KEPT_MEMBERS]!)).toMatchObject({ spec: { length: 5_000 } });
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
