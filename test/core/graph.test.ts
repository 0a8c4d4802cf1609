import { App, Lazy, Testing } from 'cdk8s';
import {
  account,
  using,
  BlobService,
  chart,
  FederatedCredential,
  findings,
  GROUP_ID,
  group,
  Identity,
  identity,
  ResourceGroup,
  RoleAssignment,
  SUBSCRIPTION,
} from './kinds';
import { AsoAuthentication, AsoCredential, AzureReference, BuiltInRole } from '../../src/core';

describe('namespaces', () => {
  const app = () => {
    const root: App = Testing.app();
    return [chart('one', 'one', root), chart('two', 'two', root)];
  };

  test('an owner lives in the same one', () => {
    const [one, two] = app();
    account(two!, 'sa1', group(one!));
    expect(findings(one!)).toEqual([
      "[two/sa1] StorageAccount owner: the owner 'one/rg' is in namespace 'one', this StorageAccount in namespace 'two'; Kubernetes objects are looked up in the namespace of the object that names them. Move one of them, or give the owner by ARM id (fromArmId).",
    ]);
  });

  test('so does what exports a value, and a credential', () => {
    const [one, two] = app();
    const id = identity(one!, 'app-id', group(one!));
    const credential = new AsoCredential(one!, 'cred', {
      subscriptionId: SUBSCRIPTION,
      tenantId: SUBSCRIPTION,
      authentication: AsoAuthentication.workloadIdentity(SUBSCRIPTION),
    });
    new RoleAssignment(two!, 'role', {
      owner: AzureReference.fromArmId(GROUP_ID),
      principalIdFromConfig: id.output('principalId'),
      roleDefinitionReference: BuiltInRole.READER,
      credential: credential.reference,
    });
    expect(findings(one!)).toEqual([
      expect.stringContaining("[two/role] RoleAssignment principalIdFromConfig: the resource that exports the value 'one/app-id' is in namespace 'one', this RoleAssignment in namespace 'two'"),
      expect.stringContaining("[two/role] RoleAssignment credential: the credential's Secret 'one/cred/Resource' is in namespace 'one'"),
    ]);
  });
});

describe('dangling references', () => {
  test('to another app', () => {
    const scope = chart();
    account(scope, 'sa1', group(chart('platform', 'other')));
    expect(findings(scope)).toEqual([
      expect.stringContaining("[chart/sa1] StorageAccount owner: the owner 'other/rg' belongs to another app, so nothing here creates it."),
    ]);
  });

  test('to another app\'s output', () => {
    const scope = chart();
    const other = chart('platform', 'other');
    const output = identity(other, 'app-id', group(other)).output('principalId');
    new RoleAssignment(scope, 'role', {
      owner: AzureReference.fromArmId(GROUP_ID),
      principalIdFromConfig: output,
      roleDefinitionReference: BuiltInRole.READER,
    });
    expect(findings(scope)).toEqual([expect.stringContaining('name the ConfigMap or Secret: ConfigMapValue.fromConfigMap')]);
  });

  test('to a construct that was taken out', () => {
    const scope = chart();
    const rg = group(scope);
    account(scope, 'sa1', rg);
    expect(findings(scope)).toEqual([]);
    scope.node.tryRemoveChild('rg');
    expect(findings(scope)).toEqual([
      expect.stringContaining("[chart/sa1] StorageAccount owner: the owner 'chart/rg' is no longer a part of the app."),
    ]);
  });
});

describe('cycles', () => {
  test('of names', () => {
    const scope = chart();
    const late = Lazy.any({ produce: () => b });
    const a = identity(scope, 'aaa', ResourceGroup.named('rg'), { operatorSpec: undefined });
    const b = account(scope, 'bbb', ResourceGroup.named('rg'), using(a, Identity.named('ccc')));
    account(scope, 'ddd', ResourceGroup.named('rg'), using(late));
    expect(findings(scope)).toEqual([]);
    account(scope, 'eee', ResourceGroup.named('rg'), using(AzureReference.fromName('storage.azure.com', 'StorageAccount', 'fff')));
    account(scope, 'fff', ResourceGroup.named('rg'), using(AzureReference.fromName('storage.azure.com', 'StorageAccount', 'eee')));
    expect(findings(scope)).toEqual([
      "[chart/eee] StorageAccount networkAcls.resourceAccessRules[0].resourceReference: these resources wait for each other: 'chart/eee' (networkAcls.resourceAccessRules[0].resourceReference) → 'chart/fff' (networkAcls.resourceAccessRules[0].resourceReference) → 'chart/eee'; objects that wait for each other are never created. Take one of the references out, or give it by ARM id.",
    ]);
    expect(() => (scope.node.root as App).synthYaml()).toThrow('these resources wait for each other');
  });

  test('of one', () => {
    const scope = chart();
    account(scope, 'sa1', ResourceGroup.named('rg'), using(AzureReference.fromName('storage.azure.com', 'StorageAccount', 'sa1')));
    expect(findings(scope)).toEqual([expect.stringContaining('the resource refers to itself')]);
  });

  test('a long chain is none, and no trouble', () => {
    const scope = chart();
    for (let i = 0; i < 3000; i++) {
      account(
        scope,
        `sa${i}`,
        ResourceGroup.named('rg'),
        using(AzureReference.fromName('storage.azure.com', 'StorageAccount', `sa${i + 1}`)),
      );
    }
    expect(findings(scope)).toEqual([]);
  });
});

