import {
  account, ACCOUNT_ID, ALIASES, answering, edit, inReadyGroup, OTHER_SUBSCRIPTION, POLICY, readyGroup, typed,
} from './arrange';
import { inEnvironment, table } from './table';
import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';
import { annotation } from '../../engine/objects/annotations';
import { armIdOf } from '../../engine/resolve';
import { versionOf } from '../../engine/resolve/kind-of';
import { resolveReference } from '../../engine/resolve/references';
import { CHILD_RESOURCE_ID_OVERRIDE, RESOURCE_ID } from '../../src/azure/annotations';
import { isArmId } from '../../src/azure/arm-id';
import { Catalog, type KindVersion } from '../../src/catalog';
import { SUBSCRIPTION } from '../controller/reconcile/fake-azure';
import { settled } from '../controller/reconcile/fake-clock';
import {
  ACCOUNTS, BLOBS, group, GROUP_ID, GROUPS, IDENTITIES, identity, IDENTITY_ID, object, ROLES, type TestEnvironment,
} from '../controller/reconcile/harness';

const CONTAINERS = typed(
  'storage.azure.com',
  'v1api20230101',
  'storageaccountsblobservicescontainers',
  'StorageAccountsBlobServicesContainer',
);
const kinds = Catalog.default().allKinds;
const facts = (type: ResourceType) => Catalog.default().kind(type.group, type.kind)!.version(type.version)!;
const ownerFacts = (name: string) => kinds.filter(({ kind }) => kind === name).map(({ latest }) => latest.facts.owner);
const role = (owner: Record<string, string>) => object(ROLES, 'role', {
  owner, azureName: '0b7a1c1e-5f2e-4a55-9f0a-2b8f4c1d9e77', principalId: SUBSCRIPTION, roleDefinitionReference: { wellKnownName: 'Reader' },
});
const ROLE = '/providers/Microsoft.Authorization/roleAssignments/0b7a1c1e-5f2e-4a55-9f0a-2b8f4c1d9e77';
const GROUP_OWNER = { group: GROUPS.group, kind: GROUPS.kind, name: 'rg' };

/** The id that the claim writes down, once an object is created in an environment with a ready group. */
async function idOf(environment: TestEnvironment, type: ResourceType, created: KubernetesObject): Promise<string | undefined> {
  if (!environment.types.includes(type)) environment.types.push(type);
  await (environment.running ? environment.cluster.create(type, created).then(settled) : inReadyGroup(environment, type, created));
  return annotation(environment.stored(type, created.metadata.name)!, RESOURCE_ID);
}

table('docs/spec/owners.md#owner-forms', (row) => {
  row(
    'known owner',
    "name or armId, not both; group and kind are the kind's",
    inEnvironment(async (environment) => {
      expect(await idOf(environment, IDENTITIES, identity('id'))).toBe(IDENTITY_ID);
      expect(await idOf(environment, IDENTITIES, identity('id2', { owner: { armId: GROUP_ID } }))).toBe(`${IDENTITY_ID}2`);
      expect(await idOf(environment, IDENTITIES, identity('id3', { owner: { name: 'rg', armId: GROUP_ID } }))).toBeUndefined();
      expect(environment.ready(IDENTITIES, 'id3')!.message).toContain('mutually exclusive');
    }),
  );
  row(
    'arbitrary owner',
    'group, kind and name, or armId; these kinds',
    inEnvironment(async (environment) => {
      expect(await idOf(environment, ROLES, role(GROUP_OWNER))).toBe(GROUP_ID + ROLE);
      const arbitrary = kinds
        .filter(({ latest }) => latest.facts.scope === 'extension')
        .map(({ kind }) => kind)
        .sort();
      expect(arbitrary).toEqual([
        'DataCollectionRuleAssociation',
        'DiagnosticSetting',
        'EventSubscription',
        'Extension',
        'FluxConfiguration',
        'Quota',
        'RoleAssignment',
        'RoleDefinition',
      ]);
    }),
  );
  row('Kubernetes only', 'users of databases: by name, for servers and databases of this cluster', () => {
    const users = kinds.filter(({ kind, latest }) => kind === 'User' && !latest.isArm);
    expect(users.map(({ group: api, latest: { facts: { owner } } }) => [api, (owner as { kind: string }).kind])).toEqual([
      ['dbformysql.azure.com', 'FlexibleServer'], ['dbforpostgresql.azure.com', 'FlexibleServer'], ['sql.azure.com', 'ServersDatabase'],
    ]);
  });
  row('none', 'resource groups, aliases, directory groups', () => {
    expect([...ownerFacts('ResourceGroup'), ...ownerFacts('Alias'), ...ownerFacts('SecurityGroup')].every((owner) => !owner)).toBe(true);
  });
  row('namespace', 'everything is looked up in the object\'s own', inEnvironment(async (environment) => {
    await readyGroup(environment);
    const elsewhere = identity();
    await environment.cluster.create(IDENTITIES, { ...elsewhere, metadata: { name: 'id', namespace: 'elsewhere' } });
    await settled();
    const found = environment.cluster.objects.get('managedidentity.azure.com/UserAssignedIdentity/elsewhere/id')!;
    expect(found.status!.conditions).toMatchObject([{ reason: 'WaitingForOwner' }]);
  }));
});

