import fc from 'fast-check';
import { account, exporting, group, identity, object, role, TestEnvironment } from './environment';
import { planLive } from '../../../../cli/plan/live/plan-live';
import { printableValues } from '../../../../cli/plan/live/printable-values';
import { plan } from '../../../../cli/plan/plan';
import type { Shape } from '../../../../engine/compare';
import { GROUP } from '../../../sandbox/azure/client';
import { captured } from '../../capture';

const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/files4711`;
const IDENTITY = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/reader`;

let environment: TestEnvironment;
beforeEach(async () => {
  environment = await TestEnvironment.start({ timeScale: 3600 });
});
afterEach(async () => {
  // A plan only reads.
  expect(new Set(environment.sent.map(({ method }) => method))).toEqual(new Set(environment.sent.length > 0 ? ['GET'] : []));
  await environment.close();
});

async function apply(path: string, body: unknown): Promise<void> {
  const reply = await environment.azure.put(path, body);
  expect([path, reply.status < 300, reply.body.error]).toEqual([path, true, undefined]);
  environment.azure.clock.advance(3600);
  await environment.azure.login();
  await environment.azure.get(path);
}
const applyAccount = (changes: Record<string, unknown> = {}) =>
  apply(ACCOUNT, { location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, properties: {}, ...changes });

test('what is not in Azure is created', async () => {
  const { status, out, err } = await environment.plan([group(), account()]);
  expect([status, err]).toEqual([0, []]);
  expect(out).toBe([
    'Create (2)',
    '  + ResourceGroup ns/group',
    `      ${GROUP}`,
    '  + StorageAccount ns/files',
    `      ${ACCOUNT}`,
    '',
    'Summary: 2 to create, 0 to update, 0 without change, 0 unknown.',
  ].join('\n'));
  expect(environment.sent.map(({ url }) => url).sort()).toEqual([GROUP, ACCOUNT].sort());
});

test('what is as it is wanted is left alone; what differs is said by its path', async () => {
  await environment.azure.group();
  await applyAccount();
  expect((await environment.plan([group(), account()])).out).toContain('No change (2)');
  const { files, group: unchanged } = await environment.changes([
    group(),
    account({ sku: { name: 'Standard_GRS' }, minimumTlsVersion: 'TLS1_2', tags: { team: 'a' } }),
  ]);
  expect(unchanged?.change).toBe('noChange');
  expect([files!.change, files!.armId]).toEqual(['update', ACCOUNT]);
  expect(files!.properties).toEqual(expect.arrayContaining([
    { path: '/sku/name', old: 'Standard_LRS', new: 'Standard_GRS' },
    { path: '/properties/minimumTlsVersion', new: 'TLS1_2' },
  ]));
  expect(files!.properties.map(({ path }) => path).sort()).toEqual(['/properties/minimumTlsVersion', '/sku/name', '/tags']);
});

test('a value that somebody put in is never shown', async () => {
  await environment.azure.group();
  await applyAccount({ tags: { setting: 'hunter1', number: '5' } });
  for (const output of ['text', 'json', 'markdown'] as const) {
    const { out } = await environment.plan([group(), account({ tags: { setting: 'hunter2', number: '6' } })], { output });
    expect(out).toContain('/tags/setting');
    expect(out).not.toMatch(/hunter|"[56]"/);
  }
});

test('--exit-code tells changes from none; without it they are no failure', async () => {
  const status = async (options: object, ...objects: unknown[]) => (await environment.plan(objects, options)).status;
  expect(await status({ exitCode: true }, group())).toBe(1);
  expect(await status({}, group())).toBe(0);
  await environment.azure.group();
  expect(await status({ exitCode: true }, group())).toBe(0);
  const broken = object('resources.azure.com/v1api20200601', 'ResourceGroop', 'x', {});
  expect(await status({ exitCode: true }, group(), broken)).toBe(2);
  expect(await status({}, group(), broken)).toBe(1);
});

