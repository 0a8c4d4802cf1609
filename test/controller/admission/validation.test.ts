import { GROUP_ID, GROUP_OWNER, objectOf, RESOURCE_ID, versionOf } from './objects';
import { refusalOf } from '../../../controller/admission/validation/validate';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { Catalog } from '../../../src/catalog';
import { rowTitle } from '../../docs/spec-tables';
import { randomSpec } from '../../engine/convert/random-spec';

const account = versionOf('storage', 'StorageAccount');
const disk = versionOf('compute', 'DiskEncryptionSet');
const NOTHING = "at least one of ['ARMID'] or ['Group', 'Kind', 'Namespace', 'Name'] must be set for ResourceReference";
const BOTH = "the 'ARMID' field is mutually exclusive with 'Group', 'Kind', 'Namespace', and 'Name' for ResourceReference: ";
const HALF =
  "when referencing a Kubernetes resource, 'Group', 'Kind', 'Namespace', and 'Name' must all be specified for ResourceReference: ";
const members = (group: string, kind: string, name: string, armId: string) =>
  `Group: "${group}", Kind: "${kind}", Name: "${name}", ARMID: "${armId}"`;

function ofAccount(spec: Record<string, unknown>): string | undefined {
  return refusalOf(account, objectOf(account, { location: 'westeurope', owner: { name: 'rg' }, ...spec }));
}

describe('docs/spec/webhooks.md#references-and-owners', () => {
  const referring = (reference: unknown) =>
    refusalOf(disk, objectOf(disk, { owner: { name: 'rg' }, activeKey: { sourceVault: { reference } } }));
  test(rowTitle('docs/spec/webhooks.md#references-and-owners', 'nothing', 'a reference without anything'), () =>
    expect(referring({})).toBe(NOTHING),
  );
  test(rowTitle('docs/spec/webhooks.md#references-and-owners', 'two forms', 'a reference in two forms'), () => {
    expect(referring({ armId: GROUP_ID, name: 'v' })).toBe(BOTH + members('', '', 'v', GROUP_ID));
    expect(referring({ armId: GROUP_ID, group: 'g', kind: 'K', name: 'v' })).toBe(BOTH + members('g', 'K', 'v', GROUP_ID));
  });
  test(rowTitle('docs/spec/webhooks.md#references-and-owners', 'half a form', 'half a reference'), () =>
    expect(referring({ group: 'keyvault.azure.com', name: 'v' })).toBe(HALF + members('keyvault.azure.com', '', 'v', '')),
  );
  test('references that are whole', () => {
    expect(referring({ armId: GROUP_ID })).toBeUndefined();
    expect(referring({ group: 'keyvault.azure.com', kind: 'Vault', name: 'v' })).toBeUndefined();
  });
  test(
    rowTitle('docs/spec/webhooks.md#references-and-owners', 'owners', 'the same checks; group and kind of known owners are filled in'),
    () => {
      const own = (owner: unknown) => refusalOf(account, objectOf(account, { owner }));
      expect(own({})).toBe(HALF + members('resources.azure.com', 'ResourceGroup', '', ''));
      expect(own({ name: 'rg', armId: GROUP_ID })).toBe(BOTH + members('', '', 'rg', GROUP_ID));
      expect(own({ armId: GROUP_ID })).toBeUndefined();
      const role = versionOf('authorization', 'RoleAssignment');
      const arbitrary = (owner: unknown) => refusalOf(role, objectOf(role, { owner }));
      expect(arbitrary({})).toBe(NOTHING);
      expect(arbitrary({ name: 'x' })).toBe(HALF + members('', '', 'x', ''));
      expect(arbitrary({ ...GROUP_OWNER, armId: GROUP_ID })).toBe(BOTH + members('resources.azure.com', 'ResourceGroup', 'myrg', GROUP_ID));
      expect(arbitrary(GROUP_OWNER)).toBeUndefined();
    },
  );
  test(rowTitle('docs/spec/webhooks.md#references-and-owners', 'owner by ARM id', 'of another type, in ASO\'s words; extension kinds take any'), () => {
    const refusal = (service: string, kind: string, armId: string) => {
      const version = versionOf(service, kind);
      return refusalOf(version, objectOf(version, { owner: { armId } }));
    };
    const vault = `${GROUP_ID}/providers/Microsoft.KeyVault/vaults/v`;
    const id = `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/sa`;
    expect(refusal('storage', 'StorageAccount', id)).toBe(
      'expected owner ARM ID to be for a resource group, but was "Microsoft.Storage/storageAccounts"',
    );
    expect(refusal('storage', 'StorageAccountsBlobService', vault)).toBe(
      'expected owner ARM ID to be from provider "Microsoft.Storage", but was "Microsoft.KeyVault"',
    );
    expect(refusal('storage', 'StorageAccountsBlobService', `${id}/queueServices/default`)).toBe(
      'expected owner ARM ID to be of type "Microsoft.Storage/storageAccounts", but was "Microsoft.Storage/storageAccounts/queueServices"',
    );
    expect(refusal('storage', 'StorageAccountsBlobService', `${id}/`)).toBeUndefined();
    expect(refusal('storage', 'StorageAccountsBlobService', id.toUpperCase())).toBeUndefined();
    expect(refusal('authorization', 'RoleAssignment', vault)).toBeUndefined();
  });
  test('a well-known name together with another form', () => {
    const role = versionOf('authorization', 'RoleAssignment');
    const refusal = refusalOf(
      role,
      objectOf(role, { owner: GROUP_OWNER, roleDefinitionReference: { wellKnownName: 'Reader', armId: GROUP_ID } }),
    );
    expect(refusal).toMatch(/^spec\.roleDefinitionReference: 'wellKnownName' is mutually exclusive/);
    expect(refusalOf(role, objectOf(role, { owner: GROUP_OWNER, roleDefinitionReference: { wellKnownName: 'Reader' } }))).toBeUndefined();
  });
});

