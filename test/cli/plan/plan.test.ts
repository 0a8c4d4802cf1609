import fc from 'fast-check';
import { parseManifests } from '../../../cli/manifests/manifests';
import { formatProblem } from '../../../cli/output/problem';
import { plan } from '../../../cli/plan/plan';
import { planRequests } from '../../../cli/plan/requests';
import { captured, filesIn } from '../capture';

const SUBSCRIPTION = '11111111-1111-1111-1111-111111111111';
const RG = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg`;

const object = (apiVersion: string, kind: string, name: string, spec?: unknown, rest: Record<string, unknown> = {}) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'ns', ...(rest.metadata as object) },
  spec,
});
const group = (name = 'rg') => object('resources.azure.com/v1api20200601', 'ResourceGroup', name, { location: 'uksouth' });
const account = (name: string, spec: Record<string, unknown> = {}, rest = {}) =>
  object(
    'storage.azure.com/v20250601',
    'StorageAccount',
    name,
    { owner: { name: 'rg' }, location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, ...spec },
    rest,
  );
const extension = (name: string, owner: string) =>
  object('kubernetesconfiguration.azure.com/v1api20230501', 'Extension', name, {
    owner: { group: 'kubernetesconfiguration.azure.com', kind: 'Extension', name: owner },
  });
const identity = (name: string, spec: Record<string, unknown> = {}) =>
  object('managedidentity.azure.com/v1api20230131', 'UserAssignedIdentity', name, { owner: { name: 'rg' }, location: 'uksouth', ...spec });

function planned(...objects: unknown[]) {
  const { manifests, problems } = parseManifests(objects.map((o) => JSON.stringify(o)).join('\n---\n'), 'f.yaml');
  const result = planRequests(manifests, SUBSCRIPTION);
  const names = result.requests.map(({ manifest }) => manifest.object.metadata.name);
  return { ...result, names, lines: [...problems, ...result.problems].map(formatProblem) };
}

describe('order', () => {
  test('owner before owned, references and exports before users, whatever the order of the files', () => {
    const reader = identity('reader');
    const assignment = object('authorization.azure.com/v20220401', 'RoleAssignment', 'ra', {
      owner: { group: 'storage.azure.com', kind: 'StorageAccount', name: 'sa' },
      principalIdFromConfig: { name: 'id', key: 'principalId' },
      roleDefinitionReference: { wellKnownName: 'reader' },
    });
    const writer = identity('writer', { operatorSpec: { configMaps: { principalId: { name: 'id', key: 'principalId' } } } });
    const user = account('sa', {
      identity: {
        type: 'UserAssigned',
        userAssignedIdentities: [{ reference: { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity', name: 'reader' } }],
      },
    });
    const { names, lines, requests } = planned(assignment, user, writer, reader, group());
    expect(lines).toEqual([]);
    expect(names).toEqual(['rg', 'writer', 'reader', 'sa', 'ra']);
    expect(requests.at(-1)!.body).toMatchObject({
      properties: {
        principalId: '<configmap:id/principalId>',
        roleDefinitionId: `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7`,
      },
    });
    expect((requests[3]!.body as { identity: unknown }).identity).toEqual({
      type: 'UserAssigned',
      userAssignedIdentities: { [`${RG}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/reader`]: {} },
    });
  });

  test('any forest in any order: every owner comes first, and nothing is lost', () => {
    const forest = fc.array(fc.nat(), { minLength: 1, maxLength: 15 }).chain((parents) => {
      const objects = parents.map((parent, i) => {
        if (i === 0 || parent % 3 === 0) return group(`g${i}`);
        const owner = parent % i;
        return object('authorization.azure.com/v20220401', 'RoleAssignment', `g${i}`, {
          owner: {
            group: owner === 0 || parents[owner]! % 3 === 0 ? 'resources.azure.com' : 'authorization.azure.com',
            kind: owner === 0 || parents[owner]! % 3 === 0 ? 'ResourceGroup' : 'RoleAssignment',
            name: `g${owner}`,
          },
          principalId: 'p',
          roleDefinitionReference: { wellKnownName: 'Reader' },
        });
      });
      return fc.shuffledSubarray(objects, { minLength: objects.length });
    });
    fc.assert(fc.property(forest, (objects) => {
      const { requests, lines } = planned(...objects);
      expect(lines).toEqual([]);
      expect(requests).toHaveLength(objects.length);
      const seen = new Set<string>();
      for (const { path, manifest } of requests) {
        const owner = (manifest.object.spec as { owner?: { name: string } }).owner;
        if (owner) expect(seen).toContain(owner.name);
        seen.add(manifest.object.metadata.name);
        expect(path.endsWith(`/${path.split('/').at(-1)}`)).toBe(true);
      }
    }), { numRuns: 100 });
  });
});

describe('values that are not in the files', () => {
  test('secrets never show, even where the Secret stands in the files', () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', namespace: 'ns' },
      stringData: { password: 'hunter2' },
      data: { user: 'aHVudGVyMg==' },
    };
    const server = object('dbforpostgresql.azure.com/v20250801', 'FlexibleServer', 'pg', {
      owner: { name: 'rg' },
      location: 'uksouth',
      administratorLoginPassword: { name: 's', key: 'password' },
    });
    const { requests, lines } = planned(group(), secret, server);
    expect(lines).toEqual([]);
    expect(requests[1]?.body).toMatchObject({ properties: { administratorLoginPassword: '<secret:s/password>' } });
    expect(JSON.stringify(requests.map(({ body }) => body))).not.toMatch(/hunter2|aHVudGVyMg/);
  });

  test('a ConfigMap that stands in the files is read', () => {
    const configMap = (data: unknown) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'id', namespace: 'ns' }, data });
    const assignment = object('authorization.azure.com/v20220401', 'RoleAssignment', 'ra', {
      owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' },
      principalIdFromConfig: { name: 'id', key: 'p' },
      roleDefinitionReference: { wellKnownName: 'Reader' },
    });
    const body = (data: unknown) => planned(group(), configMap(data), assignment).requests[1]!.body;
    expect(body({ p: 'known' })).toHaveProperty('properties.principalId', 'known');
    expect(body({ other: 'x' })).toHaveProperty('properties.principalId', '<configmap:id/p>');
  });
});

test('what is skipped is only read: by its own annotation or its namespace\'s', () => {
  const skip = { metadata: { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' } } };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns', annotations: skip.metadata.annotations } };
  const methods = (...objects: unknown[]) => planned(...objects).requests.map(({ method, body }) => [method, body === undefined]);
  expect(methods(group(), account('sa', {}, skip))).toEqual([['PUT', false], ['GET', true]]);
  expect(methods(group(), namespace)).toEqual([['GET', true]]);
});

test('random names are known only later', () => {
  const assignment = (name: string) => object('authorization.azure.com/v20220401', 'RoleAssignment', name, {
    owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' },
    operatorSpec: { namingConvention: 'random' },
    principalId: 'p',
    roleDefinitionReference: { wellKnownName: 'Reader' },
  });
  const { requests, lines } = planned(group(), assignment('a'), assignment('b'));
  expect(lines).toEqual([]);
  expect(requests.map(({ path }) => path.split('/').at(-1))).toEqual(['rg', '<random:a>', '<random:b>']);
});

test('a vault that may be recovered is created, and the plan says so', () => {
  const vault = object('keyvault.azure.com/v1api20230701', 'Vault', 'v', {
    owner: { name: 'rg' },
    location: 'uksouth',
    properties: { createMode: 'createOrRecover', sku: { family: 'A', name: 'standard' }, tenantId: SUBSCRIPTION },
  });
  const { requests } = planned(group(), vault);
  expect(requests[1]?.body).toMatchObject({ properties: { createMode: 'default' } });
  expect(requests[1]?.notes).toEqual(['properties/createMode becomes "recover" instead when a deleted vault of this name can be recovered']);
});

describe('bad input: one line each, and the rest goes on', () => {
  test.each<[string, unknown[], RegExp[], string[]]>([
    [
      'group',
      [group(), { ...group('x'), apiVersion: 'resorces.azure.com/v1' }],
      [
        /^f\.yaml:3: ResourceGroup ns\/x: apiVersion: resorces\.azure\.com is no group of the catalog; write resources\.azure\.com\/v1api20200601$/,
      ],
      ['rg'],
    ],
    [
      'kind',
      [group(), { ...account('x'), kind: 'StorageAcount' }],
      [/kind: storage\.azure\.com has no kind StorageAcount; write kind StorageAccount$/],
      ['rg'],
    ],
    [
      'version',
      [group(), { ...account('x'), apiVersion: 'storage.azure.com/v1' }],
      [/apiVersion: StorageAccount has no version v1; use storage\.azure\.com\/v20250601, or one of /],
      ['rg'],
    ],
    [
      'unknown field',
      [group(), account('x', { tagz: {} })],
      [/StorageAccount ns\/x: spec\.tagz: is no field of this kind and version; did you mean tags\?$/],
      ['rg', 'x'],
    ],
    ['invalid field', [group(), account('x', { kind: 'V3' }), account('y')], [/spec\.kind: is not an allowed value/], ['rg', 'y']],
    [
      'owner not there',
      [group(), account('x', { owner: { name: 'other' } })],
      [/spec\.owner\.name: ResourceGroup ns\/other of group resources\.azure\.com is not in the files; add its file/],
      ['rg'],
    ],
    ['no owner', [account('x', { owner: undefined })], [/spec\.owner: is missing; add the name of a ResourceGroup/], []],
    [
      'owner cycle',
      [group(), extension('a', 'b'), extension('b', 'a')],
      [/spec\.owner: owners form a cycle: Extension ns\/a -> Extension ns\/b -> Extension ns\/a; give one of them another owner$/],
      ['rg'],
    ],
    [
      'reference not there',
      [
        group(),
        account('x', {
          identity: {
            type: 'UserAssigned',
            userAssignedIdentities: [{ reference: { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity', name: 'none' } }],
          },
        }),
      ],
      [
        /spec\.identity\.userAssignedIdentities\[0\]\.reference: UserAssignedIdentity ns\/none of group managedidentity\.azure\.com is not in the files/,
      ],
      ['rg'],
    ],
    [
      'half a reference',
      [group(), account('x', { identity: { type: 'UserAssigned', userAssignedIdentities: [{ reference: { name: 'none' } }] } })],
      [/\[0\]\.reference: when referencing a Kubernetes resource, /],
      ['rg'],
    ],
    [
      'role',
      [
        group(),
        object('authorization.azure.com/v20220401', 'RoleAssignment', 'ra', {
          owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' },
          principalId: 'p',
          roleDefinitionReference: { wellKnownName: 'Readr' },
        }),
      ],
      [/wellKnownName: "Readr" is no built-in role/],
      ['rg'],
    ],
    [
      'a name that would change the URL',
      [group(), identity('x', { azureName: '../../y' })],
      [/spec\.azureName: the Azure name .* has the character "\/", which no name in Azure may have.*; give another azureName$/],
      ['rg'],
    ],
    [
      'the same resource twice',
      [group(), account('x', { azureName: 'same' }), account('y', { azureName: 'SAME'.toLowerCase() })],
      [/StorageAccount ns\/y: spec\.azureName: is the same Azure resource as StorageAccount ns\/x/],
      ['rg', 'x', 'y'],
    ],
  ])('%s', (_, objects, lines, names) => {
    const result = planned(...objects);
    expect(result.lines).toEqual(lines.map((line) => expect.stringMatching(line)));
    expect(result.names).toEqual(names);
  });

  test('what an object cannot have for its owner\'s sake has a line too', () => {
    const { lines, names } = planned(
      group(),
      account('sa', { owner: { name: 'other' } }),
      object('storage.azure.com/v20250601', 'StorageAccountsBlobService', 'b', { owner: { name: 'sa' } }),
    );
    expect(lines).toHaveLength(2);
    expect(names).toEqual(['rg']);
  });

  test('an owner in another namespace is none', () => {
    const elsewhere = { ...group(), metadata: { name: 'rg', namespace: 'other' } };
    expect(planned(elsewhere, account('sa')).lines).toEqual([
      expect.stringContaining('ResourceGroup ns/rg of group resources.azure.com is not in the files'),
    ]);
  });
});

describe('what is printed', () => {
  const directory = filesIn({
    'a.yaml': [group(), account('sa')].map((o) => JSON.stringify(o)).join('\n---\n'),
    'b.yaml': JSON.stringify(object('entra.azure.com/v1', 'SecurityGroup', 'team', { displayName: 'x', mailNickname: 'x' })),
  });

  test('JSON', () => {
    const terminal = captured();
    expect(plan([directory], { output: 'json' }, terminal, { AZURE_SUBSCRIPTION_ID: SUBSCRIPTION })).toBe(0);
    expect(JSON.parse(terminal.out.join('\n'))).toEqual([
      {
        apiVersion: 'resources.azure.com/v1api20200601',
        kind: 'ResourceGroup',
        namespace: 'ns',
        name: 'rg',
        method: 'PUT',
        path: RG,
        armApiVersion: '2020-06-01',
        body: { name: 'rg', location: 'uksouth' },
        readyAfterSeconds: 1,
      },
      expect.objectContaining({
        kind: 'StorageAccount',
        name: 'sa',
        path: `${RG}/providers/Microsoft.Storage/storageAccounts/sa`,
        armApiVersion: '2025-06-01',
        readyAfterSeconds: 31.1,
      }),
    ]);
  });

  test('text', () => {
    const terminal = captured();
    expect(plan([directory], { output: 'text', subscription: SUBSCRIPTION }, terminal, {})).toBe(0);
    const text = terminal.out.join('\n');
    expect(text).toContain(
      `# ResourceGroup ns/rg (${directory}/a.yaml:1)\nPUT ${RG}?api-version=2020-06-01\n{\n  "location": "uksouth",\n  "name": "rg"\n}`,
    );
    expect(text).toContain(`# SecurityGroup ns/team (${directory}/b.yaml:1): SecurityGroup is not an ARM resource`);
    expect(text).toContain(
      'Plan: 2 resources to create or update, 1 object without a request.\nReady after about 31 s: ResourceGroup rg → StorageAccount sa.',
    );
    expect(text).not.toContain('No subscription was given');
    expect(terminal.err).toEqual([]);
  });

  test('problems go to the standard error, in the order of the files', () => {
    const bad = filesIn({
      'a.yaml': 'x: [',
      'b.yaml': [account('sa', { kind: 'V3' }), account('sb', { owner: { name: 'none' } })].map((o) => JSON.stringify(o)).join('\n---\n'),
    });
    const terminal = captured();
    expect(plan([`${bad}/b.yaml`, `${bad}/a.yaml`], { output: 'text' }, terminal, {})).toBe(1);
    expect(terminal.err.map((line) => line.split(': ')[0]!.replace(bad, ''))).toEqual(['/a.yaml:1', '/b.yaml:1', '/b.yaml:3']);
    expect(terminal.out.join('\n')).toContain('0 resources to create or update, 3 problems');
  });

  test('one problem is enough for the exit status 1', () => {
    const terminal = captured();
    expect(plan([filesIn({ 'a.yaml': JSON.stringify(account('sb', { owner: { name: 'none' } })) })], { output: 'text' }, terminal, {})).toBe(1);
    expect(terminal.err).toHaveLength(1);
  });
});