describe('duplicates', () => {
  test('two resources with one Azure name, type and owner', () => {
    const scope = chart();
    const rg = group(scope);
    account(scope, 'one', rg, { azureName: 'same' });
    account(scope, 'two', ResourceGroup.named('rg'), { azureName: 'same' });
    identity(scope, 'three', rg, { azureName: 'same' });
    account(scope, 'four', ResourceGroup.named('rg2'), { azureName: 'same' });
    account(scope, 'five', AzureReference.fromArmId(GROUP_ID), { azureName: 'same' });
    account(scope, 'six', AzureReference.fromArmId(GROUP_ID.toUpperCase()), { azureName: 'same' });
    expect(findings(scope)).toEqual([
      "[chart/two] StorageAccount azureName: 'same' is also the Azure name of 'chart/one', with the same type and the same owner; the two would fight over one Azure resource. Give one of them another azureName or owner.",
      "[chart/four] StorageAccount azureName: 'same' is also the Azure name of 'chart/one'; the name is part of a host name: Azure lets only one resource in the world have it. Give one of them another azureName.",
      expect.stringContaining(
        "[chart/five] StorageAccount azureName: 'same' is also the Azure name of 'chart/one'; the name is part of a host name",
      ),
      expect.stringContaining("[chart/six] StorageAccount azureName: 'same' is also the Azure name of 'chart/five'"),
    ]);
  });

  test('two of a kind whose name is fixed', () => {
    const scope = chart();
    const owner = account(scope, 'sa1', group(scope));
    new BlobService(scope, 'b1', { owner });
    new BlobService(scope, 'b2', { owner });
    expect(findings(scope)).toEqual([
      expect.stringContaining("[chart/b2] StorageAccountsBlobService azureName: 'default' is also the Azure name of 'chart/b1'"),
    ]);
  });

  test('resource groups, unless another credential makes them', () => {
    const scope = chart();
    group(scope, 'a', { azureName: 'Same' });
    group(scope, 'b', { azureName: 'same' });
    group(scope, 'c', {
      azureName: 'same',
      metadata: { name: 'c', annotations: { 'serviceoperator.azure.com/credential-from': 'other' } },
    });
    expect(findings(scope)).toEqual([
      expect.stringContaining("[chart/b] ResourceGroup azureName: 'same' is also the Azure name of 'chart/a'"),
    ]);
  });

  test('two objects with one name', () => {
    const scope = chart();
    const rg = group(scope);
    account(scope, 'sa1', rg);
    account(scope, 'sa2', rg, { metadata: { name: 'sa1' }, azureName: 'other' });
    expect(findings(scope)).toEqual([
      expect.stringContaining("[chart/sa2] StorageAccount metadata.name: 'sa1' is also the name of 'chart/sa1'"),
    ]);
  });

  test('role assignments without names of their own are told apart by the controller', () => {
    const scope = chart();
    const owner = group(scope);
    const role = (id: string, principalId: string) =>
      new RoleAssignment(scope, id, { owner, principalId, roleDefinitionReference: BuiltInRole.READER });
    role('a', '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52');
    role('b', '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11');
    expect(findings(scope)).toEqual([]);
  });
});

describe('destinations', () => {
  test('one key is written once', () => {
    const scope = chart();
    identity(scope, 'app-id', group(scope), {
      operatorSpec: {
        configMaps: { clientId: { name: 'ids', key: 'id' }, tenantId: { name: 'ids', key: 'id' } },
        secrets: { clientId: { name: 'ids', key: 'id' } },
        configMapExpressions: [
          { name: 'ids', key: 'other', value: 'self.status.id' },
          { name: 'ids', value: '{}' },
          { name: 'ids', value: '{}' },
        ],
        secretExpressions: [{ name: 'ids', key: 'id', value: 'self.status.id' }],
      },
    });
    expect(findings(scope)).toEqual([
      "[chart/app-id] UserAssignedIdentity operatorSpec.configMaps.tenantId: key 'id' of ConfigMap 'ids' is already written by operatorSpec.configMaps.clientId; the webhook refuses two exports to one key, annotation or label. Give another key or name.",
      "[chart/app-id] UserAssignedIdentity operatorSpec.secrets.clientId: key 'id' of Secret 'ids' is already written by operatorSpec.secretExpressions[0]; the webhook refuses two exports to one key, annotation or label. Give another key or name.",
    ]);
  });

  test('one ConfigMap is written by one resource', () => {
    const scope = chart();
    const rg = group(scope);
    const exporting = (id: string, key: string) =>
      identity(scope, id, rg, { operatorSpec: { configMaps: { clientId: { name: 'ids', key } } } });
    exporting('first', 'a');
    exporting('second', 'b');
    expect(findings(scope)).toEqual([
      "[chart/second] UserAssignedIdentity operatorSpec.configMaps.clientId: ConfigMap 'ids' is already written by 'chart/first'; a ConfigMap or Secret is owned by the one object that writes it, which replaces it whole; the other object never gets Ready. Give another name.",
    ]);
  });
});

test('checks between resources take time in proportion to their number', () => {
  const scope = chart();
  const rg = group(scope);
  for (let i = 0; i < 10_000; i++) {
    new FederatedCredential(scope, `fic${i}`, { owner: i < 2 ? Identity.named('id') : identity(scope, `id${i}`, rg), audiences: ['a'] });
  }
  // Twice, as cdk8s does; a quadratic pass over 20,000 objects would not come to an end here.
  expect(findings(scope)).toEqual([]);
  expect(findings(scope)).toEqual([]);
});