table('docs/spec/owners.md#references', (row) => {
  const referring = (reference: Record<string, string>) =>
    account({ networkAcls: { defaultAction: 'Deny', virtualNetworkRules: [{ reference }] } });
  const named = (name = 'id') => ({ group: IDENTITIES.group, kind: IDENTITIES.kind, name });
  const sent = (environment: TestEnvironment) => JSON.stringify(environment.azure.bodies.at(-1));
  row(
    'armId',
    'verbatim',
    inEnvironment(async (environment) => {
      await inReadyGroup(environment, ACCOUNTS, referring({ armId: '/subscriptions/S/resourcegroups/G' }));
      expect(sent(environment)).toContain('"id":"/subscriptions/S/resourcegroups/G"');
    }),
  );
  row(
    'claimed',
    'the id of the object',
    inEnvironment(async (environment) => {
      await inReadyGroup(environment, IDENTITIES, identity());
      await environment.cluster.create(ACCOUNTS, referring(named()));
      await settled();
      expect(sent(environment)).toContain(`"id":"${IDENTITY_ID}"`);
    }),
  );
  row(
    'readiness',
    'is not required of a reference',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      answering(environment, 'PUT', { status: 409, body: { error: { code: 'Conflict', message: 'no' } } }, 'userAssignedIdentities');
      await environment.cluster.create(IDENTITIES, identity());
      await environment.cluster.create(ACCOUNTS, referring(named()));
      await settled();
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ status: 'False' });
      expect(environment.ready(ACCOUNTS, 'sa')).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'readiness',
    'of the owner at the claim alone',
    inEnvironment(async (environment) => {
      await inReadyGroup(environment, IDENTITIES, identity());
      answering(environment, 'PUT', { status: 409, body: { error: { code: 'Conflict', message: 'no' } } }, 'resourceGroups/rg');
      const giveBack = answering(environment, 'PUT', { status: 200, body: {} }, 'userAssignedIdentities');
      await edit(environment, { tags: { a: 'b' } });
      expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'False' });
      await edit(environment, { tags: { a: 'b' } }, IDENTITIES, 'id');
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True', observedGeneration: 2 });
      giveBack();
    }),
  );
  const refused = (
    name: 'missing' | 'looks like an ARM id' | 'no resource-id' | 'unknown kind',
    reference: Record<string, string>,
    message: string,
  ) =>
    row(
      name,
      'ReferenceNotFound, Fast',
      inEnvironment(async (environment) => {
        await environment.cluster.create(IDENTITIES, identity('unclaimed', { owner: { name: 'nobody' } }));
        await inReadyGroup(environment, ACCOUNTS, referring(reference));
        const whole = `failed resolving ARM IDs for references: ${message}`;
        expect(environment.ready(ACCOUNTS, 'sa')).toMatchObject({ severity: 'Warning', reason: 'ReferenceNotFound', message: whole });
        expect(environment.reconciles.at(-1)!.result).toMatchObject({ failure: { retry: 'fast' } });
      }),
    );
  refused(
    'missing',
    named(),
    'couldn\'t resolve reference default/id: default/id does not exist (userassignedidentities.managedidentity.azure.com "id" not found)',
  );
  refused(
    'no resource-id',
    named('unclaimed'),
    "ref unclaimed, Group/Kind: managedidentity.azure.com/UserAssignedIdentity doesn't have an assigned ARM ID",
  );
  refused(
    'unknown kind',
    { group: 'x.azure.com', kind: 'X', name: 'x' },
    'group: "x.azure.com", kind: "X" was not in reconciledResourceLookup',
  );
  row('looks like an ARM id', 'a hint', () => {
    const nobody = { find: () => undefined, serves: () => true };
    expect(() => resolveReference(named(GROUP_ID), 'default', nobody)).toThrow(
      `'${GROUP_ID}' looks like it might be an ARM ID; did you mean 'armID: ${GROUP_ID}'?`,
    );
  });
});