describe('docs/spec/webhooks.md#destinations', () => {
  const secrets = (operatorSpec: Record<string, unknown>) => ofAccount({ operatorSpec });
  const expression = (value: string, more: Record<string, unknown> = {}) =>
    secrets({ secretExpressions: [{ name: 'n', key: 'k', value, ...more }] });
  const identity = versionOf('managedidentity', 'UserAssignedIdentity');
  const configMaps = (operatorSpec: Record<string, unknown>) =>
    refusalOf(identity, objectOf(identity, { owner: { name: 'rg' }, operatorSpec }));

  test(rowTitle('docs/spec/webhooks.md#destinations', 'equal destinations', 'two destinations with equal name and key'), () => {
    const place = { name: 'n', key: 'k' };
    expect(secrets({ secrets: { key1: place, key2: place } })).toBe('cannot write more than one secret to destination Name: "n", Key: "k"');
    expect(secrets({ secrets: { key1: place }, secretExpressions: [{ ...place, value: '"x"' }] })).toMatch(
      /^cannot write more than one secret to destination Name: "n", Key: "k"/,
    );
    expect(configMaps({ configMaps: { clientId: place, principalId: place } })).toBe(
      'cannot write more than one configmap value to destination Name: "n", Key: "k"',
    );
    expect(
      secrets({ secrets: { key1: place, key2: { name: 'n', key: 'other' }, blobEndpoint: { name: 'other', key: 'k' } } }),
    ).toBeUndefined();
  });
  test.each([
    ['annotations', 'annotation'],
    ['labels', 'label'],
  ])(
    rowTitle('docs/spec/webhooks.md#destinations', 'equal annotations', 'a key of %s set twice, even with equal values'),
    (marks, word) => {
      const twice = { key1: { name: 'n', key: 'a', [marks]: { x: '1' } }, key2: { name: 'n', key: 'b', [marks]: { x: '1' } } };
      expect(secrets({ secrets: twice })).toBe(`collision for ${word} on secret "n": key "x" is set by multiple destinations`);
      expect(secrets({ secrets: { ...twice, key2: { ...twice.key2, name: 'other' } } })).toBeUndefined();
      const { key1: clientId, key2: principalId } = twice;
      expect(configMaps({ configMaps: { clientId, principalId } })).toBe(
        `collision for ${word} on configmap "n": key "x" is set by multiple destinations`,
      );
    },
  );
  test(rowTitle('docs/spec/webhooks.md#destinations', 'expressions', 'an expression that does not compile, or has another type'), () => {
    expect(expression('self.spec.')).toMatch(/^failed to compile CEL expression: "self\.spec\.": /);
    expect(expression('self.spec.nothing')).toMatch(/^failed to compile CEL expression: "self\.spec\.nothing": /);
    expect(expression('1 + 1')).toBe('expression "1 + 1" must return one of [string,map(string, string)], but was int');
    expect(expression('self.spec.location')).toBeUndefined();
  });
  test(rowTitle('docs/spec/webhooks.md#destinations', 'text without key', 'a text without key'), () => {
    expect(expression('"x"', { key: undefined })).toBe(
      'CEL expression with output type string must specify destination \'key\', Name: "n", Key: "", Value: ""x""',
    );
  });
  test(rowTitle('docs/spec/webhooks.md#destinations', 'map with key', 'a map with key'), () => {
    expect(expression('{"a": "b"}')).toBe(
      'CEL expression with output type map[string]string must not specify destination \'key\', Name: "n", Key: "k", Value: "{"a": "b"}"',
    );
    expect(expression('{"a": "b"}', { key: undefined })).toBeUndefined();
  });
  test.each([
    ['annotations', 'annotation'],
    ['labels', 'label'],
  ])(rowTitle('docs/spec/webhooks.md#destinations', 'annotation expressions', 'an expression in %s that gives no text'), (marks, word) => {
    expect(expression('"x"', { [marks]: { a: '{"b": "c"}' } })).toBe(
      `${word} expression on Name: "n", Key: "k", Value: ""x"": expression for key "a" must return a string, got map(string, string)`,
    );
    expect(expression('"x"', { [marks]: { a: 'self.metadata.name' } })).toBeUndefined();
  });
  test(rowTitle('docs/spec/webhooks.md#destinations', 'maps', 'are exempt from both collision checks'), () => {
    const map = { name: 'n', value: '{"k": "b"}', annotations: { x: '"1"' } };
    expect(secrets({ secrets: { key1: { name: 'n', key: 'k' } }, secretExpressions: [map, map] })).toBeUndefined();
  });
  test('Secrets and ConfigMaps are checked apart', () => {
    const place = { name: 'n', key: 'k' };
    expect(secrets({ secrets: { key1: place }, configMapExpressions: [{ ...place, value: '"x"' }] })).toBeUndefined();
  });
});

