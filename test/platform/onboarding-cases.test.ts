// The constructs produce the manifests of a platform with prefixed names; the adapter that compares them also finds differences.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accept, type Case } from '../../scripts/accept-platform/accept';
import { differencesOf } from '../../scripts/accept-platform/compare';
import { namesField } from '../../scripts/accept-platform/refused';

const FOLDER = join(__dirname, '../fixtures/platform/onboarding');
const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Case;
const full = read('full-dev1-custom-quotas');
const two = read('two-teams-operator-objects-dev1');
const platform = read('platform-database-administrator-dev1');

test.each(readdirSync(FOLDER).map((file) => file.replace('.json', '')))('%s', async (name) => expect(await accept(read(name))).toEqual([]));

const rejecting = ({ expected: _, corrections: __, ...one }: Case, inputs: Record<string, unknown>, field: string): Case =>
  ({ ...one, inputs: { ...one.inputs, ...inputs }, rejected: { field, why: 'is wrong' } });

test.each<[string, unknown]>([
  ['subscriptionId', ''],
  ['subscriptionId', 'azr-plt-dev1'],
  ['subscriptionName', ''],
  ['tenantId', ''],
  ['tenantId', 'defra'],
  ['location', ''],
  ['location', 'UK South'],
  ['clusterOidcIssuerUrl', ''],
  ['clusterOidcIssuerUrl', 'http://issuer'],
  ['platformNamespace', ''],
  ['platformNamespace', 'Flux_Config'],
  ['sharedResourceGroup', ''],
  ['serviceBusNamespace', ''],
  ['databaseResourceGroup', ''],
  ['postgresServer', ''],
  ['appConfigurationName', ''],
  ['appConfigurationIdentityClientId', ''],
  ['appConfigurationIdentityClientId', 'me'],
  ['identityPrefix', ''],
  ['serviceBusRoleDefinitionId', ''],
  ['serviceBusRoleDefinitionId', 'Writer'],
  ['databaseRoleDefinitionId', 'Writer'],
  ['databaseAdministrator', ''],
  ['databaseAdministrator', 'DB Admin'],
  ['namespace', ''],
  ['namespace', 'Agri_Permits'],
  ['namespace', 'flux-config'],
  ['namespace', 'a'.repeat(64)],
  ['teamName', ''],
  ['teamName', 'a'.repeat(64)],
  ['teamResourceGroup', ''],
  ['teamResourceGroup', 'ends-with.'],
  ['teamResourceGroup', 'g'.repeat(91)],
  ['teamIdentityClientId', ''],
  ['teamIdentityClientId', 'me'],
  ['cpuQuota', ''],
  ['cpuQuota', 'many'],
  ['cpuQuota', -1],
  ['memoryQuota', '3000MB'],
  ['podsQuota', 0],
  ['podsQuota', 2.5],
  ['podsQuota', 'many'],
  ['containerMaxCpu', '1m'],
  ['containerMaxMemory', '1000m'],
  ['operatorNamespace', ''],
  ['operatorServiceAccount', ''],
  ['operatorServiceAccount', 'The Operator'],
  ['trustedCertificates.keyFilter', undefined],
])('%s %j is refused by that name', async (field, value) => {
  const inputs = field.includes('.') ? { trustedCertificates: { ...full.inputs.trustedCertificates, keyFilter: '' } } : { [field]: value };
  expect(await accept(rejecting(full, inputs, field))).toEqual([]);
});

test.each([
  'subscriptionId',
  'subscriptionName',
  'tenantId',
  'clusterOidcIssuerUrl',
  'serviceBusNamespace',
  'databaseResourceGroup',
  'postgresServer',
  'appConfigurationName',
  'identityPrefix',
  'serviceBusRoleDefinitionId',
  'databaseRoleDefinitionId',
  'databaseAdministrator',
  'namespace',
  'teamResourceGroup',
  'teamIdentityClientId',
  'trustedCertificates.keyFilter',
])('%s that is missing is refused by that name', async (field) => {
  const [first = '', second] = field.split('.');
  const inputs = second === undefined ? { [first]: undefined } : { [first]: { ...full.inputs[first], [second]: undefined } };
  expect(await accept(rejecting(full, inputs, field))).toEqual([]);
});

test.each(['databaseAdministratorClientId', 'databaseAdministrator', 'databaseResourceGroup'])(
  'platform: %s that is missing is refused by that name',
  async (field) => expect(await accept(rejecting(platform, { [field]: undefined }, field))).toEqual([]),
);

