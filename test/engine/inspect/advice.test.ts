import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ago, azure, causeOf, error, inspected, namespace, nodeNamed, READY, RUNNING, warning, type Given, type SnapshotParts } from './snapshots';
import { adviceFor, explain, type Advice } from '../../../engine/inspect';
import { CREDENTIAL_FROM, FINALIZER, OPERATOR_NAMESPACE, RECONCILE_POLICY, RESOURCE_ID } from '../../../src/azure/annotations';

const root = join(__dirname, '..', '..', '..');
const specification = (name: string) => join(root, 'docs', 'spec', `${name}.md`);
const GROUP = '/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/shop';
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/shopdata`;
const spec = { owner: { name: 'group' } };

function adviceOf(parts: SnapshotParts, name: string): Advice {
  const inspection = inspected(parts);
  return adviceFor(causeOf(inspection, name)!, inspection);
}

/** Advice for the condition of a storage account. */
function onAccount(reason: string, message = '', given: Given = {}): string[] {
  const account = azure('StorageAccount', 'data', {
    spec, ready: warning(reason, message), metadata: { finalizers: [FINALIZER] }, annotations: { [RESOURCE_ID]: ACCOUNT }, ...given,
  });
  const { text, commands } = adviceOf({ objects: [account, azure('ResourceGroup', 'group', { ready: READY })] }, 'StorageAccount/data');
  return [text, ...commands];
}

const noRights = (action: string, scope: string) => `The client 'c' with object id '7f1f4a6e' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid.`;

describe('the reasons of the controllers', () => {
  test.each<[string, string, RegExp]>([
    ['Reconciling', '', /^Wait: Azure works on it/],
    ['AzureResourceNotFound', '', /aso\.cdk8s\.io\/adopt-$/],
    ['SubscriptionMismatch', 'x', /in another subscription than the credential/],
    ['FailedWritingAdditionalKubernetesObjects', 'x', /choose another name for the destination/],
    ['ReconciliationBlocked', 'x', /a state in which the service takes no changes/],
    ['ReconciliationPostponed', '', /tried again/],
    ['PostReconciliationFailure', 'x', /not usable yet/],
    ['DeletionNotSupportedInAzure', 'x', /reconcile-policy=detach-on-delete --overwrite$/],
    ['ReconciliationFailedPermanently', 'x', /Read the message/],
    ['Failed', 'x', /^Read the message/],
    ['Failed', 'the spec now means "/a", but this object already manages "/b"', /Owner and azureName say which resource it is/],
    ['Failed', 'resource has empty AzureName, cannot create fully qualified ARM ID', /set spec\.azureName/],
    ['Failed', 'This controller does not reconcile User.dbforpostgresql.azure.com', /DATABASE_USERS/],
    ['Failed', 'resource subscription "a" does not match parent subscription "b"', /another subscription/],
    ['Failed', 'failed to get credential "shop/x"', /Correct the credential/],
    ['UnknownError', 'x', /proxies, firewalls and DNS/],
    ['CredentialInvalid', 'x', /kubectl edit secret/],
    ['CredentialExpired', 'x', /make a new one/],
    ['CredentialRejected', 'x', /Microsoft Entra ID refuses/],
    ['CredentialUnavailable', 'x', /token file, identity file or metadata endpoint/],
    ['ServiceAccountNotFound', 'x', /^kubectl create serviceaccount aso-workload -n shop$/],
    ['ServiceAccountTokenForbidden', 'x', /kubectl auth can-i create serviceaccounts\/token/],
    ['FederatedCredentialNotFound', 'x', /--subject system:serviceaccount:shop:aso-workload/],
    ['CacheNotSynced', 'x', /give it get, list and watch/],
    ['KindNotWatched', 'x', /install its CRD, or select it with --kinds/],
    ['ResourceAlreadyExists', 'x', /aso\.cdk8s\.io\/adopt=IfPresent --overwrite$/],
    ['OperationOverdue', 'x', /az monitor activity-log list --resource-id/],
    ['KubernetesWriteRefused', 'x', /256 KiB/],
  ])('%s %s', (reason, message, expected) => expect(onAccount(reason, message)).toContainEqual(expect.stringMatching(expected)));

  test('under skip, the policy is what stands in the way', () => {
    const advice = onAccount('AzureResourceNotFound', '', { annotations: { [RESOURCE_ID]: ACCOUNT, [RECONCILE_POLICY]: 'skip' } });
    expect(advice).toContainEqual('kubectl annotate storageaccounts.storage.azure.com data -n shop serviceoperator.azure.com/reconcile-policy=manage --overwrite');
  });

  test('a credential of another namespace is no Secret to edit', () => {
    const advice = onAccount('CredentialInvalid', 'x', { annotations: { [CREDENTIAL_FROM]: 'kube-system/secret' } });
    expect(advice[1]).toBe('kubectl annotate storageaccounts.storage.azure.com data -n shop serviceoperator.azure.com/credential-from=… --overwrite');
  });

  test('a deletion may be let go', () => {
    const advice = onAccount('Deleting', '', { ready: { status: 'False', severity: 'Info', reason: 'Deleting' }, metadata: { deletionTimestamp: ago(60), finalizers: [FINALIZER] } });
    expect(advice[0]).toContain('detach-on-delete');
  });
});

describe("Azure's codes", () => {
  test.each<[string, string, RegExp]>([
    ['AuthorizationFailed', noRights('Microsoft.Storage/storageAccounts/write', ACCOUNT), new RegExp(`^az role assignment create --assignee-object-id 7f1f4a6e --assignee-principal-type ServicePrincipal --role Contributor --scope ${GROUP}$`)],
    ['AuthorizationFailed', noRights('Microsoft.Authorization/roleAssignments/write', `${ACCOUNT}/providers/Microsoft.Authorization/roleAssignments/x`), /--role 'Role Based Access Control Administrator' --scope/],
    ['AuthorizationFailed', noRights('Microsoft.Resources/subscriptions/resourcegroups/write', GROUP), /--role Contributor --scope \/subscriptions\/11111111-2222-3333-4444-555555555555$/],
    ['AuthorizationFailed', 'no details', /az role assignment create --assignee-object-id … /],
    ['LinkedAuthorizationFailed', "it does not have permission to perform action 'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action' on the linked scope(s) '/subscriptions/s/i' or", /--role 'Managed Identity Operator' --scope \/subscriptions\/s\/i$/],
    ['PrincipalNotFound', 'x', /principalType: ServicePrincipal/],
    ['RoleAssignmentExists', 'x', /The same role is given/],
    ['RequestDisallowedByPolicy', 'x', new RegExp(`^az policy assignment list --scope ${GROUP} `)],
    ['RequestDisallowedByPolicy', '[{"policyAssignment":{"name":"n","id":"/providers/Microsoft.Authorization/policyAssignments/regions"}}]', /--url '\/providers\/Microsoft\.Authorization\/policyAssignments\/regions\?api-version=2022-06-01'$/],
    ['ScopeLocked', 'x', /^az lock list --resource-group shop --output table$/],
    ['MissingSubscriptionRegistration', "The subscription is not registered to use namespace 'Microsoft.Cache'", /^az provider register --namespace Microsoft\.Cache --wait$/],
    ['MissingRegistrationForLocation', 'x', /^az provider register --namespace Microsoft\.Storage --wait$/],
    ['NoRegisteredProviderFound', 'x', /register it/],
    ['InvalidSubscriptionRegistrationState', 'x', /register it/],
    ['SubscriptionNotRegistered', 'x', /register it/],
    ['SubscriptionNotFound', 'x', /is not there, is disabled, or belongs to another tenant/],
    ['ReadOnlyDisabledSubscription', 'x', /disabled/],
    ['TooManyRequests', 'x', /Azure throttles/],
    ['SubscriptionRequestsThrottled', 'x', /Azure throttles/],
    ['StorageAccountAlreadyTaken', 'x', /^The name shopdata is taken/],
    ['VaultAlreadyExists', 'x', /is taken/],
    ['NamespaceUnavailable', 'x', /is taken/],
    ['NameUnavailable', 'x', /is taken/],
    ['DnsRecordInUse', 'x', /is taken/],
    ['ConflictError', 'A vault with the same name already exists in deleted state.', /soft delete/],
    ['FlagMustBeSetForRestore', 'x', /soft delete/],
    ['ServiceAlreadyExistsInSoftDeletedState', 'x', /soft delete/],
    ['QuotaExceeded', 'x', /A quota or limit/],
    ['ResourceQuotaExceeded', 'x', /A quota or limit/],
    ['OperationNotAllowed', 'Operation could not be completed as it results in exceeding approved Total Regional Cores quota.', /A quota or limit/],
    ['OperationNotAllowed', 'The disk cannot shrink.', /correct the property/],
    ['AllocationFailed', 'x', /no room for this SKU/],
    ['ZonalAllocationFailed', 'x', /no room for this SKU/],
    ['SkuNotAvailable', 'x', /^az vm list-skus/],
    ['RegionIsOfferRestricted', 'x', /not offered in this region/],
    ['LocationNotAvailableForResourceType', 'x', /^az provider show --namespace Microsoft\.Storage --query /],
    ['InvalidResourceLocation', 'x', /in another region, and cannot move/],
    ['InvalidResourceGroupLocation', 'x', /in another region, and cannot move/],
    ['ResourceGroupNotFound', 'x', /Azure does not have the parent/],
    ['ParentResourceNotFound', 'x', /Azure does not have the parent/],
    ['ResourceNotFound', 'x', /Azure does not have the parent/],
    ['NotFound', 'x', /Azure does not have the parent/],
    ['InvalidResourceReference', 'x', /Azure does not have the parent/],
    ['InUseSubnetCannotBeDeleted', 'x', /still use it/],
    ['ResourceGroupBeingDeleted', 'x', /still use it/],
    ['AnotherOperationInProgress', 'x', /Azure works on this resource/],
    ['Conflict', 'x', /Azure works on this resource/],
    ['FailedIdentityOperation', 'x', /Azure has failed, not the spec/],
    ['InternalServerError', 'x', /Azure has failed, not the spec/],
    ['ServiceUnavailable', 'x', /Azure has failed, not the spec/],
    ['InvalidAuthenticationTokenTenant', 'x', /does not accept the token/],
    ['MethodNotAllowed', 'x', /belongs to its parent/],
    ['PropertyChangeNotAllowed', 'x', /cannot change after the creation/],
    ['LocationRequired', 'x', /correct the property/],
    ['SomethingNew', 'x', /SomethingNew is Azure's word/],
  ])('%s %s', (code, message, expected) => expect(onAccount(code, message)).toContainEqual(expect.stringMatching(expected)));

  test('a soft-deleted vault has its own commands', () => {
    const vault = azure('StorageAccount', 'keys', { ready: warning('ConflictError', 'already exists in deleted state') });
    const id = `${GROUP}/providers/Microsoft.KeyVault/vaults/shopkeys`;
    const object = { ...vault, apiVersion: 'keyvault.azure.com/v1api20230701', kind: 'Vault', metadata: { ...vault.metadata, annotations: { [RESOURCE_ID]: id } } };
    expect(adviceOf({ objects: [object] }, 'Vault/keys').commands).toEqual([
      'az keyvault recover --name shopkeys --location …', 'az keyvault purge --name shopkeys --location …',
    ]);
  });

  test('texts of Azure and of tenants are quoted in commands', () => {
    const evil = noRights('Microsoft.Storage/storageAccounts/write', '/subscriptions/$(reboot)/resourceGroups/`x`').replace('7f1f4a6e', 'a;reboot');
    const commands = onAccount('AuthorizationFailed', evil).slice(1);
    expect(commands[0]).toContain("--assignee-object-id 'a;reboot'");
    expect(commands[0]).toMatch(/--scope '[^']*\$\(reboot\)[^']*'$/);
    expect(onAccount('OperationOverdue', 'x', { annotations: { [RESOURCE_ID]: "/x'; reboot #" } })).toContainEqual(expect.stringContaining("--ids '/x'\\''; reboot #'"));
  });
});

describe('causes that are no condition', () => {
  const account = azure('StorageAccount', 'data', { spec, ready: warning('WaitingForOwner') });
  const deleting = { deletionTimestamp: ago(60), finalizers: ['example.com/x'] };

  test.each<[string, SnapshotParts, string, RegExp]>([
    ['a missing owner', { objects: [account] }, 'StorageAccount/data', /Apply ResourceGroup shop\/group, correct spec\.owner\.name/],
    ['a misspelt owner', { objects: [account, azure('ResourceGroup', 'grup', { ready: READY })] }, 'StorageAccount/data', /Did you mean 'grup'\?/],
    ['an owner of another namespace', { objects: [account, azure('ResourceGroup', 'group', { namespace: 'platform', ready: READY })] }, 'StorageAccount/data', /There is one in namespace platform/],
    ['a kind that is not served', { objects: [account], notServed: ['ResourceGroup'] }, 'StorageAccount/data', /^cdk8s-aso crds/],
    ['no controller', { objects: [azure('ResourceGroup', 'group')], controllers: [] }, 'ResourceGroup/group', /kubectl get deployments,pods -n azureserviceoperator-system/],
    ['another controller', { objects: [azure('ResourceGroup', 'group', { annotations: { [OPERATOR_NAMESPACE]: 'old' } })] }, 'ResourceGroup/group', /serviceoperator\.azure\.com\/operator-namespace-$/],
    ['a kind that is not watched', { objects: [azure('ResourceGroup', 'group')] }, 'ResourceGroup/group', /--kinds has to select the kind/],
    ['a namespace that goes', { objects: [account], namespaces: [namespace('shop', { deletionTimestamp: ago(5) })] }, 'StorageAccount/data', /kubectl get namespace shop/],
    ['a finalizer of others', { objects: [azure('ResourceGroup', 'group', { ready: READY, metadata: deleting })] }, 'ResourceGroup/group', /set the finalizer example\.com\/x/],
    ['nothing but time', { objects: [azure('ResourceGroup', 'group', { metadata: { creationTimestamp: ago(5) } })] }, 'ResourceGroup/group', /look again in a few seconds/],
    ['a wait that is over', { objects: [account, azure('ResourceGroup', 'group', { ready: READY })] }, 'StorageAccount/data', /the next reconciliation, within 30s/],
    ['a spec that is stale', { objects: [azure('ResourceGroup', 'group', { ready: READY, metadata: { generation: 2 } })] }, 'ResourceGroup/group', /cdk8s-aso status/],
    ['a controller that is down', { objects: [azure('ResourceGroup', 'group')], controllers: [{ ...RUNNING, isRunning: false, readyReplicas: 0 }] }, 'ResourceGroup/group', /kubectl logs deployment/],
    ['an invalid owner', { objects: [azure('StorageAccount', 'data', { spec: { owner: { name: 'a', armId: '/b' } }, ready: warning('WaitingForOwner') })] }, 'StorageAccount/data', /Give the owner in one form/],
  ])('%s', (_title, parts, name, expected) => {
    const { text, commands } = adviceOf(parts, name);
    expect([text, ...commands]).toContainEqual(expect.stringMatching(expected));
  });
});

describe('all of it', () => {
  const reasons = [...readFileSync(specification('conditions'), 'utf8').split('## Reasons')[1]!.split('## Overwrite')[0]!.matchAll(/`([A-Z]\w+)`(?=[,| ])/g)]
    .map(([, reason]) => reason!).filter((reason) => !['True', 'Warning', 'Error', 'Failed'].includes(reason));
  const codes = readFileSync(specification('errors'), 'utf8').split('\n').filter((line) => /^\| (Slow|VerySlow|Fatal) \|/.test(line))
    .flatMap((line) => [...line.matchAll(/`([A-Z]\w+)`/g)].map(([, code]) => code!));

  test('the specification has reasons and codes', () => {
    expect(reasons.length).toBeGreaterThan(25);
    expect(codes.length).toBeGreaterThan(40);
  });

  test.each([...new Set([...reasons, ...codes])])('%s has advice of its own', (reason) => {
    const [text, ...commands] = onAccount(reason, 'x', { ready: error(reason, 'x') });
    expect(text).not.toMatch(/is Azure's word/);
    expect(commands.length).toBeGreaterThan(0);
  });

  test('every document that advice names is there, with its heading', () => {
    const sources = ['causes', 'conditions', 'azure-codes', 'reasons'].map((name) => readFileSync(join(root, 'engine', 'inspect', 'advice', `${name}.ts`), 'utf8')).join('\n');
    const documents = new Set([...sources.matchAll(/'(docs\/[\w/.-]+\.md)(?:#([\w-]+))?'/g)].map(([, path, heading]) => `${path}#${heading ?? ''}`));
    expect(documents.size).toBeGreaterThan(20);
    const dead = [...documents].filter((document) => {
      const [path, heading] = document.split('#') as [string, string];
      if (!existsSync(join(root, path))) return true;
      const headings = [...readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title]) => title!.toLowerCase().replace(/[^\w\s-]/g, '').trim().replace(/\s/g, '-'));
      return heading !== '' && !headings.includes(heading);
    });
    expect(dead).toEqual([]);
  });
});

test('of several objects that wait for one cause, the advice is about the one that was asked for', () => {
  const waits = warning('WaitingForOwner', 'Owner "group, Group/Kind: resources.azure.com/ResourceGroup" cannot be found. Progress is blocked until the owner is created.');
  const account = (name: string) => azure('StorageAccount', name, { spec, ready: waits });
  const blobs = azure('StorageAccountsBlobService', 'blobs', { spec: { owner: { name: 'second' } }, ready: waits });
  const inspection = inspected({ objects: [account('first'), account('second'), blobs] });
  const commandsFor = (name: string) => explain(inspection, nodeNamed(inspection, name)).advice!.commands.filter((command) => command.startsWith('kubectl edit'));
  expect(commandsFor('StorageAccount/first')).toEqual(['kubectl edit storageaccounts.storage.azure.com first -n shop']);
  expect(commandsFor('StorageAccount/second')).toEqual(['kubectl edit storageaccounts.storage.azure.com second -n shop']);
  // It waits for an owner that is there, and the owner for one that is not.
  expect(commandsFor('StorageAccountsBlobService/blobs')).toEqual(['kubectl edit storageaccounts.storage.azure.com second -n shop']);
});
