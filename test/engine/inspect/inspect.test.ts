import { ago, azure, causeOf, error, inspected, namespace, nodeNamed, READY, RECONCILING, RUNNING, warning, type SnapshotParts } from './snapshots';
import type { CauseCode, NodeState } from '../../../engine/inspect';
import { FINALIZER, OPERATOR_NAMESPACE, POLLER_ID, POLLER_TOKEN, PROPAGATE_TO, RECONCILE_POLICY, WAITING } from '../../../src/azure/annotations';

const owner = { name: 'group' };
const group = (ready = READY) => azure('ResourceGroup', 'group', { ready });
const account = (given: Parameters<typeof azure>[2]) => azure('StorageAccount', 'data', { ...given, spec: { owner, ...given?.spec } });
const WAITS = warning('WaitingForOwner', 'Owner "group, Group/Kind: resources.azure.com/ResourceGroup" is not ready. Progress is blocked until the owner is ready.');

describe('the state of an object', () => {
  test.each<[string, NodeState, Parameters<typeof azure>[2]]>([
    ['True', 'Ready', { ready: READY }],
    ['True under skip', 'Suspended', { ready: READY, annotations: { [RECONCILE_POLICY]: 'skip' } }],
    ['Info', 'Reconciling', { ready: RECONCILING }],
    ['Warning', 'Warning', { ready: warning('AuthorizationFailed') }],
    ['Error', 'Error', { ready: error('LocationRequired') }],
    ['Error, and the next request is under way', 'Reconciling', { ready: error('LocationRequired'), annotations: { [POLLER_TOKEN]: '{}' } }],
    ['waiting', 'Waiting', { ready: warning('SecretNotFound') }],
    ['no credential, in the words of ASO', 'Waiting', { ready: warning('Failed', 'shop/x does not exist (credential secret not found: secrets "x" not found)') }],
    ['its turn', 'Waiting', { ready: { ...RECONCILING, message: 'Waiting for its turn: VirtualNetwork shop/net comes first, and Azure takes one write at a time below "/x"' } }],
    ['no condition', 'Unclaimed', {}],
    ['claimed without a condition', 'Reconciling', { metadata: { finalizers: [FINALIZER] } }],
    ['a condition of an older generation', 'Stale', { ready: READY, metadata: { generation: 2, finalizers: [FINALIZER] } }],
    ['the same, with an operation under way', 'Reconciling', { ready: READY, metadata: { generation: 2 }, annotations: { [POLLER_TOKEN]: '{}' } }],
    ['being deleted', 'Deleting', { ready: warning('ScopeLocked'), metadata: { deletionTimestamp: ago(60), finalizers: [FINALIZER] } }],
  ])('%s: %s', (_title, state, given) => {
    expect(nodeNamed(inspected({ objects: [azure('ResourceGroup', 'group', given)] }), 'ResourceGroup/group').state).toBe(state);
  });

  test('begins with the last transition, or with the creation', () => {
    const inspection = inspected({ objects: [group(), azure('ResourceGroup', 'new', { metadata: { creationTimestamp: ago(10) } })] });
    expect(nodeNamed(inspection, 'ResourceGroup/group').since).toBe(Date.parse(ago(300)));
    expect(nodeNamed(inspection, 'ResourceGroup/new').since).toBe(Date.parse(ago(10)));
  });

  test('counts each object once', () => {
    const { states } = inspected({ objects: [group(), account({ ready: WAITS }), azure('ResourceGroup', 'other', { ready: error('X') })] });
    expect(states).toMatchObject({ Ready: 1, Waiting: 1, Error: 1, Warning: 0 });
  });
});

