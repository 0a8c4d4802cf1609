import {
  account,
  advised,
  assignment,
  changesOf,
  detach,
  fates,
  federation,
  group,
  GROUP_ID,
  identity,
  namespace,
  object,
  OTHER_SUBSCRIPTION,
  POLICY,
  skip,
} from './objects';

const none = { created: 0, adopted: 0, watched: 0, changed: 0, refused: 0, deleted: 0, dataLost: 0, kept: 0, moved: 0 };
const ID = `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/shopfiles`;
const net = (name: string, spec: Record<string, unknown> = {}) =>
  object('network.azure.com/v1api20240301', 'VirtualNetwork', name, { owner: { name: 'rg' }, location: 'uksouth', ...spec });

describe('what comes and goes', () => {
  test('a network has its addresses, whether it comes or goes', () => {
    const addressed = net('one', { addressSpace: { addressPrefixes: ['10.0.0.0/16', '10.1.0.0/16'] } });
    const ranges = { addressRanges: ['10.0.0.0/16', '10.1.0.0/16'] };
    expect(changesOf([group()], [group(), addressed]).resources).toMatchObject([{ fate: 'created', ...ranges }]);
    expect(changesOf([group(), addressed], [group()]).resources).toMatchObject([{ fate: 'deleted', ...ranges }]);
  });
  test.each([
    ['created', [group()], [group(), account()], { created: 1 }, ['created StorageAccount shop/files']],
    ['only read', [group()], [group(), account('files', {}, skip)], { watched: 1 }, ['watched StorageAccount shop/files']],
    [
      'taken over',
      [group()],
      [group(), account('files', {}, { annotations: { 'aso.cdk8s.io/adopt': 'IfPresent' } })],
      { adopted: 1 },
      ['adopted StorageAccount shop/files'],
    ],
    ['deleted with data', [group(), account()], [group()], { deleted: 1, dataLost: 1 }, ['deleted StorageAccount shop/files']],
    ['deleted without data', [group(), identity()], [group()], { deleted: 1 }, ['deleted UserAssignedIdentity shop/api']],
    ['kept: detach-on-delete', [group(), account('files', {}, detach)], [group()], { kept: 1 }, ['kept StorageAccount shop/files']],
    ['kept: skip', [group(), account('files', {}, skip)], [group()], { kept: 1 }, ['kept StorageAccount shop/files']],
    [
      'kept: the policy of the Namespace',
      [namespace('shop', { [POLICY]: 'detach-on-delete' }), group(), account()],
      [namespace('shop', { [POLICY]: 'detach-on-delete' }), group()],
      { kept: 1 },
      ['kept StorageAccount shop/files'],
    ],
    [
      'deleted: the Namespace keeps no longer',
      [namespace('shop', { [POLICY]: 'skip' }), group(), account()],
      [namespace(), group()],
      { deleted: 1, dataLost: 1 },
      ['deleted StorageAccount shop/files', 'policy ResourceGroup shop/rg'],
    ],
    [
      'deleted: a policy that is none',
      [group(), account('files', {}, { annotations: { [POLICY]: 'detach' } })],
      [group()],
      { deleted: 1, dataLost: 1 },
      ['deleted StorageAccount shop/files'],
    ],
    [
      'kept: protected',
      [group(), account('files', {}, { annotations: { 'aso.cdk8s.io/removal-policy': 'protect' } })],
      [group()],
      { kept: 1 },
      ['kept StorageAccount shop/files'],
    ],
  ])('%s', (_, old, next, summary, expected) => {
    const changes = changesOf(old, next);
    expect(fates(changes)).toEqual(expected);
    expect(changes.summary).toMatchObject({ ...none, ...summary });
  });

  test('data first, then what holds data, then the rest', () => {
    const changes = changesOf([group(), account(), identity('aaa')], []);
    expect(fates(changes)).toEqual([
      'deleted ResourceGroup shop/rg',
      'deleted StorageAccount shop/files',
      'deleted UserAssignedIdentity shop/aaa',
    ]);
    expect(changes.resources.map(({ dataLost }) => dataLost)).toEqual([
      'all that is in the group',
      'its blobs, files, queues and tables',
      undefined,
    ]);
  });

  test('a deletion says how to keep the resource', () => {
    const [found] = changesOf([group(), account()], [group()]).resources;
    expect(found).toMatchObject({ armId: ID, dataLost: 'its blobs, files, queues and tables' });
    expect(advised(found!)).toMatch(/policy is manage.*; to keep the resource, first apply .*detach-on-delete/);
  });

  test('an owner that is deleted takes along what is to be kept', () => {
    const changes = changesOf([group(), account('files', {}, detach)], []);
    expect(fates(changes)).toEqual(['deleted ResourceGroup shop/rg', 'deleted StorageAccount shop/files']);
    expect(advised(changes.resources[1]!)).toContain('together with its owner ResourceGroup shop/rg, whatever its own policy is');
  });

  test('an owner that is deleted takes along what stays among the objects', () => {
    const stays = account('files', { owner: { armId: GROUP_ID } });
    const changes = changesOf([group(), stays], [stays]);
    expect(fates(changes)).toEqual(['deleted ResourceGroup shop/rg']);
    expect(changes.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('StorageAccount shop/files stays among the objects, but lies in ResourceGroup shop/rg'),
    ]);
    expect(changesOf([group('rg', {}, detach), stays], [stays]).warnings).toEqual([]);
  });

  test('a kind without DELETE', () => {
    const settings = object('storage.azure.com/v20250601', 'StorageAccountsBlobService', 'blobs', { owner: { name: 'files' } });
    const changes = changesOf([group(), account(), settings], [group(), account()]);
    expect(fates(changes)).toEqual(['kept StorageAccountsBlobService shop/blobs']);
    expect(advised(changes.resources[0]!)).toContain('hangs in deletion');
  });

  test('a kind that the catalog does not have, in a group that it has', () => {
    const future = (size: number) => object('storage.azure.com/v20990101', 'Hologram', 'x', { size });
    expect(fates(changesOf([future(1)], []))).toEqual(['deleted Hologram shop/x']);
    expect(changesOf([future(1)], [future(2)]).resources[0]).toMatchObject({
      fate: 'changed',
      properties: [{ path: 'size', old: 1, new: 2 }],
    });
  });

  test('other operators of groups that end alike', () => {
    const pool = object('karpenter.azure.com/v1beta1', 'AKSNodeClass', 'x', { a: 1 });
    expect(changesOf([pool], [])).toMatchObject({ resources: [], otherObjects: [{ change: 'removed', kind: 'AKSNodeClass' }] });
  });
});

