import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { latest } from './fixtures';
import { exportsOf, secretsWanted } from '../../../engine/export';
import { LONGEST_TEXT, MOST_STEPS } from '../../../engine/export/cel/budget';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

const text = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'exports.md'), 'utf8');

test('the example of docs/exports.md exports what it says', () => {
  const [, yaml] = /```yaml\n([^]*?)```/.exec(text)!;
  const written = parse(yaml!) as KubernetesObject;
  const object = { ...written, metadata: { ...written.metadata, uid: 'u' }, status: { primaryEndpoints: { blob: 'https://b' } } };
  const version = latest('storage', 'StorageAccount');
  expect(version.apiVersion).toBe(written.apiVersion);
  expect(secretsWanted(version, object.spec)).toEqual(['key1']);
  const { secrets, configMaps } = exportsOf(version, object, { values: { key1: 'K' }, notThere: [] });
  expect(secrets.map(({ stringData }) => stringData)).toEqual([
    { key: 'K', connection: 'DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=K' },
  ]);
  expect(configMaps.map(({ data }) => data)).toEqual([{ endpoint: 'https://b' }, { location: 'westeurope', group: 'shop' }]);
});

test('the limits of docs/exports.md are those of the code', () => {
  expect(text).toContain(`| ${MOST_STEPS.toString().replace(/\B(?=(\d{3})+$)/g, ' ')} steps`);
  expect(text).toContain(`| ${LONGEST_TEXT / 1024 / 1024} MiB |`);
});