table('docs/spec/owners.md#arm-id-syntax', (row) => {
  row('syntax', 'of ids for armId, whatever the case', () => {
    const good = [
      '/subscriptions/s',
      '/subscriptions/s/resourceGroups/g',
      '/SUBSCRIPTIONS/s/RESOURCEGROUPS/g',
      '/providers/P/t/n',
      '/subscriptions/s/providers/P/t/n',
      '/subscriptions/s/resourcegroups/g/providers/P/t/n/t2/n2',
      `${ACCOUNT_ID}/providers/P/t/n`,
    ];
    const bad = [
      '',
      '/',
      'rg',
      '/subscriptions',
      '/subscriptions/s/',
      '/resourceGroups/g',
      '/providers/P',
      '/providers/P/t',
      '/subscriptions/s/providers/P/t/n/t2',
    ];
    expect(good.filter(isArmId)).toEqual(good);
    expect(bad.filter(isArmId)).toEqual([]);
  });
});

table('docs/spec/owners.md#arm-ids', (row) => {
  row(
    'ResourceGroup',
    "in the credential's subscription",
    inEnvironment(async (environment) => {
      expect(await idOf(environment, GROUPS, { ...group('rg2'), spec: { location: 'x', azureName: 'named' } })).toBe(
        `/subscriptions/${SUBSCRIPTION}/resourceGroups/named`,
      );
    }),
  );
  row(
    'in a ResourceGroup',
    'types and names interleaved',
    inEnvironment(async (environment) => {
      environment.types.push(CONTAINERS);
      expect(await idOf(environment, ACCOUNTS, account())).toBe(ACCOUNT_ID);
      expect(await idOf(environment, BLOBS, object(BLOBS, 'blobs', { owner: { name: 'sa' } }))).toBe(`${ACCOUNT_ID}/blobServices/default`);
      expect(await idOf(environment, CONTAINERS, object(CONTAINERS, 'c', { owner: { name: 'blobs' } }))).toBe(
        `${ACCOUNT_ID}/blobServices/default/containers/c`,
      );
    }),
  );
  row(
    'tenant',
    'an alias has no subscription',
    inEnvironment(async (environment) => {
      expect(await idOf(environment, ALIASES, object(ALIASES, 'sub', {}))).toBe('/providers/Microsoft.Subscription/aliases/sub');
    }),
  );
  row(
    'owner by armId',
    'without the trailing slash; types that it covers are not repeated',
    inEnvironment(async (environment) => {
      expect(await idOf(environment, IDENTITIES, identity('id', { owner: { armId: `${GROUP_ID}/` } }))).toBe(IDENTITY_ID);
      expect(await idOf(environment, BLOBS, object(BLOBS, 'blobs', { owner: { armId: ACCOUNT_ID } }))).toBe(
        `${ACCOUNT_ID}/blobServices/default`,
      );
    }),
  );
  row(
    'owner by armId',
    '(better: a group that is named like the provider is still a group)',
    inEnvironment(async (environment) => {
      const armId = `/subscriptions/${SUBSCRIPTION}/resourceGroups/Microsoft.ManagedIdentity`;
      const owned = await idOf(environment, IDENTITIES, identity('id', { owner: { armId } }));
      expect(owned).toBe(`${armId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id`);
    }),
  );
  row(
    'extension',
    'below the id of whatever it extends',
    inEnvironment(async (environment) => {
      expect(await idOf(environment, ROLES, role({ armId: ACCOUNT_ID }))).toBe(ACCOUNT_ID + ROLE);
      const version = withType(facts(ROLES), 'Microsoft.X/a/b');
      expect(() => armIdOf(role({ armId: GROUP_ID }), version, nobody, SUBSCRIPTION)).toThrow(
        'extension resource cannot have more than one resource type',
      );
    }),
  );
  row(
    'override',
    'an extension of an alias is below the subscription that it made',
    inEnvironment(async (environment) => {
      environment.types.push(ALIASES);
      await readyGroup(environment);
      const { properties } = { properties: { subscriptionId: SUBSCRIPTION, provisioningState: 'Succeeded' } };
      answering(environment, 'GET', { body: { properties } }, '/providers/Microsoft.Subscription/aliases/sub');
      await environment.cluster.create(ALIASES, object(ALIASES, 'sub', {}));
      await settled();
      expect(annotation(environment.stored(ALIASES, 'sub')!, CHILD_RESOURCE_ID_OVERRIDE)).toBe(`/subscriptions/${SUBSCRIPTION}`);
      const assigned = await idOf(environment, ROLES, role({ group: ALIASES.group, kind: ALIASES.kind, name: 'sub' }));
      expect(assigned).toBe(`/subscriptions/${SUBSCRIPTION}${ROLE}`);
    }),
  );
});

