import { inVersion, managedFieldsOf, migratedManagedFields, newestSpecTime } from '../../../cli/migrate/managed-fields';
import { appliedVersionOf } from '../../../engine/kubernetes/applied-version';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';

const type: ResourceType = { group: 'storage.azure.com', version: 'v20250601', plural: 'storageaccounts', kind: 'StorageAccount', namespaced: true };
const options = { type, applied: 'v1api20220901', stored: 'v20250601' };
const version = (name: string) => `${type.group}/${name}`;
const entry = (manager: string, name: string, fieldsV1: object, rest: object = {}) => (
  { manager, operation: 'Update', apiVersion: version(name), time: '2026-11-23T18:00:00Z', fieldsType: 'FieldsV1', fieldsV1, ...rest });
const object = (...managedFields: object[]): KubernetesObject => (
  { apiVersion: version('v20250601'), kind: 'StorageAccount', metadata: { name: 'a', creationTimestamp: '2026-11-23T17:00:00Z', managedFields } } as unknown as KubernetesObject);
const withFields = (managedFields: readonly object[]) => object(...managedFields);

test("records of ASO's storage versions get versions that are served", () => {
  const aso = entry('aso', 'v20250601storage', { 'f:metadata': { 'f:finalizers': {} } });
  const status = entry('aso', 'v20250601storage', { 'f:status': { 'f:id': {} } }, { subresource: 'status' });
  const user = entry('kubectl', 'v1api20220901', { 'f:spec': { 'f:sku': { 'f:tier': {} } } });
  expect(migratedManagedFields(object(aso, status, user), options)).toEqual([
    { ...aso, apiVersion: version('v20250601') },
    { ...status, apiVersion: version('v20250601') },
    user,
  ]);
});

test('what only the storage form has goes; the rest of its spec counts as applied', () => {
  const aso = entry('aso', 'v20250601storage', {
    'f:spec': { 'f:originalVersion': {}, 'f:azureName': {}, 'f:sku': { 'f:$propertyBag': { '.': {}, 'f:tier': {} } } },
  }, { time: '2026-11-23T18:30:00Z' });
  const only = entry('aso', 'v20250601storage', { 'f:spec': { 'f:originalVersion': {} } }, { operation: 'Apply' });
  const user = entry('kubectl', 'v1api20220901', { 'f:spec': { 'f:sku': {} } });
  const found = migratedManagedFields(object(aso, only, user), options);
  expect(found).toEqual([{ ...aso, apiVersion: version('v1api20220901'), fieldsV1: { 'f:spec': { 'f:azureName': {} } } }, user]);
  expect(appliedVersionOf(type, withFields(found))).toBe(version('v1api20220901'));
});

test('the newest record of the spec has the version that ASO has recorded', () => {
  const old = entry('kubectl', 'v1api20210401', { 'f:spec': { 'f:sku': {} } });
  const newer = entry('flux', 'v20230101', { 'f:spec': { 'f:tags': {} } }, { time: '2026-11-23T18:30:00Z' });
  const found = migratedManagedFields(object(old, newer), options);
  expect(found).toEqual([old, { ...newer, apiVersion: version('v1api20220901') }]);
});

test('where no record tells, one is added', () => {
  const found = migratedManagedFields(object(), options);
  expect(appliedVersionOf(type, withFields(found))).toBe(version('v1api20220901'));
  expect(migratedManagedFields(object(), { ...options, applied: 'v20250601' })).toEqual([]);
});

test('two records that become one are merged', () => {
  const a = entry('kubectl', 'v1api20220901', { 'f:spec': { 'f:sku': { 'f:tier': {} } } });
  const b = entry('kubectl', 'v20250601', { 'f:spec': { 'f:sku': { 'f:name': {} } } }, { time: '2026-11-23T18:30:00Z' });
  const foreign = { manager: 'x', apiVersion: 'other.example/v1', fieldsV1: {} };
  expect(inVersion([a, b, foreign], options)).toEqual([
    { ...b, fieldsV1: { 'f:spec': { 'f:sku': { 'f:tier': {}, 'f:name': {} } } } },
    foreign,
  ]);
});

test('a write in the stored version is recognized, but not one of this program', () => {
  const user = entry('kubectl', 'v20250601', { 'f:spec': {} });
  expect(newestSpecTime(object(user), type, 'v20250601')).toBe('2026-11-23T18:00:00Z');
  expect(newestSpecTime(object(entry('kubectl', 'v1api20220901', { 'f:spec': {} })), type, 'v20250601')).toBeUndefined();
  expect(newestSpecTime(object(entry('cdk8s-aso-migrate', 'v20250601', { 'f:spec': {} })), type, 'v20250601')).toBeUndefined();
  expect(managedFieldsOf({ apiVersion: 'v1', kind: 'x', metadata: { name: 'a' } })).toEqual([]);
});