describe('docs/spec/webhooks.md#value-and-reference', () => {
  test(rowTitle('docs/spec/webhooks.md#value-and-reference', 'both', 'a value and its reference'), () => {
    const role = versionOf('authorization', 'RoleAssignment');
    const given = { owner: GROUP_OWNER, principalId: 'p', principalIdFromConfig: { name: 'c', key: 'k' } };
    expect(refusalOf(role, objectOf(role, given))).toBe('cannot specify both principalId and principalIdFromConfig');
    expect(refusalOf(role, objectOf(role, { ...given, principalId: undefined }))).toBeUndefined();
    const webhook = versionOf('insights', 'ActionGroup');
    const receivers = [{ name: 'w', serviceUri: 'u', serviceUriFromSecret: { name: 's', key: 'k' } }];
    expect(refusalOf(webhook, objectOf(webhook, { owner: { name: 'rg' }, webhookReceivers: receivers }))).toBe(
      'cannot specify both serviceUri and serviceUriFromSecret',
    );
  });
  test(rowTitle('docs/spec/webhooks.md#name-from-configmap', 'both', 'azureName and azureNameFromConfig may both be set'), () => {
    const version = versionOf('dbforpostgresql', 'FlexibleServersAdministrator', 'v20250801');
    expect(
      refusalOf(version, objectOf(version, { owner: { name: 's' }, azureName: 'a', azureNameFromConfig: { name: 'c', key: 'k' } })),
    ).toBeUndefined();
  });
});