const nobody = { find: () => undefined, serves: () => true };
/** The version, as if its ARM type were another one. */
function withType(version: KindVersion, type: string): KindVersion {
  return Object.create(version, { facts: { value: { ...version.facts, arm: { ...version.facts.arm!, type } } } }) as KindVersion;
}

table('docs/spec/owners.md#arm-id-rules', (row) => {
  row('number of names', 'must be that of the types', () => {
    const lookup = { find: () => ({ ...group(), metadata: { name: 'rg', namespace: 'default' } }), serves: () => true };
    const version = withType(facts(IDENTITIES), 'Microsoft.ManagedIdentity/a/b');
    const text = 'could not create fully qualified ARM ID, had 1 azureNames and 2 resourceTypes. ';
    expect(() => armIdOf(identity(), version, lookup, SUBSCRIPTION)).toThrow(text);
  });
  row(
    'Azure name',
    'the resource needs one',
    inEnvironment(async (environment) => {
      expect(
        await idOf(
          environment,
          ROLES,
          object(ROLES, 'role', { principalId: SUBSCRIPTION, roleDefinitionReference: { wellKnownName: 'Reader' } }),
        ),
      ).toBeUndefined();
      const message = 'resource has empty AzureName, cannot create fully qualified ARM ID';
      expect(environment.ready(ROLES, 'role')).toMatchObject({ severity: 'Error', reason: 'Failed', message });
    }),
  );
  row(
    'subscription of the group',
    "must be the credential's, whatever the case",
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.credential = { subscriptionId: OTHER_SUBSCRIPTION };
      expect(await idOf(environment, IDENTITIES, identity())).toBeUndefined();
      const message = `resource subscription "${OTHER_SUBSCRIPTION}" does not match parent subscription "${SUBSCRIPTION}"`;
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Error', reason: 'Failed', message });
    }),
  );
  const wrong = (what: string, type: ResourceType, armId: string, message: string) =>
    row(
      'kind of armId',
      what,
      inEnvironment(async (environment) => {
        expect(await idOf(environment, type, object(type, 'x', { location: 'x', owner: { armId } }))).toBeUndefined();
        expect(environment.ready(type, 'x')).toMatchObject({ severity: 'Error', reason: 'Failed', message });
      }),
    );
  wrong(
    'another provider',
    BLOBS,
    `${GROUP_ID}/providers/Microsoft.KeyVault/vaults/v`,
    'expected owner ARM ID to be from provider "Microsoft.Storage", but was "Microsoft.KeyVault"',
  );
  wrong(
    'another type',
    BLOBS,
    `${ACCOUNT_ID}/queueServices/default`,
    'expected owner ARM ID to be of type "Microsoft.Storage/storageAccounts", but was "Microsoft.Storage/storageAccounts/queueServices"',
  );
  wrong(
    'no resource group',
    IDENTITIES,
    ACCOUNT_ID,
    'expected owner ARM ID to be for a resource group, but was "Microsoft.Storage/storageAccounts"',
  );
  row(
    'kind of armId',
    'of the owner of an owner: ReferenceNotFound',
    () => {
      const owner = object(ACCOUNTS, 'sa', { owner: { armId: ACCOUNT_ID } });
      const blob = object(BLOBS, 'x', { owner: { name: 'sa' } });
      const lookup = { find: () => owner, serves: () => true };
      expect(() => armIdOf(blob, versionOf(blob)!, lookup, SUBSCRIPTION)).toThrow(expect.objectContaining({
        reason: 'ReferenceNotFound',
        severity: 'Warning',
        message: 'expected owner ARM ID to be for a resource group, but was "Microsoft.Storage/storageAccounts"',
      }) as Error);
    },
  );
  row(
    'armId of another subscription',
    'the id is built; the check before the PUT fails',
    inEnvironment(async (environment) => {
      const armId = `/subscriptions/${OTHER_SUBSCRIPTION}/resourceGroups/rg`;
      expect(await idOf(environment, IDENTITIES, identity('id', { owner: { armId } }))).toMatch(armId);
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Error', reason: 'SubscriptionMismatch' });
      expect(environment.azure.count('PUT', '/id')).toBe(0);
    }),
  );
  row(
    'no subscription',
    'passes every check',
    inEnvironment(async (environment) => {
      environment.credential = { subscriptionId: OTHER_SUBSCRIPTION };
      environment.types.push(ALIASES);
      await environment.cluster.create(ALIASES, object(ALIASES, 'sub', {}, { [POLICY]: 'skip' }));
      await environment.start();
      expect(environment.ready(ALIASES, 'sub')).toMatchObject({ reason: 'AzureResourceNotFound' });
    }),
  );
});