describe('what is changed', () => {
  const subnets = (...reference: unknown[]) => ({ networkAcls: { defaultAction: 'Deny', virtualNetworkRules: reference } });
  test.each([
    [
      'a value',
      account(),
      account('files', { sku: { name: 'Standard_GRS' } }),
      [{ path: 'sku.name', old: 'Standard_LRS', new: 'Standard_GRS' }],
    ],
    ['added', account(), account('files', { tags: { team: 'a' } }), [{ path: 'tags.team', new: 'a' }]],
    [
      'removed',
      account('files', { encryption: { services: { blob: { enabled: true } } } }),
      account(),
      [{ path: 'encryption.services.blob.enabled', old: true }],
    ],
    [
      'a key with characters of its own',
      account('files', { tags: { 'a.b': '1' } }),
      account('files', { tags: { 'a.b': '2' } }),
      [{ path: 'tags["a.b"]', old: '1', new: '2' }],
    ],
    ['a type', account('files', { accessTier: 1 }), account('files', { accessTier: '1' }), [{ path: 'accessTier', old: 1, new: '1' }]],
    [
      'a list of texts',
      account('files', { networkAcls: { ipRules: ['a'] } }),
      account('files', { networkAcls: { ipRules: ['a', 'b'] } }),
      [{ path: 'networkAcls.ipRules', old: ['a'], new: ['a', 'b'] }],
    ],
    [
      'elements by name, wherever they stand',
      net('net', {
        subnets: [
          { name: 'a', x: 1 },
          { name: 'b', x: 1 },
        ],
      }),
      net('net', {
        subnets: [
          { name: 'b', x: 2 },
          { name: 'a', x: 1 },
          { name: 'c', x: 3 },
        ],
      }),
      [
        { path: 'subnets[b].x', old: 1, new: 2 },
        { path: 'subnets[c].name', new: 'c' },
        { path: 'subnets[c].x', new: 3 },
      ],
    ],
    [
      'elements without names, by place',
      account('files', subnets({ action: 'Allow' })),
      account('files', subnets({ action: 'Deny' }, { action: 'Allow' })),
      [
        { path: 'networkAcls.virtualNetworkRules[0].action', old: 'Allow', new: 'Deny' },
        { path: 'networkAcls.virtualNetworkRules[1].action', new: 'Allow' },
      ],
    ],
    ['a null is what is left out', account('files', { tags: null }), account(), []],
    ['a region spelled for people', account(), account('files', { location: 'UK South' }), []],
    ['a name that is only written down', account('shopfiles', { azureName: undefined }), account('shopfiles'), []],
  ])('%s', (_, old, next, properties) => {
    const { resources } = changesOf([group(), old], [group(), next]);
    expect(resources).toEqual(properties.length === 0 ? [] : [expect.objectContaining({ fate: 'changed', properties })]);
  });

  test('references: by what they mean', () => {
    const by = (...references: unknown[]) =>
      account('files', { identity: { type: 'UserAssigned', userAssignedIdentities: references.map((reference) => ({ reference })) } });
    const named = (name: string) => ({ group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity', name });
    const id = { armId: `${GROUP_ID}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/api` };
    const all = [group(), identity('api'), identity('web')];
    expect(changesOf([...all, by(named('api'), named('web'))], [...all, by(named('web'), id)]).resources).toEqual([]);
    expect(changesOf([...all, by(named('api'))], [...all, by(named('web'))]).resources[0]?.properties).toEqual([
      { path: 'identity.userAssignedIdentities[]', old: 'UserAssignedIdentity shop/api' },
      { path: 'identity.userAssignedIdentities[]', new: 'UserAssignedIdentity shop/web' },
    ]);
  });

  test('under skip nothing is sent', () => {
    expect(
      advised(changesOf([group(), account('files', {}, skip)], [group(), account('files', { sku: { name: 'X' } }, skip)]).resources[0]!),
    ).toContain('nothing of this is sent');
  });

  test.each([
    [
      'policy',
      account('files', {}, skip),
      account(),
      { policy: { old: 'skip', new: 'manage' } },
      'deleting the object deletes the resource',
    ],
    [
      'apiVersion',
      account('files', {}, { apiVersion: 'storage.azure.com/v1api20230101' }),
      account(),
      { apiVersion: { old: 'storage.azure.com/v1api20230101', new: 'storage.azure.com/v20250601' } },
      '',
    ],
    [
      'exports',
      identity(),
      identity('api', { operatorSpec: undefined }),
      {
        properties: [
          { path: 'operatorSpec.configMaps.principalId.key', old: 'principalId' },
          { path: 'operatorSpec.configMaps.principalId.name', old: 'api-ids' },
        ],
      },
      '',
    ],
  ])('%s alone: nothing changes in Azure', (fate, old, next, expected, text) => {
    const changes = changesOf([group(), old], [group(), next]);
    expect(changes.resources).toEqual([expect.objectContaining({ fate, ...expected })]);
    expect(changes.summary).toMatchObject(none);
    expect(advised(changes.resources[0]!)).toContain(text);
  });

  test('another API version and another value', () => {
    const old = account('files', {}, { apiVersion: 'storage.azure.com/v1api20230101' });
    expect(changesOf([group(), old], [group(), account('files', { sku: { name: 'Standard_GRS' } })]).resources).toEqual([
      expect.objectContaining({
        fate: 'changed',
        apiVersion: expect.anything(),
        properties: [{ path: 'sku.name', old: 'Standard_LRS', new: 'Standard_GRS' }],
      }),
    ]);
  });
});

describe('what cannot be changed in place', () => {
  const other = group('other');
  test.each([
    [
      'azureName',
      account(),
      account('files', { azureName: 'else' }),
      /name in Azure would be else instead of shopfiles.*spec\.azureName; .*another name.*detach-on-delete/,
    ],
    ['azureName left out', account(), account('files', { azureName: undefined }), /would be files instead of shopfiles/],
    [
      'owner',
      account(),
      account('files', { owner: { name: 'other' } }),
      /owner would be ResourceGroup shop\/other instead of ResourceGroup shop\/rg/,
    ],
    [
      'owner by id',
      account(),
      account('files', { owner: { armId: GROUP_ID } }),
      /the same resource, but is written otherwise.*; write the owner as before/,
    ],
    [
      'owner by another id',
      account('files', { owner: { armId: GROUP_ID } }),
      account('files', { owner: { armId: `/subscriptions/${OTHER_SUBSCRIPTION}/resourceGroups/x` } }),
      /owner would be resource group x instead of ResourceGroup shop\/rg/,
    ],
    [
      'location',
      account(),
      account('files', { location: 'ukwest' }),
      /another location \(ukwest instead of uksouth\).*; keep the location/,
    ],
  ])('%s', (_, old, next, message) => {
    const changes = changesOf([group(), other, old], [group(), other, next]);
    expect(fates(changes)).toEqual(['refused StorageAccount shop/files']);
    expect(changes.summary).toMatchObject({ ...none, refused: 1 });
    expect(advised(changes.resources[0]!)).toMatch(message);
  });

  test('a name that is worked out stays what it is', () => {
    const definition = (apiVersion: string) => object(apiVersion, 'RoleDefinition', 'x', { owner: { armId: GROUP_ID } });
    const changes = changesOf([definition('authorization.azure.com/v1api20220401')], [definition('authorization.azure.com/v20220401')]);
    expect(fates(changes)).toEqual(['apiVersion RoleDefinition shop/x']);
  });

  test('of a federated credential as of anything else', () => {
    expect(
      fates(
        changesOf(
          [group(), identity(), federation('pods', { azureName: 'a' })],
          [group(), identity(), federation('pods', { azureName: 'b' })],
        ),
      ),
    ).toEqual(['refused FederatedIdentityCredential shop/pods']);
  });
});

describe('what moves', () => {
  const there = { namespace: 'new' };
  const moved = (old: object[], next: object[], subscription?: string | null) => changesOf(old as never, next as never, subscription);

  test('to another name, its object being deleted: that would delete the resource', () => {
    const changes = moved([group(), account('old')], [group(), account('new')]);
    expect(changes.resources).toEqual([
      expect.objectContaining({
        fate: 'moved',
        name: 'new',
        from: expect.objectContaining({ name: 'old' }),
        armId: ID,
        dataLost: 'its blobs, files, queues and tables',
        properties: [],
      }),
    ]);
    expect(advised(changes.resources[0]!)).toMatch(
      /removing StorageAccount shop\/old deletes the resource.*which StorageAccount shop\/new stands for.*; first apply .*: skip/,
    );
    expect(changes.summary).toMatchObject({ ...none, moved: 1 });
    expect(changes.warnings).toEqual([]);
  });

  test.each([['skip', skip], ['detach-on-delete', detach]])('under %s it is safe', (policy, more) => {
    const changes = moved([group(), account('old', {}, more)], [group(), account('new', { sku: { name: 'X' } })]);
    expect(fates(changes)).toEqual(['moved StorageAccount shop/new']);
    expect(advised(changes.resources[0]!)).toContain(`leaves the resource: its policy is ${policy}`);
    expect(changes.resources[0]).toMatchObject({ properties: [{ path: 'sku.name' }] });
    expect(changes.resources[0]!.dataLost).toBeUndefined();
  });

  test('to another namespace, with its owner; case does not matter', () => {
    const changes = moved(
      [group('rg', {}, skip), account('files', {}, skip)],
      [group('rg', { azureName: 'RG' }, there), account('files', {}, there)],
    );
    expect(fates(changes)).toEqual(['moved ResourceGroup new/rg', 'moved StorageAccount new/files']);
    expect(advised(changes.resources[1]!)).not.toContain('subscription');
  });

  test('where nobody says which subscription, that is said', () => {
    const changes = moved(
      [account('files', { owner: undefined }), group('rg', {}, skip)],
      [account('files', { owner: undefined }), group('rg', {}, there)],
      null,
    );
    expect(fates(changes)).toEqual(['moved ResourceGroup new/rg']);
    expect(advised(changes.resources[0]!)).toContain('no credential among the objects has the subscription');
  });

  test('another subscription is another resource', () => {
    const secret = (where: string, id: string) =>
      object('v1', 'Secret', 'aso-credential', undefined, { namespace: where, stringData: { AZURE_SUBSCRIPTION_ID: id } });
    const secrets = [secret('shop', GROUP_ID.split('/')[2]!), secret('new', OTHER_SUBSCRIPTION)];
    expect(fates(moved([...secrets, group()], [...secrets, group('rg', {}, there)]))).toEqual([
      'deleted ResourceGroup shop/rg',
      'created ResourceGroup new/rg',
    ]);
  });

  test('one step after the other: the new object beside the old one, then without it', () => {
    const beside = moved([group(), account('old')], [group(), account('old'), account('new')]);
    expect(fates(beside)).toEqual(['moved StorageAccount shop/new']);
    expect(advised(beside.resources[0]!)).toContain('manage the same resource');
    expect(beside.warnings).toEqual([]);
    const watched = moved([group(), account('old')], [group(), account('old', {}, skip), account('new')]);
    expect(advised(watched.resources.find(({ fate }) => fate === 'moved')!)).toContain('stands for the same resource');
    const gone = moved([group(), account('old', {}, skip), account('new')], [group(), account('new')]);
    expect(fates(gone)).toEqual(['moved StorageAccount shop/new']);
    expect(advised(gone.resources[0]!)).toContain('leaves the resource');
    expect(advised(moved([group(), account('old'), account('new', {}, skip)], [group(), account('new')]).resources[0]!)).toContain(
      'deletes the resource',
    );
  });

  test('two that begin to manage one resource', () => {
    const changes = moved([group(), account('a', {}, skip), account('b')], [group(), account('a'), account('b')]);
    expect(changes.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('StorageAccount shop/a and StorageAccount shop/b manage the same resource'),
    ]);
    expect(moved([group(), account('a'), account('b')], [group(), account('a'), account('b', { sku: {} })]).warnings).toEqual([]);
  });

  test('an object that had another resource does not take one over: its name and owner cannot change', () => {
    const before = [group(), account('old', { azureName: 'files1' }), account('new', { azureName: 'files2' })];
    const after = [group(), account('new', { azureName: 'files1' })];
    expect(fates(moved(before, after))).toEqual(['deleted StorageAccount shop/old', 'refused StorageAccount shop/new']);
    expect(fates(moved(after, before))).toEqual(['refused StorageAccount shop/new', 'created StorageAccount shop/old']);
    const kept = [group(), account('old', { azureName: 'files1' }, detach), account('new', { azureName: 'files2' })];
    expect(fates(moved(kept, after))).toEqual(['refused StorageAccount shop/new', 'kept StorageAccount shop/old']);
  });

  test('one object becomes two for the same resource, and two become one', () => {
    const [one, two] = [[group(), account('old')], [group(), account('a'), account('b')]];
    const apart = moved(one, two);
    expect(fates(apart)).toEqual(['moved StorageAccount shop/a', 'moved StorageAccount shop/b']);
    expect(apart.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('StorageAccount shop/a and StorageAccount shop/b manage the same resource'),
    ]);
    const together = moved(two, one);
    expect(together.resources.map(({ fate, name, from }) => [fate, name, from?.name])).toEqual([
      ['moved', 'old', 'a'],
      ['moved', 'old', 'b'],
    ]);
    expect(together.warnings).toEqual([]);
  });

  test('what refers to a moved resource still means the same', () => {
    const reads = assignment('reads', { azureName: '00000000-0000-0000-0000-000000000001' });
    const changes = moved(
      [
        group('rg', {}, skip),
        account('files', {}, skip),
        identity('api', {}, skip),
        object(reads.apiVersion, reads.kind, 'reads', reads.spec, skip),
      ],
      [
        group('rg', {}, there),
        account('files', {}, there),
        identity('api', {}, there),
        object(reads.apiVersion, reads.kind, 'reads', reads.spec, there),
      ],
    );
    expect(changes.resources.every(({ fate, properties }) => fate === 'moved' && properties.length === 0)).toBe(true);
    expect(changes.roles.map(({ change }) => change)).toEqual(['moved']);
  });
});
