import { account, changesOf, group, object } from './objects';
import { diffMarkdown } from '../../../cli/diff/markdown';
import { reportOf } from '../../../cli/diff/report';
import { looksSecret } from '../../../cli/diff/secret-looking';
import { diffText } from '../../../cli/diff/text';
import { styleFor } from '../../../cli/output/terminal';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

const SECRET = 'hunter2-hunter2';
const server = (administratorLoginPassword: unknown) =>
  object('dbforpostgresql.azure.com/v20250801', 'FlexibleServer', 'db', { owner: { name: 'rg' }, administratorLoginPassword });
const site = (value: string, name = 'DB_PASSWORD') =>
  object('web.azure.com/v1api20220301', 'Site', 'web', { owner: { name: 'rg' }, siteConfig: { appSettings: [{ name, value }] } });

/** Everything that any output says. */
function all(old: KubernetesObject, next: KubernetesObject): string {
  const changes = changesOf([group(), old], [group(), next]);
  const report = reportOf(changes, true);
  return [JSON.stringify(changes), diffText(report, styleFor({}, {})), diffMarkdown(report)].join('\n');
}

test('a reference to a secret: only that it changed, and where the secret is found', () => {
  const changes = changesOf([group(), server({ name: 'a', key: 'k' })], [group(), server({ name: 'b', key: 'k' })]);
  expect(changes.resources[0]?.properties).toEqual([
    { path: 'administratorLoginPassword', secret: 'reference', old: 'Secret a, key k', new: 'Secret b, key k' },
  ]);
});

test.each([
  ['instead of a reference', server({ name: 'a', key: 'k' }), server(SECRET)],
  ['in a setting', site('x'), site(SECRET)],
  ['in a setting, by what it is', site('x', 'DB'), site(`Server=x;Password=${SECRET}`, 'DB')],
  [
    'in an annotation',
    account('files', {}, { annotations: { 'db-password': 'x' } }),
    account('files', {}, { annotations: { 'db-password': SECRET } }),
  ],
  [
    'in a Secret',
    object('v1', 'Secret', 's', undefined, { stringData: { a: 'x' } }),
    object('v1', 'Secret', 's', undefined, { stringData: { a: SECRET } }),
  ],
  [
    'in an encoded Secret',
    object('v1', 'Secret', 's', undefined, { data: { a: 'x' } }),
    object('v1', 'Secret', 's', undefined, { data: { a: Buffer.from(SECRET).toString('base64') } }),
  ],
  [
    'in a pod',
    object('v1', 'Pod', 'p', { containers: [{ name: 'c', env: [{ name: 'API_KEY', value: 'x' }] }] }),
    object('v1', 'Pod', 'p', { containers: [{ name: 'c', env: [{ name: 'API_KEY', value: SECRET }] }] }),
  ],
])('a secret %s is not shown, but that it changed is', (_, old, next) => {
  for (const text of [all(old, next), all(next, old)]) {
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(Buffer.from(SECRET).toString('base64'));
    expect(text).toMatch(/"secret":"(value|reference)"/);
  }
});

test.each([
  'adminPassword',
  'connectionString',
  'storageAccountKey',
  'properties.sasToken',
  'settings[API_TOKEN].value',
  'osProfile.customData',
])('%s is a secret', (path) => expect(looksSecret(path, 'x')).toBe(true));
test.each(['sku.name', 'keyVaultProperties.keyName', 'tags.team', 'authConfig.passwordAuth', 'network.keys'])('%s is none', (path) => {
  if (path !== 'authConfig.passwordAuth') expect(looksSecret(path, 'x')).toBe(false);
  // Better once too often than once too seldom; numbers and switches are none.
  expect(looksSecret(path, true, 5)).toBe(false);
});
test.each([
  'DefaultEndpointsProtocol=https;AccountKey=abc',
  'https://x/?sv=1&sig=abc',
  'postgres://u:p@host/db',
  '-----BEGIN PRIVATE KEY-----',
  'eyJhbGciOiJIUzI1NiJ9.e30.x',
])('%s is a secret wherever it stands', (value) => expect(looksSecret('x', value)).toBe(true));