describe('docs/spec/webhooks.md#rules-of-single-kinds', () => {
  const domain = versionOf('communication', 'Domain');
  const ofDomain = (spec: Record<string, unknown>, name?: string) =>
    refusalOf(domain, objectOf(domain, { owner: { name: 'e' }, ...spec }, name));
  test(rowTitle('docs/spec/webhooks.md#rules-of-single-kinds', 'Domain', 'a domain that Azure manages has its name'), () => {
    expect(ofDomain({ domainManagement: 'AzureManaged', azureName: 'mine.example' })).toMatch(
      /^spec\.azureName must be "AzureManagedDomain"/,
    );
    expect(ofDomain({ domainManagement: 'AzureManaged', azureName: 'azuremanageddomain' })).toBeUndefined();
    expect(ofDomain({ domainManagement: 'CustomerManaged', azureName: 'mine.example' })).toBeUndefined();
    expect(ofDomain({ domainManagement: 'AzureManaged' }, 'azuremanageddomain')).toBeUndefined();
  });
  test(rowTitle('docs/spec/webhooks.md#rules-of-single-kinds', 'SenderUsername', 'a sender is named as its user'), () => {
    const sender = versionOf('communication', 'SenderUsername');
    const of = (spec: Record<string, unknown>) => refusalOf(sender, objectOf(sender, { owner: { name: 'd' }, ...spec }));
    expect(of({ azureName: 'a', username: 'b' })).toMatch(/^spec\.username is "b", but spec\.azureName is "a"/);
    expect(of({ azureName: 'a', username: 'A' })).toBeUndefined();
    expect(of({ azureName: 'a' })).toBeUndefined();
  });
  const FINALIZED = { finalizers: ['serviceoperator.azure.com/finalizer'] };
  test(
    rowTitle(
      'docs/spec/webhooks.md#rules-of-single-kinds',
      'MySQL user',
      'a MySQL user is local or of the directory, and stays so (docs/spec/users.md#mysql-admission)',
    ),
    () => {
      const user = versionOf('dbformysql', 'User');
      const local = { localUser: { serverAdminUsername: 'a', password: { name: 's', key: 'k' } } };
      const directory = { aadUser: { serverAdminUsername: 'a', alias: 'x' } };
      const of = (spec: Record<string, unknown>, before?: Record<string, unknown>, metadata = {}) => {
        const object = (own: Record<string, unknown>) => objectOf(user, { owner: { name: 's' }, azureName: 'u', ...own }, 'u', metadata);
        return refusalOf(user, object(spec), before && object(before));
      };
      expect(of({})).toBe('exactly one of spec.localUser and spec.aadUser must be set, but neither is');
      expect(of({ ...local, ...directory })).toBe('exactly one of spec.localUser and spec.aadUser must be set, but both are');
      expect([of(local), of(directory), of(local, local), of(directory, directory)]).toEqual([undefined, undefined, undefined, undefined]);
      expect(of(directory, local)).toMatch(/^cannot change from spec\.localUser to spec\.aadUser/);
      expect(of(local, directory)).toMatch(/^cannot change from spec\.aadUser to spec\.localUser/);
      expect(of({ aadUser: { serverAdminUsername: 'a', alias: 'y' } }, directory)).toMatch(
        /^spec\.aadUser\.alias cannot be changed from "x" to "y"/,
      );
      expect(of({ ...local, azureName: 'v' }, local)).toBeUndefined();
      expect(of({ ...local, azureName: 'v' }, local, FINALIZED)).toMatch(/^updating 'spec\.azureName' is not allowed/);
      expect(of({ ...local, owner: { name: 'other' } }, local, FINALIZED)).toMatch(/^updating 'spec\.owner\.name' is not allowed/);
    },
  );
  test(
    rowTitle(
      'docs/spec/webhooks.md#rules-of-single-kinds',
      'other users',
      'Azure SQL and PostgreSQL users (docs/spec/users.md#postgresql-spec and docs/spec/users.md#azure-sql-admission)',
    ),
    () => {
      const user = versionOf('sql', 'User');
      const object = (spec: Record<string, unknown>) => objectOf(user, { owner: { name: 'd' }, azureName: 'u', ...spec }, 'u', FINALIZED);
      expect(refusalOf(user, object({ azureName: 'v' }), object({}))).toMatch(/^updating 'spec\.azureName' is not allowed/);
      expect(refusalOf(user, object({ owner: { name: 'e' } }), object({}))).toMatch(/^updating 'spec\.owner\.name' is not allowed/);
      expect(refusalOf(user, object({ owner: { armId: GROUP_ID } }))).toMatch(/^spec\.owner\.armId is not supported/);
      const postgres = versionOf('dbforpostgresql', 'User');
      const free = (name: string) => objectOf(postgres, { owner: { name }, azureName: name }, 'u', FINALIZED);
      expect(refusalOf(postgres, free('b'), free('a'))).toBeUndefined();
    },
  );
});