describe('the root cause', () => {
  const exporter = azure('UserAssignedIdentity', 'identity', {
    spec: { owner, operatorSpec: { configMaps: { principalId: { name: 'ids', key: 'principalId' } }, secrets: {} } },
    ready: WAITS,
  });
  const role = (message = '') => azure('RoleAssignment', 'role', {
    spec: { owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'group' }, principalIdFromConfig: { name: 'ids', key: 'principalId' } },
    ready: warning('ConfigMapNotFound', message),
  });
  const interfaceOf = (given: Parameters<typeof azure>[2]) => azure('NetworkInterface', 'nic', {
    ...given,
    spec: { owner, ipConfigurations: [{ name: 'a', subnet: { reference: { group: 'network.azure.com', kind: 'VirtualNetworksSubnet', name: 'front' } } }] },
  });
  const deleting = { deletionTimestamp: ago(60), finalizers: [FINALIZER] };
  const noCredential = warning('CredentialNotFound', 'global credential not configured, you must use either namespaced or per-resource credentials');
  const required = ['AZURE_CLIENT_ID', 'AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID'];

  test.each<[string, SnapshotParts, string, CauseCode, string]>([
    ['an owner that Azure refuses', { objects: [group(warning('AuthorizationFailed', 'no rights')), account({ ready: WAITS })] },
      'StorageAccount/data', 'Condition', 'ResourceGroup shop/group: AuthorizationFailed: no rights'],
    ['an owner that is missing', { objects: [account({ ready: WAITS })] }, 'StorageAccount/data', 'OwnerMissing', 'ResourceGroup shop/group does not exist'],
    ['an owner of a kind that is not served', { objects: [account({ ready: WAITS })], notServed: ['ResourceGroup'] },
      'StorageAccount/data', 'KindNotServed', 'the cluster does not serve ResourceGroup.resources.azure.com, so ResourceGroup shop/group cannot exist: its CRD is not installed'],
    ['an owner that may not be read', { objects: [account({ ready: WAITS })], unread: [{ group: 'resources.azure.com', kind: 'ResourceGroup', why: '403 Forbidden' }] },
      'StorageAccount/data', 'Unreadable', 'ResourceGroup shop/group could not be read: 403 Forbidden'],
    ['an owner whose webhook does not answer', {
      objects: [account({ ready: WAITS })],
      unread: [{ group: 'resources.azure.com', kind: 'ResourceGroup', why: '500: conversion webhook for resources.azure.com/v1 failed: no endpoints' }],
    }, 'StorageAccount/data', 'WebhookDown', 'ResourceGroup shop/group could not be read: 500: conversion webhook for resources.azure.com/v1 failed: no endpoints'],
    ['an owner that is Ready by now', { objects: [group(), account({ ready: WAITS })] }, 'StorageAccount/data', 'Resolved', 'what StorageAccount shop/data waited for is there now'],
    ['the same, and no controller runs', { objects: [group(), account({ ready: WAITS })], controllers: [] },
      'StorageAccount/data', 'NoController', 'no controller runs in the cluster: neither a Deployment nor a Lease of one is there'],
    ['an exporter that waits for its owner', { objects: [exporter, role()] }, 'RoleAssignment/role', 'OwnerMissing', 'ResourceGroup shop/group does not exist'],
    ['a ConfigMap of nobody', { objects: [group(), role()] }, 'RoleAssignment/role', 'ConfigMapMissing', 'ConfigMap shop/ids does not exist, and no object exports it'],
    ['a ConfigMap without the key', { objects: [group(), role()], configMaps: [{ name: 'ids', keys: ['clientId'] }] },
      'RoleAssignment/role', 'ConfigMapKeyMissing', 'ConfigMap shop/ids has no key "principalId"'],
    ['an exporter that is Ready', {
      objects: [group(), role(), azure('UserAssignedIdentity', 'identity', { spec: exporter.spec!, ready: READY })],
    }, 'RoleAssignment/role', 'ValueNotExported', 'UserAssignedIdentity shop/identity is Ready, and key principalId of ConfigMap shop/ids is not there: its export gives no such value'],
    ['a reference that is missing', { objects: [group(), interfaceOf({ ready: warning('ReferenceNotFound', "couldn't resolve reference shop/front: …") })] },
      'NetworkInterface/nic', 'ReferenceMissing', 'VirtualNetworksSubnet shop/front does not exist'],
    ['a reference without id, whose owner is missing', {
      objects: [
        group(),
        interfaceOf({ ready: warning('ReferenceNotFound', "ref front doesn't have an assigned ARM ID") }),
        azure('VirtualNetworksSubnet', 'front', { spec: { owner: { name: 'net' } }, ready: WAITS }),
      ],
    }, 'NetworkInterface/nic', 'OwnerMissing', 'VirtualNetwork shop/net does not exist'],
    ['a credential that is missing', { objects: [group(noCredential), account({ ready: WAITS })] },
      'StorageAccount/data', 'CredentialMissing', "there is no credential: neither Secret shop/aso-credential nor one of the controller's settings"],
    ['a credential without a key', { objects: [group(warning('CredentialInvalid', 'x'))], secrets: [{ name: 'aso-credential', keys: required.slice(1) }] },
      'ResourceGroup/group', 'CredentialIncomplete', 'the credential Secret shop/aso-credential has no key AZURE_CLIENT_ID'],
    ['a credential of an object, in the words of ASO', {
      objects: [azure('ResourceGroup', 'group', {
        ready: warning('Failed', 'shop/dba does not exist (credential secret not found: …)'),
        annotations: { 'serviceoperator.azure.com/credential-from': 'dba' },
      })],
    }, 'ResourceGroup/group', 'CredentialMissing', 'the credential Secret shop/dba does not exist'],
    ['a credential that an identity of another namespace would write', {
      objects: [
        group(noCredential),
        azure('UserAssignedIdentity', 'shop-id', { namespace: 'platform', ready: warning('AuthorizationFailed', 'no'), annotations: { [PROPAGATE_TO]: 'Secret/shop/aso-credential' } }),
      ],
    }, 'ResourceGroup/group', 'Condition', 'UserAssignedIdentity platform/shop-id: AuthorizationFailed: no'],
    ['a namespace that is being deleted', { objects: [account({ ready: WAITS })], namespaces: [namespace('shop', { deletionTimestamp: ago(60) })] },
      'StorageAccount/data', 'NamespaceTerminating', 'Namespace shop is being deleted: ResourceGroup shop/group cannot be created there'],
    ['no controller at all', { objects: [azure('ResourceGroup', 'group')], controllers: [] },
      'ResourceGroup/group', 'NoController', 'no controller runs in the cluster: neither a Deployment nor a Lease of one is there'],
    ['a controller that runs elsewhere, as far as an operation shows', {
      objects: [azure('ResourceGroup', 'group', { ready: RECONCILING, annotations: { [POLLER_TOKEN]: '{}' } })], controllers: [],
    }, 'ResourceGroup/group', 'Condition', 'ResourceGroup shop/group: Reconciling'],
    ['a controller without pods', { objects: [azure('ResourceGroup', 'group')], controllers: [{ ...RUNNING, isRunning: false, readyReplicas: 0 }] },
      'ResourceGroup/group', 'NoController', 'no controller runs: the Deployment azureserviceoperator-system/azureserviceoperator-controller-manager has no ready pod'],
    ['the controller of another namespace', {
      objects: [azure('ResourceGroup', 'group', { annotations: { [OPERATOR_NAMESPACE]: 'old-system' } })],
    }, 'ResourceGroup/group', 'OtherController', 'ResourceGroup shop/group belongs to the controller of namespace old-system, and none runs there; the controllers that run leave it alone'],
    ['a kind that the controller does not watch', { objects: [azure('ResourceGroup', 'group')] },
      'ResourceGroup/group', 'NotWatched', 'no controller has looked at ResourceGroup shop/group: none watches its kind and its namespace'],
    ['an object of this minute', { objects: [azure('ResourceGroup', 'group', { metadata: { creationTimestamp: ago(5) } })] },
      'ResourceGroup/group', 'JustCreated', 'ResourceGroup shop/group was created a moment ago; no controller has looked at it yet'],
    ['a spec that nothing has looked at', { objects: [azure('ResourceGroup', 'group', { ready: READY, metadata: { generation: 3 } })] },
      'ResourceGroup/group', 'Stale', 'no controller has looked at generation 3 of ResourceGroup shop/group yet: the condition is of generation 1'],
    ['an owner with two forms', {
      objects: [azure('StorageAccount', 'data', { spec: { owner: { name: 'group', armId: '/x' } }, ready: WAITS })],
    }, 'StorageAccount/data', 'InvalidOwner', "spec.owner of StorageAccount shop/data is not valid: the 'ARMID' field is mutually exclusive with 'Group', 'Kind', 'Namespace', and 'Name' for ResourceReference: Group: \"\", Kind: \"\", Name: \"group\", ARMID: \"/x\""],
    ['a finalizer of another program', { objects: [azure('ResourceGroup', 'group', { ready: READY, metadata: { deletionTimestamp: ago(60), finalizers: ['example.com/backup'] } })] },
      'ResourceGroup/group', 'ForeignFinalizer', 'ResourceGroup shop/group is kept by the finalizer example.com/backup, of another program'],
    ['a child that is locked, in a deletion of the owner first', {
      objects: [
        azure('ResourceGroup', 'group', { ready: READY, metadata: { deletionTimestamp: ago(60), finalizers: ['foregroundDeletion'] } }),
        account({ ready: warning('ScopeLocked', 'locked'), metadata: deleting }),
      ],
    }, 'ResourceGroup/group', 'Condition', 'StorageAccount shop/data: ScopeLocked: locked'],
    ['a deletion that others need', {
      objects: [
        azure('UserAssignedIdentity', 'identity', {
          ready: { ...RECONCILING, reason: 'Deleting', message: 'The deletion waits until nobody needs this any more: 1 object of namespace shop that use the credential Secret aso-credential: StorageAccount data. Not being deleted: StorageAccount data. Delete what is to go, or …' },
          metadata: deleting,
        }),
        group(), account({ ready: READY }),
      ],
    }, 'UserAssignedIdentity/identity', 'StillInUse', 'UserAssignedIdentity shop/identity is being deleted, and objects that are not still need it: StorageAccount data'],
    ['a turn', {
      objects: [
        azure('VirtualNetwork', 'net', { spec: { owner }, ready: warning('Conflict', 'busy') }),
        azure('VirtualNetworksSubnet', 'front', {
          spec: { owner: { name: 'net' } },
          ready: { ...RECONCILING, message: 'Waiting for its turn: VirtualNetwork shop/net comes first, and Azure takes one write at a time below "/x"' },
        }),
        group(),
      ],
    }, 'VirtualNetworksSubnet/front', 'Condition', 'VirtualNetwork shop/net: Conflict: busy'],
    ['a parent that Azure does not have, though its object is Ready', { objects: [group(), account({ ready: warning('ResourceGroupNotFound', 'gone') })] },
      'StorageAccount/data', 'Condition', 'StorageAccount shop/data: ResourceGroupNotFound: gone'],
    ['a parent that Azure does not have, and whose object says why', { objects: [group(warning('ScopeLocked', 'locked')), account({ ready: warning('ResourceGroupNotFound', 'gone') })] },
      'StorageAccount/data', 'Condition', 'ResourceGroup shop/group: ScopeLocked: locked'],
    ['a kind that the controller leaves out', {
      objects: [account({ ready: warning('KindNotWatched', 'the ResourceGroup "group" cannot be read: this controller leaves ResourceGroup.resources.azure.com out (--kinds)') }), group()],
    }, 'StorageAccount/data', 'NotWatched', 'the controller leaves ResourceGroup.resources.azure.com out (--kinds)'],
  ])('%s', (_title, parts, name, code, text) => {
    expect(causeOf(inspected(parts), name)).toMatchObject({ code, text });
  });

  test('of a cycle is the cycle, wherever it is entered', () => {
    const subnet = (name: string, other: string) => azure('VirtualNetworksSubnet', name, {
      spec: { owner: { name: 'net' }, routeTable: { reference: { group: 'network.azure.com', kind: 'VirtualNetworksSubnet', name: other } } },
      ready: warning('ReferenceNotFound', `ref ${other} doesn't have an assigned ARM ID`),
    });
    const objects = [subnet('a', 'b'), subnet('b', 'a'), azure('VirtualNetwork', 'net', { spec: { owner }, ready: READY }), group()];
    const inspection = inspected({ objects });
    const text = 'objects wait for each other: VirtualNetworksSubnet shop/a → VirtualNetworksSubnet shop/b → VirtualNetworksSubnet shop/a';
    for (const name of ['VirtualNetworksSubnet/a', 'VirtualNetworksSubnet/b']) expect(causeOf(inspection, name)).toMatchObject({ code: 'Cycle', text });
  });

  test('names all objects that it stops, its own first', () => {
    const children = Array.from({ length: 12 }, (_, index) => azure('StorageAccount', `data${index}`, { spec: { owner }, ready: WAITS }));
    const { causes } = inspected({ objects: [...children, group(warning('AuthorizationFailed', 'no'))] });
    expect(causes).toHaveLength(1);
    expect(causes[0]).toMatchObject({ reason: 'AuthorizationFailed', severity: 'Warning' });
    expect(causes[0]!.nodes).toHaveLength(13);
    expect(causes[0]!.nodes[0]).toBe(causes[0]!.node);
  });

  test('of an error comes before progress, and the larger one first', () => {
    const objects = [
      azure('ResourceGroup', 'a', { ready: RECONCILING }),
      azure('ResourceGroup', 'b', { ready: warning('AuthorizationFailed') }),
      azure('ResourceGroup', 'c', { ready: error('LocationRequired') }),
      azure('StorageAccount', 'd', { spec: { owner: { name: 'b' } }, ready: WAITS }),
    ];
    expect(inspected({ objects }).causes.map(({ object: { name } }) => name)).toEqual(['b', 'c', 'a']);
  });
});

