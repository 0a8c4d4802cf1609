import { BED, HEDGE, POND, RESOURCE_GROUP } from './made-up-kinds';
import { readKinds } from './read';

const read = readKinds([RESOURCE_GROUP, BED, HEDGE]);
const bed = async () => (await read).service('garden').types.v20250101;
const owner = { type: { common: 'KnownResourceReference' }, required: true, role: 'owner', arm: null };
const azureName = { type: 'string', role: 'azureName', arm: null };

test('a kind has the names of its CRD, its versions and what the operator has code for', async () => {
  const hook = (name: string) => `func (e *BedExtension) ${name}(ctx context.Context) error {\n\treturn nil\n}\n`;
  const extension = `${hook('PreReconcileCheck')}\n${hook('ClassifyError')}`;
  const { kinds } = (await readKinds([RESOURCE_GROUP, { ...BED, extension }])).service('garden');
  const { versions: _, ...kind } = kinds.Bed!;
  expect(kind).toEqual({
    plural: 'beds',
    singular: 'bed',
    categories: ['azure', 'garden'],
    latest: 'v20250101',
    storageVersion: 'v20250101',
    extensions: ['ErrorClassifier', 'PreReconciliationChecker'],
  });
});

test('a version has its place in ARM, its owner, its name and its exports', async () => {
  expect((await read).service('garden').kinds.Bed?.versions.v20250101).toEqual({
    arm: {
      type: 'Microsoft.Garden/beds',
      apiVersion: '2025-01-01',
      uri: '/subscriptions/{subscriptionId}/providers/Microsoft.Garden/beds/{name}',
    },
    scope: 'resourcegroup',
    operations: ['DELETE', 'GET', 'PUT'],
    owner: { group: 'resources.azure.com', kind: 'ResourceGroup' },
    name: 'azureName',
    spec: 'Bed_Spec',
    status: 'Bed_STATUS',
    exports: { configMaps: { bedLength: 'length', weather: null }, secrets: ['key'], expressions: true },
    since: 'v2.20.0',
  });
});

test('a spec says of each property its type, its limits and where ARM has it', async () => {
  expect((await bed())?.Bed_Spec).toEqual({
    props: {
      azureName,
      owner,
      location: { type: 'string', required: true },
      operatorSpec: { type: { ref: 'BedOperatorSpec' }, role: 'operatorSpec', arm: null },
      length: { type: 'integer', minimum: 1, maximum: 100, arm: 'properties/size/length' },
      soil: { type: 'string', enum: ['Clay', 'Sand'], arm: 'properties/soil' },
      plants: { type: { array: { ref: 'Plant' } }, maxItems: 3, arm: 'properties/plants' },
      labels: { type: { array: 'string' }, arm: 'properties/labels', emit: 'empty' },
      notes: { type: { map: 'string' }, arm: 'properties/notes', emit: 'null' },
      password: { type: { common: 'SecretReference' }, role: 'secret', arm: 'properties/password' },
      gardener: { type: 'string', arm: 'properties/gardener' },
      gardenerFromConfig: {
        type: { common: 'ConfigMapReference' }, role: 'configMap', arm: 'properties/gardener', alternativeTo: 'gardener',
      },
      waterReference: { type: { common: 'ResourceReference' }, role: 'armReference', arm: 'properties/waterId' },
      roleReference: { type: { common: 'WellKnownResourceReference' }, role: 'wellKnownReference', arm: 'properties/roleId' },
      identity: { type: { ref: 'BedIdentity' } },
    },
  });
});

test('a union has its alternatives in the order in which one is taken', async () => {
  expect((await bed())?.Plant).toEqual({
    oneOf: true,
    discriminator: 'sort',
    order: ['flower', 'tree'],
    props: {
      tree: { type: { ref: 'Tree' }, inline: true, when: 'TreePlant' },
      flower: { type: { ref: 'Flower' }, inline: true, when: 'FlowerPlant' },
    },
  });
});