describe('docs/spec/webhooks.md#write-once', () => {
  const created = { annotations: { [RESOURCE_ID]: GROUP_ID } };
  const what = `'storage.azure.com/${account.name}, Kind=StorageAccount : sa`;
  const of = (spec: Record<string, unknown>, metadata: Partial<KubernetesObject['metadata']> = created) =>
    objectOf(account, spec, 'sa', metadata);
  const change = (before: Record<string, unknown>, after: Record<string, unknown>) => refusalOf(account, of(after), of(before));
  const rg = { owner: { name: 'rg' } };

  test(rowTitle('docs/spec/webhooks.md#write-once', 'azureName', 'azureName changed'), () => {
    expect(change({ ...rg, azureName: 'a' }, { ...rg, azureName: 'b' })).toBe(`updating 'spec.azureName' is not allowed for ${what}`);
    expect(change({ ...rg, azureName: 'a' }, rg)).toBe(`updating 'spec.azureName' is not allowed for ${what}`);
    expect(change(rg, { ...rg, azureName: 'a' })).toBeUndefined();
  });
  test(rowTitle('docs/spec/webhooks.md#write-once', 'owner name', 'owner name changed'), () =>
    expect(change(rg, { owner: { name: 'other' } })).toBe(`updating 'spec.owner.name' is not allowed for ${what}`),
  );
  test(rowTitle('docs/spec/webhooks.md#write-once', 'owner armId', 'owner armId changed'), () => {
    expect(change({ owner: { armId: `${GROUP_ID}1` } }, { owner: { armId: GROUP_ID } })).toBe(
      `updating 'spec.owner.armId' is not allowed for ${what}`,
    );
    expect(change(rg, { owner: { armId: GROUP_ID } })).toBe(`updating 'spec.owner.name' is not allowed for ${what}`);
  });
  test(rowTitle('docs/spec/webhooks.md#write-once', 'owner added', 'owner added'), () =>
    expect(change({}, rg)).toBe(`adding an owner to an already created resource is not allowed for ${what}`),
  );
  test(rowTitle('docs/spec/webhooks.md#write-once', 'owner removed', 'owner removed'), () =>
    expect(change(rg, {})).toBe(`removing 'spec.owner' is not allowed for ${what}`),
  );
  test(rowTitle('docs/spec/webhooks.md#write-once', 'condition', 'only if the new object has a resource-id'), () => {
    expect(refusalOf(account, of(rg, {}), of({ owner: { name: 'other' } }))).toBeUndefined();
    expect(refusalOf(account, of(rg, { annotations: { [RESOURCE_ID]: '' } }), of({ owner: { name: 'other' } }))).toBeUndefined();
    expect(refusalOf(account, of(rg), of({ owner: { name: 'other' } }, {}))).toBeDefined();
  });
  test(rowTitle('docs/spec/webhooks.md#write-once', 'unchecked', 'group and kind of arbitrary owners, location, other members'), () => {
    const role = versionOf('authorization', 'RoleAssignment');
    const owned = (owner: unknown) => objectOf(role, { owner, azureName: 'r' }, 'r', created);
    expect(refusalOf(role, owned({ ...GROUP_OWNER, kind: 'Other' }), owned(GROUP_OWNER))).toBeUndefined();
    expect(change({ ...rg, location: 'a' }, { ...rg, location: 'b' })).toBeUndefined();
  });
  test(rowTitle('docs/spec/webhooks.md#validation', 'together', 'one error as is, several as [a, b]'), () => {
    expect(change({ ...rg, azureName: 'a' }, { owner: { name: 'other' }, azureName: 'b' })).toBe(
      `[updating 'spec.azureName' is not allowed for ${what}, updating 'spec.owner.name' is not allowed for ${what}]`,
    );
  });
});

test('a spec that the schema allows is refused for nothing but expressions, pairs and collisions, whatever the kind', () => {
  let refused = 0;
  const kinds = Catalog.default().allKinds;
  kinds.forEach((kind, seed) => {
    const spec = randomSpec(kind.latest, seed);
    const owner = kind.latest.facts.owner === 'any' ? GROUP_OWNER : spec.owner;
    const refusal = refusalOf(kind.latest, objectOf(kind.latest, { ...spec, owner }));
    if (refusal === undefined) return;
    refused += 1;
    expect(refusal).toMatch(/CEL expression|cannot specify both|cannot write more than one|collision for|must return|spec\.(azureName must|username is)|exactly one of/);
  });
  expect(refused).toBeLessThan(kinds.length / 2);
});

test.each([
  [5],
  ['text'],
  [[]],
  [null],
  [{ owner: 5, operatorSpec: 'x' }],
  [{ operatorSpec: { secrets: [], secretExpressions: [5, { name: 'n', value: 'x', labels: [5] }] } }],
])('what no schema has stopped does no harm: %j', (spec) => {
  expect(() => refusalOf(account, objectOf(account, spec as never))).not.toThrow();
});