describe('a node', () => {
  test('has its owner, children and references', () => {
    const inspection = inspected({ objects: [group(), account({ ready: READY })] });
    expect(nodeNamed(inspection, 'ResourceGroup/group').children).toEqual(['storage.azure.com/StorageAccount/shop/data']);
    expect(nodeNamed(inspection, 'StorageAccount/data').owner).toMatchObject({ state: 'found', object: { name: 'group' } });
    expect(inspection.roots).toEqual(['resources.azure.com/ResourceGroup/shop/group']);
  });

  test('has a root in a cycle of owners', () => {
    const objects = ['a', 'b'].map((name) => azure('RoleAssignment', name, {
      spec: { owner: { group: 'authorization.azure.com', kind: 'RoleAssignment', name: name === 'a' ? 'b' : 'a' } },
      ready: warning('WaitingForOwner'),
    }));
    const inspection = inspected({ objects });
    expect(inspection.roots).toEqual(['authorization.azure.com/RoleAssignment/shop/a']);
    expect(causeOf(inspection, 'RoleAssignment/a')?.code).toBe('Cycle');
  });

  test('has the policy with its place', () => {
    const policyOf = (annotations: Record<string, string>, ofNamespace?: string) =>
      nodeNamed(inspected({
        objects: [azure('ResourceGroup', 'group', { ready: READY, annotations })],
        namespaces: [namespace('shop', ofNamespace === undefined ? {} : { annotations: { [RECONCILE_POLICY]: ofNamespace } })],
      }), 'ResourceGroup/group').policy;
    expect(policyOf({})).toEqual({ policy: 'manage', from: 'controller' });
    expect(policyOf({}, 'skip')).toEqual({ policy: 'skip', from: 'namespace' });
    expect(policyOf({ [RECONCILE_POLICY]: 'detach-on-delete' }, 'skip')).toEqual({ policy: 'detach-on-delete', from: 'object' });
    expect(policyOf({ [RECONCILE_POLICY]: 'Skip' })).toEqual({ policy: 'manage', from: 'controller', invalid: 'Skip' });
    const { invalid } = policyOf({ [RECONCILE_POLICY]: `AccountKey=${'abcdefgh'.repeat(10_000)}` });
    expect(invalid).toBe('AccountKey=***…');
  });

  test('has its credential, without values', () => {
    const secrets = [{ name: 'aso-credential', keys: ['AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET', 'AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID'] }];
    const credentialOf = (parts: Partial<SnapshotParts>) => nodeNamed(inspected({ objects: [group()], ...parts }), 'ResourceGroup/group').credential;
    expect(credentialOf({ secrets })).toMatchObject({ scope: 'namespace', state: 'found', mode: 'client secret', secret: { namespace: 'shop', name: 'aso-credential' } });
    expect(credentialOf({})).toMatchObject({ scope: 'controller', state: 'given', secret: { namespace: 'azureserviceoperator-system', name: 'aso-controller-settings' } });
    expect(credentialOf({ secrets: 'unknown' })).toMatchObject({ scope: 'namespace', state: 'unknown' });
  });

  test('has the operation in Azure', () => {
    const annotations = { [POLLER_TOKEN]: '{}', [POLLER_ID]: 'GenericClient.DeleteByID', [WAITING]: `delete ${ago(90)}` };
    const node = nodeNamed(inspected({ objects: [azure('ResourceGroup', 'group', { ready: READY, annotations })] }), 'ResourceGroup/group');
    expect(node.operation).toMatchObject({ method: 'DELETE', since: Date.parse(ago(90)) });
  });
});

test('a key that Azure quotes is in no message, condition or cause', () => {
  const key = 'AccountKey=c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0';
  const inspection = inspected({ objects: [azure('ResourceGroup', 'group', { ready: warning('Conflict', `cannot use ${key};`) })] });
  expect(JSON.stringify([inspection.nodes, inspection.causes])).not.toContain('c2VjcmV0');
  expect(inspection.causes[0]!.text).toContain('AccountKey=***');
});

describe('objects of any form', () => {
  test.each<[string, unknown]>([
    ['no spec', { spec: undefined }],
    ['a spec that is a list', { spec: [] }],
    ['conditions that are no list', { status: { conditions: 'x' } }],
    ['a condition that is no object', { status: { conditions: [null, 1] } }],
    ['an unknown kind', { apiVersion: 'x.azure.com/v1', kind: 'X' }],
    ['an unknown version', { apiVersion: 'resources.azure.com/v1api20200601storage' }],
    ['times that are none', { metadata: { name: 'group', namespace: 'shop', creationTimestamp: 'x', deletionTimestamp: 'y' } }],
  ])('%s', (_title, change) => {
    const { nodes } = inspected({ objects: [{ ...group(), ...(change as object) }] });
    expect(nodes).toHaveLength(1);
  });
});
