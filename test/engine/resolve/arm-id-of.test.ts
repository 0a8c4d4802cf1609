import { account, blobs, container, group, lookupOf, object, SUBSCRIPTION, version } from './objects';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { armIdOf, ResolutionError } from '../../../engine/resolve';
import { CHILD_RESOURCE_ID_OVERRIDE, RESOURCE_ID } from '../../../src/azure/annotations';

const id = (of: KubernetesObject, ...others: KubernetesObject[]) => armIdOf(of, version(of), lookupOf(of, ...others), SUBSCRIPTION);
const refusal = (of: KubernetesObject, ...others: KubernetesObject[]): ResolutionError => {
  try {
    id(of, ...others);
  } catch (error) {
    expect(error).toBeInstanceOf(ResolutionError);
    return error as ResolutionError;
  }
  throw new Error('has an id');
};

const RG = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg`;

test('a resource group, and what is in it', () => {
  expect(id(group())).toBe(RG);
  expect(id(account('sa'), group())).toBe(`${RG}/providers/Microsoft.Storage/storageAccounts/sa`);
  const chain = [blobs('b', { owner: { name: 'sa' } }), account('sa', { azureName: 'other', owner: { name: 'rg' } }), group()];
  expect(id(container('c', { owner: { name: 'b' } }), ...chain)).toBe(
    `${RG}/providers/Microsoft.Storage/storageAccounts/other/blobServices/default/containers/c`,
  );
});

describe('an owner by ARM id', () => {
  test('of a group keeps its spelling', () => {
    expect(id(account('sa', { owner: { armId: '/subscriptions/S/resourcegroups/Shared/' } }))).toBe(
      '/subscriptions/S/resourcegroups/Shared/providers/Microsoft.Storage/storageAccounts/sa',
    );
  });

  test('of a resource takes what is not covered', () => {
    const owner = '/subscriptions/S/resourceGroups/g/providers/microsoft.storage/storageAccounts/sa';
    expect(id(blobs('b', { owner: { armId: owner } }))).toBe(`${owner}/blobServices/default`);
    expect(id(container('c', { owner: { name: 'b' } }), blobs('b', { owner: { armId: owner } }))).toBe(
      `${owner}/blobServices/default/containers/c`,
    );
  });

  test('a group named like a provider is still a group', () => {
    const owner = '/subscriptions/S/resourceGroups/Microsoft.Storage';
    expect(id(account('sa', { owner: { armId: owner } }))).toBe(`${owner}/providers/Microsoft.Storage/storageAccounts/sa`);
  });

  test('has to be of the kind that owns', () => {
    const sub = '/subscriptions/S';
    expect(refusal(account('sa', { owner: { armId: sub } })).message).toBe(
      'expected owner ARM ID to be for a resource group, but was "Microsoft.Resources/subscriptions"',
    );
    const vault = '/subscriptions/S/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v';
    expect(refusal(blobs('b', { owner: { armId: vault } })).message).toBe(
      'expected owner ARM ID to be from provider "Microsoft.Storage", but was "Microsoft.KeyVault"',
    );
    const queue = '/subscriptions/S/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a/queueServices/default';
    expect(refusal(blobs('b', { owner: { armId: queue } })).message).toBe(
      'expected owner ARM ID to be of type "Microsoft.Storage/storageAccounts", but was "Microsoft.Storage/storageAccounts/queueServices"',
    );
  });
});

describe('extensions and tenant resources', () => {
  const assignment = (owner: Record<string, string>) =>
    object('authorization.azure.com/v20220401', 'RoleAssignment', '0b7a1c1e-5f2e-4a55-9f0a-2b8f4c1d9e77', { owner });
  const path = '/providers/Microsoft.Authorization/roleAssignments/0b7a1c1e-5f2e-4a55-9f0a-2b8f4c1d9e77';

  test('an extension stands below whatever it extends', () => {
    expect(id(assignment({ group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' }), group())).toBe(RG + path);
    expect(id(assignment({ group: 'storage.azure.com', kind: 'StorageAccount', name: 'sa' }), account('sa'), group())).toBe(
      `${RG}/providers/Microsoft.Storage/storageAccounts/sa${path}`,
    );
    expect(id(assignment({ armId: '/subscriptions/S' }))).toBe(`/subscriptions/S${path}`);
  });

  test('a subscription alias, and its children, which belong to the subscription', () => {
    const alias = object('subscription.azure.com/v20211001', 'Alias', 'al');
    expect(id(alias)).toBe('/providers/Microsoft.Subscription/aliases/al');
    const owner = { group: 'subscription.azure.com', kind: 'Alias', name: 'al' };
    expect(id(assignment(owner), alias)).toBe(`/providers/Microsoft.Subscription/aliases/al${path}`);
    const claimed = object('subscription.azure.com/v20211001', 'Alias', 'al', {}, { [CHILD_RESOURCE_ID_OVERRIDE]: '/subscriptions/new' });
    expect(id(assignment(owner), claimed)).toBe(`/subscriptions/new${path}`);
  });
});

describe('what is refused', () => {
  test('an owner that is not there, or of a kind that nobody serves', () => {
    const missing = refusal(account('sa'));
    expect([missing.reason, missing.severity]).toEqual(['ReferenceNotFound', 'Warning']);
    expect(missing.message).toBe('couldn\'t resolve reference ns/rg: ns/rg does not exist (resourcegroups.resources.azure.com "rg" not found)');
    const of = object('authorization.azure.com/v20220401', 'RoleAssignment', 'r', {
      azureName: 'x',
      owner: { group: 'unserved.azure.com', kind: 'Thing', name: 't' },
    });
    expect(refusal(of).message).toBe('group: "unserved.azure.com", kind: "Thing" was not in reconciledResourceLookup');
  });

  test('an owner of an owner that is not there', () => {
    const message = 'getting owners for sa: couldn\'t resolve reference ns/rg: ns/rg does not exist (resourcegroups.resources.azure.com "rg" not found)';
    expect(refusal(blobs('b', { owner: { name: 'sa' } }), account('sa')).message).toBe(message);
  });

  test('a group in another subscription', () => {
    const other = group('rg', { [RESOURCE_ID]: '/subscriptions/OTHER/resourceGroups/rg' });
    const error = refusal(account('sa'), other);
    expect([error.reason, error.severity]).toEqual(['Failed', 'Error']);
    expect(error.message).toBe(`resource subscription "${SUBSCRIPTION}" does not match parent subscription "OTHER"`);
    expect(id(account('sa'), group('rg', { [RESOURCE_ID]: RG.toUpperCase() }))).toContain('/storageAccounts/sa');
  });

  test('owners in a cycle', () => {
    const extension = (name: string, owner: string) =>
      object('kubernetesconfiguration.azure.com/v1api20230501', 'Extension', name, {
        owner: { group: 'kubernetesconfiguration.azure.com', kind: 'Extension', name: owner },
      });
    expect(refusal(extension('a', 'b'), extension('b', 'a')).message).toBe(
      'owners form a cycle: Extension/a -> Extension/b -> Extension/a',
    );
  });

  test.each(['a/b', '..', 'a?x=1', 'a#b', 'a\\b', 'a\nb'])('the name %j, which would change the URL', (azureName) => {
    const error = refusal(account('sa', { azureName, owner: { name: 'rg' } }), group());
    expect([error.reason, error.severity]).toEqual(['Failed', 'Error']);
  });

  test('an ARM id that climbs', () => {
    expect(
      refusal(
        object('authorization.azure.com/v20220401', 'RoleAssignment', 'r', {
          azureName: 'x',
          owner: { armId: '/subscriptions/S/resourceGroups/..' },
        }),
      ).message,
    ).toContain('is not an ARM ID');
  });

  test('no owner, half an owner, two owners', () => {
    expect(refusal(account('sa', {})).message).toContain('spec.owner of StorageAccount/sa is missing');
    // Group and kind of the owner are fixed, so what is missing is the name.
    expect(refusal(account('sa', { owner: {} })).message).toBe(
      "when referencing a Kubernetes resource, 'Group', 'Kind', 'Namespace', and 'Name' must all be specified for ResourceReference: "
        + 'Group: "resources.azure.com", Kind: "ResourceGroup", Name: "", ARMID: ""',
    );
    expect(refusal(account('sa', { owner: { name: 'rg', armId: RG } })).message).toContain("the 'ARMID' field is mutually exclusive with");
  });
});