test('an unknown part is refused by its place', async () => {
  expect(await accept(rejecting(full, { parts: ['namespace', 'kitchen'] }, 'parts[1]'))).toEqual([]);
  expect(await accept(rejecting(platform, { parts: ['kitchen'] }, 'parts[0]'))).toEqual([]);
});

test.each([
  ['namespace', 'fin-ledger'],
  ['teamResourceGroup', 'devpltinfrg1401-fin-ledger'],
  ['namespace', 'No'],
  ['teamIdentityClientId', ''],
])("the second team's %s %j is refused by its place", async (field, value) => {
  const [first, second] = two.inputs.teams;
  expect(await accept(rejecting(two, { teams: [first, { ...second, [field]: value }] }, `teams[1].${field}`))).toEqual([]);
});

test('a team that is there twice is refused by the place of the second', async () => {
  const [first] = two.inputs.teams;
  expect(await accept(rejecting(two, { teams: [first, first] }, 'teams[1].namespace'))).toEqual([]);
});

describe('the adapter says no', () => {
  test('to an object that is missing, one too many, and a value that differs', async () => {
    const [first, second, ...rest] = full.expected!;
    const wrong = { ...second, spec: { hard: { cpu: 1 } } };
    const said = await accept({ ...full, expected: [wrong, ...rest, { ...first, metadata: { ...first.metadata, name: 'other' } }] });
    expect(said).toEqual([
      expect.stringMatching(/^v1 ResourceQuota .* \/spec\/hard\/cpu: is "2000", expected "1"$/),
      expect.stringMatching(/\/spec\/hard\/memory: is "3000Mi", expected not there$/),
      expect.stringMatching(/\/spec\/hard\/pods/),
      expect.stringMatching(/^v1 \w+ other is missing$/),
      expect.stringMatching(/^v1 \w+ agri-permits is not expected$/),
    ]);
  });

  test('to what is accepted and was to be refused, and to what is refused for another reason', async () => {
    expect(await accept(rejecting(full, {}, 'namespace'))).toEqual([expect.stringContaining('has to be refused')]);
    expect(await accept(rejecting(full, { tenantId: 'x' }, 'namespace'))).toEqual([expect.stringContaining("not for 'namespace'")]);
    expect(await accept({ ...full, inputs: { ...full.inputs, tenantId: 'x' } })).toEqual([
      expect.stringMatching(/^was refused: .*tenantId/),
    ]);
  });

  test('to a correction of nothing, and to an unknown scope', async () => {
    const correction = { object: { apiVersion: 'v1', kind: 'Namespace', name: 'nobody' }, remove: true };
    expect(await accept({ ...full, corrections: [correction] })).toEqual(['v1 Namespace nobody is corrected, but not expected']);
    expect(await accept({ ...full, scope: 'kitchen' })).toEqual(['scope \'kitchen\' is not known']);
  });
});

describe('what is the same', () => {
  const secret = (more: object) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, ...more });
  const quota = (hard: object) => ({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard } });

  test('data and stringData; numbers and texts of quotas; empty labels and none; the order of objects; the case of ARM ids', () => {
    expect(differencesOf([secret({ stringData: { a: 'b' } })], [secret({ data: { a: 'Yg==' } })])).toEqual([]);
    expect(
      differencesOf([quota({ cpu: 1 }), secret({})], [{ ...secret({}), metadata: { name: 's', labels: {} } }, quota({ cpu: '1' })]),
    ).toEqual([]);
    expect(
      differencesOf([quota({ armId: '/subscriptions/a/resourcegroups/B' })], [quota({ armId: '/subscriptions/A/resourceGroups/b' })]),
    ).toEqual([]);
  });

  test('not: other data, the order in lists, a doubled object', () => {
    expect(differencesOf([secret({ stringData: { a: 'b' } })], [secret({ data: { a: 'Yw==' } })])).toHaveLength(1);
    expect(differencesOf([quota({ list: ['a', 'b'] })], [quota({ list: ['b', 'a'] })])).toHaveLength(2);
    expect(differencesOf([secret({})], [secret({}), secret({})])).toEqual(['v1 Secret s is not expected']);
  });

  test.each([
    ['a: namespace: is', 'namespace', true],
    ['teams[1].namespace: is', 'namespace', false],
    ['namespaces: is', 'namespace', false],
    ['a[0].b: is', 'a[0].b', true],
    ['a[0].b.c: is', 'a[0].b', false],
  ])('%s names %s: %s', (message, field, yes) => expect(namesField(message, field)).toBe(yes));
});