table('docs/spec/owners.md#subscriptions', (row) => {
  row('subscriptions', 'a resource lives in that of its credential; references may point anywhere', inEnvironment(async (environment) => {
    const armId = `/subscriptions/${OTHER_SUBSCRIPTION}/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/s`;
    const networkAcls = { defaultAction: 'Deny', virtualNetworkRules: [{ reference: { armId } }] };
    expect(await idOf(environment, ACCOUNTS, account({ networkAcls }))).toBe(ACCOUNT_ID);
    expect(environment.ready(ACCOUNTS, 'sa')).toMatchObject({ status: 'True' });
  }));
  row('subscriptions', 'a claimed object is not made anew in another one', inEnvironment(async (environment) => {
    await readyGroup(environment);
    environment.credential = { subscriptionId: OTHER_SUBSCRIPTION };
    await edit(environment, { tags: {} });
    expect(environment.ready(GROUPS, 'rg')).toMatchObject({ reason: 'SubscriptionMismatch' });
    expect(environment.azure.count('PUT')).toBe(1);
  }));
});

table('docs/spec/owners.md#owner-reference', (row) => {
  const references = async (environment: TestEnvironment, child = identity()) => {
    await inReadyGroup(environment, IDENTITIES, child);
    return environment.stored(IDENTITIES, 'id')!.metadata.ownerReferences;
  };
  row(
    'apiVersion, kind',
    "the owner's (better: in the version that the cluster serves)",
    inEnvironment(async (environment) => {
      expect(await references(environment)).toMatchObject([{ apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup' }]);
    }),
  );
  row(
    'name, uid',
    "the owner's",
    inEnvironment(async (environment) => {
      expect(await references(environment)).toMatchObject([{ name: 'rg', uid: environment.stored(GROUPS, 'rg')!.metadata.uid }]);
    }),
  );
  row(
    'controller, blockOwnerDeletion',
    'not set',
    inEnvironment(async (environment) => {
      expect(Object.keys((await references(environment))![0]!).sort()).toEqual(['apiVersion', 'kind', 'name', 'uid']);
    }),
  );
  row(
    'existing entries',
    'one of the same group, kind and name is replaced, others stay',
    inEnvironment(async (environment) => {
      const others = [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u' },
        { apiVersion: 'resources.azure.com/v0', kind: 'ResourceGroup', name: 'rg', uid: 'old' },
      ];
      const child = identity();
      const found = await references(environment, { ...child, metadata: { ...child.metadata, ownerReferences: others } });
      expect(found).toEqual([
        others[0],
        expect.objectContaining({ kind: 'ResourceGroup', uid: environment.stored(GROUPS, 'rg')!.metadata.uid }),
      ]);
    }),
  );
  row(
    'armId',
    'none',
    inEnvironment(async (environment) =>
      expect(await references(environment, identity('id', { owner: { armId: GROUP_ID } }))).toBeUndefined(),
    ),
  );
});