test('a value that another object exports is taken from Azure, and unknown until it is there', async () => {
  await environment.azure.group();
  const objects = [group(), identity(exporting), role()];
  expect(await environment.changes(objects)).toMatchObject({ reader: { change: 'create' }, role: { change: 'create' } });

  await apply(IDENTITY, { location: 'uksouth' });
  const { principalId } = (await environment.azure.get(IDENTITY)).body.properties;
  const roleId = `${GROUP}/providers/Microsoft.Authorization/roleAssignments/2f0f1ff6-7a0f-4a4e-9ab4-0c0b0f1f2a3b`;
  const definition = '/subscriptions/00000000-0000-0000-0000-000000000000/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7';
  await apply(roleId, { properties: { principalId, roleDefinitionId: definition } });
  expect((await environment.changes(objects)).role).toMatchObject({ change: 'noChange', properties: [] });

  const [, , withoutSource] = objects;
  expect((await environment.changes([group(), identity(), withoutSource])).role).toMatchObject({
    change: 'unknown',
    properties: [{ path: '/properties/principalId', unknown: 'key principalId of ConfigMap outputs' }],
  });
  // A ConfigMap of the files goes first.
  const other = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'outputs', namespace: 'ns' },
    data: { principalId: '11111111-2222-3333-4444-555555555555' },
  };
  expect((await environment.changes([...objects, other])).role).toMatchObject({
    change: 'update',
    properties: [{ path: '/properties/principalId' }],
  });
});

test('what may not be read is unknown, with the reason, and a failure', async () => {
  await environment.azure.group();
  environment.azure.simulator.faults.add({
    path: 'storageAccounts',
    status: 403,
    code: 'AuthorizationFailed',
    message: 'The client does not have authorization.',
  });
  const { status, out } = await environment.plan([group(), account()], { exitCode: true });
  expect(status).toBe(2);
  expect(out).toContain('Unknown (1)\n  ? StorageAccount ns/files');
  expect(out).toContain(
    'AuthorizationFailed: The client does not have authorization. (the identity that reads needs the role Reader there)',
  );
});

test('policies: skip is only read, IfPresent creates nothing', async () => {
  const skip = { 'serviceoperator.azure.com/reconcile-policy': 'skip' };
  const present = { 'aso.cdk8s.io/adopt': 'IfPresent' };
  const before = await environment.changes([group({}, skip), account({}, present)]);
  expect(before).toMatchObject({
    group: { change: 'noChange', notes: [expect.stringContaining('skip')] },
    files: { change: 'noChange', notes: [expect.stringContaining('IfPresent')] },
  });
});

test('ids lie in the subscription of the credential that is among the files', async () => {
  const other = '99999999-9999-9999-9999-999999999999';
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'aso-credential', namespace: 'ns' },
    stringData: { AZURE_SUBSCRIPTION_ID: other, AZURE_CLIENT_SECRET: 'hunter2' },
  };
  const { out } = await environment.plan([group(), secret], { output: 'json' });
  expect(JSON.parse(out).changes[0].armId).toBe(`/subscriptions/${other}/resourceGroups/group`);
  expect(out).not.toContain('hunter2');
});

test('a name that only the cluster can make is unknown', async () => {
  const assignment = object('authorization.azure.com/v20220401', 'RoleAssignment', 'role', {
    operatorSpec: { namingConvention: 'random' },
    owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'group' },
    principalId: '11111111-2222-3333-4444-555555555555',
    roleDefinitionReference: { wellKnownName: 'Reader' },
  });
  const { role: random } = await environment.changes([group(), assignment]);
  expect(random).toMatchObject({ change: 'unknown', reason: expect.stringContaining('the uid that the cluster gives the object') });
  expect(random!.armId).toBeUndefined();
  expect(environment.sent.map(({ url }) => url)).toEqual([GROUP]);
});

test('a name that an export gives is read in a later round', async () => {
  const server = `${GROUP}/providers/Microsoft.DBforPostgreSQL/flexibleServers/db`;
  const administrator = object('dbforpostgresql.azure.com/v20250801', 'FlexibleServersAdministrator', 'admin', {
    owner: { armId: server },
    azureNameFromConfig: { name: 'outputs', key: 'principalId' },
    principalType: 'ServicePrincipal',
  });
  const objects = [group(), identity(exporting), administrator];
  await environment.azure.group();
  expect((await environment.changes(objects)).admin).toMatchObject({
    change: 'unknown',
    reason: expect.stringContaining('key principalId of ConfigMap outputs'),
  });
  await apply(IDENTITY, { location: 'uksouth' });
  const { principalId } = (await environment.azure.get(IDENTITY)).body.properties;
  expect((await environment.changes(objects)).admin).toMatchObject({ change: 'create', armId: `${server}/administrators/${principalId}` });
});