test('limits of elements are inside the type; a property of another name in ARM has its path', async () => {
  const colours = { type: { array: { type: 'string', enum: ['Blue', 'Red'] } }, arm: 'shades' };
  expect((await bed())?.Flower).toEqual({ props: { colours } });
});

test('references that become keys name the property of the element', async () => {
  const types = await bed();
  const array = { array: { ref: 'UserAssignedIdentityDetails' } };
  const facts = { type: array, role: 'userAssignedIdentities', mapKeyFromReference: 'reference' };
  expect(types!.BedIdentity!.props.userAssignedIdentities).toEqual(facts);
  expect(types?.UserAssignedIdentityDetails?.arm).toBe(false);
});

test('a status says where ARM has each value, and no limits', async () => {
  expect((await read).status('garden').statusTypes.v20250101).toMatchObject({
    Bed_STATUS: {
      props: {
        conditions: { type: { array: { common: 'Condition' } }, role: 'conditions', arm: null },
        id: { type: 'string' },
        length: { type: 'integer', arm: 'properties/length' },
        plants: { type: { array: { ref: 'Plant_STATUS' } }, arm: 'properties/plants' },
      },
    },
    Plant_STATUS: { props: { name: { type: 'string', arm: 'displayName' } } },
  });
  expect((await read).status('garden').statusTypes.v20250101!.Plant_STATUS!.props.name!.required).toBeUndefined();
});

test('the types that all services share have the properties of what they embed', async () => {
  const { types } = JSON.parse((await read).files['_common.json']!) as { types: Record<string, { props: object }> };
  expect(Object.keys(types.WellKnownResourceReference!.props)).toEqual(['group', 'kind', 'name', 'wellKnownName']);
  const text = { type: 'string', required: true };
  expect(types.Condition).toEqual({ props: { lastTransitionTime: text, type: text } });
  const armId = { type: 'string', pattern: '^/subscriptions/' };
  expect(types.KnownResourceReference).toEqual({ props: { armId, name: { type: 'string' } } });
});

test('a version of the longer name that says the same is an alias; one that says something else is not', async () => {
  const long = { ...HEDGE, version: 'v1api20250101', since: 'v2.1.0', deprecated: true };
  const same = (await readKinds([RESOURCE_GROUP, HEDGE, long])).service('garden');
  expect(same.kinds.Hedge?.versions.v1api20250101).toEqual({ sameAs: 'v20250101', since: 'v2.1.0', deprecated: true });
  expect(Object.keys(same.types)).toEqual(['v20250101']);
  const other = (await readKinds([RESOURCE_GROUP, HEDGE, { ...long, status: '\tId *int `json:"id,omitempty"`' }])).service('garden');
  expect(other.kinds.Hedge?.versions.v1api20250101).toMatchObject({ spec: 'Hedge_Spec' });
  expect(Object.keys(other.types)).toEqual(['v1api20250101', 'v20250101']);
});

test('the latest version is the newest stable one; the stored one is where all are converted to', async () => {
  const preview = { ...POND, version: 'v20260101preview', apiVersion: '2026-01-01-preview' };
  const { latest, storageVersion, versions } = (await readKinds([RESOURCE_GROUP, POND, preview])).service('garden').kinds.Pond!;
  expect([latest, storageVersion, Object.keys(versions)]).toEqual(['v20250101', 'v20250101', ['v20260101preview', 'v20250101']]);
});

test('a type that the tool does not know is named with its kind and version', async () => {
  const odd = { ...HEDGE, spec: '\tOdd chan int `json:"odd,omitempty"`' };
  await expect(readKinds([RESOURCE_GROUP, odd])).rejects.toThrow('Hedge in v20250101: a property of the Go type chan int');
});

test('a property of which the conversion says nothing is an error, not a property that is not sent', async () => {
  const forgotten = { ...HEDGE, spec: `${HEDGE.spec}\n\tForgotten *string \`json:"forgotten,omitempty"\`` };
  const message = 'Hedge in v20250101: nothing says where ARM\'s Hedge_Spec has Forgotten';
  await expect(readKinds([RESOURCE_GROUP, forgotten])).rejects.toThrow(message);
});