test('what failed in Azure is sent again', async () => {
  await environment.azure.group();
  environment.azure.simulator.faults.add({
    method: 'GET',
    path: 'resourceGroups',
    times: 9,
    status: 200,
    text: JSON.stringify({ name: 'group', location: 'uksouth', properties: { provisioningState: 'Failed' } }),
  });
  expect((await environment.changes([group()])).group).toMatchObject({
    change: 'update',
    properties: [],
    notes: ['its state is Failed: it is sent again'],
  });
});

test('without a token it is said once, without a subscription at once, and nothing to plan is a wrong command line', async () => {
  const settings = { ...environment.azure.simulator.env, AZURE_TENANT_ID: 'no tenant' };
  const terminal = captured();
  expect(await planLive([__dirname], { output: 'text', live: true }, terminal, settings)).toBe(1);
  expect([terminal.out, terminal.err]).toEqual([[], [expect.stringMatching(/^the environment: key "AZURE_TENANT_ID" is no tenant/)]]);
  await expect(planLive([], { output: 'text', live: true }, captured(), {})).rejects.toThrow('--subscription or AZURE_SUBSCRIPTION_ID');
  const live = (options: object) => planLive([], { output: 'text', live: true, ...options }, captured(), settings);
  await expect(live({})).rejects.toThrow('--cluster');
  await expect(live({ prune: true, cluster: true })).rejects.toThrow('--prune needs files');
  await expect(planLive([__dirname], { output: 'text', live: true, namespace: 'shop' }, captured(), settings)).rejects.toThrow(
    '--namespace needs --cluster',
  );
  expect(() => plan([], { output: 'text', cluster: true }, captured(), {})).toThrow('--cluster is for plan --live');
  expect(() => plan([], { output: 'text' }, captured(), {})).toThrow('give files');
  expect(() => plan([], { output: 'text', exitCode: true }, captured(), {})).toThrow('plan --live');
});

describe('values', () => {
  const shape: Shape = {
    members: new Map<string, Shape>([
      ['location', { spelling: 'region' }],
      ['tags', { values: { spelling: 'exact' } }],
      ['sku', { members: new Map([['name', {}]]) }],
      [
        'properties',
        {
          members: new Map<string, Shape>([
            ['mode', { word: true }],
            ['target', { id: true }],
            ['env', { element: { members: new Map([['value', {}]]) } }],
          ]),
        },
      ],
    ]),
  };
  const printableOf = (path: string, wanted: unknown, actual?: unknown) => printableValues({ path, wanted, actual }, shape);

  test('of words, numbers, ids, locations and SKUs are shown', () => {
    expect(printableOf('/properties/mode', 'On', 'Off')).toEqual({ new: 'On', old: 'Off' });
    expect(printableOf('/properties/count', 3, 2)).toEqual({ new: '3', old: '2' });
    expect(printableOf('/properties/on', true)).toEqual({ new: 'true' });
    expect(printableOf('/sku/name', 'P1', 'P2')).toEqual({ new: 'P1', old: 'P2' });
    expect(printableOf('/location', 'uksouth', 'ukwest')).toEqual({ new: 'uksouth', old: 'ukwest' });
    expect(printableOf('/properties/target', GROUP)).toEqual({ new: GROUP });
  });

  test('of all else are not', () => {
    fc.assert(fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (wanted, actual) => {
      expect(printableOf('/tags/team', wanted, actual)).toEqual({});
      expect(printableOf('/tags/location', wanted, actual)).toEqual({});
      expect(printableOf('/properties/env/0/value', wanted, actual)).toEqual({});
      expect(printableOf('/properties/env', [{ value: wanted }], [])).toEqual({});
    }));
    expect(printableOf('/properties/mode', '-----BEGIN PRIVATE KEY', 'Off')).toEqual({});
  });
});
