import type { KubernetesObject } from '../../../engine/kubernetes';
import type { Fault } from '../../../sandbox/azure';

export const NAMESPACE = 'bad';
export const VERSIONS: Readonly<Record<string, string>> = {
  ResourceGroup: 'resources.azure.com/v1api20200601',
  UserAssignedIdentity: 'managedidentity.azure.com/v1api20230131',
  StorageAccount: 'storage.azure.com/v1api20230101',
  FlexibleServer: 'dbforpostgresql.azure.com/v20250801',
  RoleAssignment: 'authorization.azure.com/v1api20220401',
};

/** An applied object that passed all schemas, or an answer of Azure; and the resulting Ready condition of the object. */
export interface Case {
  readonly name: string;
  readonly kind: keyof typeof VERSIONS;
  readonly spec: unknown;
  readonly annotations?: Record<string, string>;
  readonly fault?: Fault;
  /** Of a condition that is not True: the reason, and what the message tells. Absent: it becomes Ready all the same. */
  readonly reported?: readonly [reason: string | RegExp, message: RegExp];
}

const location = 'uksouth';
const owner = { name: 'base' };
const forever = 100_000;
const PROXY = /HTTP \d+.*check the proxy.*AZURE_RESOURCE_MANAGER_ENDPOINT/;

/** The first look after a PUT says another reason than those before a PUT. */
const ANY = /^(Failed|UnknownError)$/;

const spec = (
  name: string,
  kind: Case['kind'],
  value: unknown,
  reason: string | RegExp,
  message: RegExp,
  annotations?: Record<string, string>,
): Case => ({ name, kind, spec: value, reported: [reason, message], ...(annotations && { annotations }) });

/** Objects that cannot be right. */
export const badObjects: readonly Case[] = [
  spec('text-for-spec', 'ResourceGroup', 'uksouth', 'Failed', /^spec: expected an object, got a text/),
  spec('number-for-spec', 'StorageAccount', 5, 'ReferenceNotFound', /^spec\.owner of StorageAccount\/number-for-spec is missing/),
  spec('list-for-spec', 'ResourceGroup', [], 'Failed', /^spec: expected an object, got an array/),
  spec(
    'wrong-types',
    'StorageAccount',
    {
      owner,
      azureName: 'badinputtypes',
      location: 7,
      tags: ['a'],
      sku: 'Standard_LRS',
      kind: {},
      networkAcls: { ipRules: 'all' },
      operatorSpec: 5,
    },
    'Failed',
    /spec\.\S+: expected an? \w+, got/,
  ),
  spec('owner-is-text', 'StorageAccount', { owner: 'base', location }, 'Failed', /spec\.owner/),
  spec('owner-is-list', 'UserAssignedIdentity', { owner: [owner], location }, 'Failed', /spec\.owner/),
  spec(
    'name-is-number',
    'UserAssignedIdentity',
    { owner, location, azureName: 5 },
    'Failed',
    /^spec\.azureName: expected a text, got a number/,
  ),
  spec(
    'role-is-number',
    'RoleAssignment',
    {
      owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'base' },
      principalId: {},
      roleDefinitionReference: 5,
    },
    'Failed',
    /spec\.(principalId|roleDefinitionReference): expected/,
  ),
  spec(
    'cel-no-expression',
    'UserAssignedIdentity',
    {
      owner,
      location,
      operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value: 'self.spec.(' }] },
    },
    'Failed',
    /self\.spec\.\(|configMapExpressions\[0\]/,
  ),
  spec(
    'cel-unknown-member',
    'UserAssignedIdentity',
    {
      owner,
      location,
      operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value: 'self.spec.nonsense' }] },
    },
    'Failed',
    /nonsense/,
  ),
  spec(
    'cel-no-list',
    'UserAssignedIdentity',
    { owner, location, operatorSpec: { configMapExpressions: 'self.spec' } },
    'Failed',
    /^spec\.operatorSpec\.configMapExpressions: expected an array, got a text/,
  ),
  spec(
    'secret-without-key',
    'FlexibleServer',
    {
      owner,
      location,
      azureName: 'badinputkey',
      administratorLogin: 'a',
      administratorLoginPassword: { name: 'password', key: 'other' },
    },
    'SecretNotFound',
    /password.*other|other.*password/,
  ),
  spec(
    'no-secret',
    'FlexibleServer',
    {
      owner,
      location,
      azureName: 'badinputsecret',
      administratorLoginPassword: { name: 'nowhere', key: 'key' },
    },
    'SecretNotFound',
    /nowhere/,
  ),
  spec('adopt-unknown', 'ResourceGroup', { location }, 'Failed', /IfPresent/, { 'aso.cdk8s.io/adopt': 'Perhaps' }),
  {
    name: 'policy-unknown',
    kind: 'ResourceGroup',
    spec: { location },
    annotations: { 'serviceoperator.azure.com/reconcile-policy': 'perhaps' },
  },
  {
    name: 'annotations-nonsense',
    kind: 'ResourceGroup',
    spec: { location },
    annotations: {
      'aso.cdk8s.io/last-put': '{',
      'serviceoperator.azure.com/latest-reconciled-generation': 'many',
      'serviceoperator.azure.com/poller-resume-token': '',
    },
  },
];

/** Of one resource group each, whose requests go wrong in a way of their own. */
const group = (name: string, method: string, fault: Fault, reported?: Case['reported']): Case =>
  ({
    name,
    kind: 'ResourceGroup',
    spec: { location },
    // Without it a group is not read: the answer to its PUT shows all of it.
    ...(method === 'GET' && { annotations: { 'aso.cdk8s.io/ignore-changes': '["tags.other"]' } }),
    fault: { method, path: `/resourcegroups/${name}`, times: forever, ...fault },
    ...(reported && { reported }),
  });

export const badAnswers: readonly Case[] = [
  group('get-page', 'GET', { status: 200, text: '<html>please log in</html>' }, [ANY, PROXY]),
  group('get-list', 'GET', { status: 200, text: '[]' }, [ANY, PROXY]),
  group('get-number', 'GET', { status: 200, text: '5' }, [ANY, PROXY]),
  group('get-nothing', 'GET', { status: 200, text: '' }, [ANY, PROXY]),
  group('get-cut', 'GET', { cut: true }, [ANY, /GET \/subscriptions\/\S+get-cut\S*: /]),
  group('get-no-id', 'GET', { status: 200, text: '{"location":"uksouth"}' }, [
    ANY,
    /does not say which resource it is of.*check the proxy/,
  ]),
  group('put-page', 'PUT', { status: 200, text: '<html>please log in</html>' }, ['UnknownError', PROXY]),
  group('put-error-page', 'PUT', { status: 500, text: '<html>oops</html>' }, [
    'UnknownError',
    /HTTP 500 \(application\/json[^)]*\): <html>oops/,
  ]),
  group('put-error-list', 'PUT', { status: 400, text: '["no"]' }, ['UnknownError', /HTTP 400 \(application\/json[^)]*\): \["no"\]/]),
  group('put-redirect', 'PUT', { status: 307, text: '', headers: { Location: 'https://portal.invalid/login' } }, ['UnknownError', PROXY]),
  group('put-huge', 'PUT', { status: 400, text: 'x'.repeat(3_000_000) }, ['UnknownError', /^.{100,1000}$/]),
  group('put-unknown-enum', 'PUT', { status: 400, code: 'InvalidParameterValue', message: 'The value Tiny is none of Small, Large.' }, [
    'InvalidParameterValue',
    /Tiny/,
  ]),
  group('put-cut', 'PUT', { cut: true, times: 1 }),
  group('put-lost', 'PUT', { loseAnswer: true, times: 1 }),
  group('put-empty', 'PUT', { garble: '', times: 1 }),
  group('put-garbled', 'PUT', { garble: '<html>', times: 1 }),
];

/** A server without an administrator takes no passwords. */
const ENTRA_LOGINS = { authConfig: { activeDirectoryAuth: 'Enabled', passwordAuth: 'Disabled' } };

/** Operations have no resource in their URLs, so each has a region of its own. */
const operation = (name: string, kind: 'FlexibleServer' | 'StorageAccount', fault: Fault): Case => {
  const [region, provider] = [name.replace(/-/g, ''), kind === 'StorageAccount' ? 'Microsoft.Storage' : 'Microsoft.DBforPostgreSQL'];
  return {
    name,
    kind,
    spec: { owner, location: region, azureName: `bad${region}`, ...(kind === 'FlexibleServer' ? ENTRA_LOGINS : {}) },
    fault: { method: 'GET', path: `${provider}/locations/${region}/`, ...fault },
  };
};

/** The fate of the resource is visible on the resource itself. */
export const lostOperations: readonly Case[] = [
  operation('op-not-found', 'FlexibleServer', { status: 404, times: forever }),
  operation('op-gone', 'StorageAccount', { status: 410, times: forever }),
  operation('op-page', 'FlexibleServer', { status: 200, text: '<html>', times: forever }),
  operation('op-location-page', 'StorageAccount', { status: 200, text: '<html>', times: forever }),
  operation('op-list', 'FlexibleServer', { status: 200, text: '[]', times: forever }),
  operation('op-number', 'FlexibleServer', { status: 200, text: '{"status":5}', times: 2 }),
  operation('op-cut', 'FlexibleServer', { cut: true, times: 2 }),
  operation('op-unavailable', 'StorageAccount', { status: 503, times: 2 }),
];

export function objectOf({ name, kind, spec: value, annotations }: Case): KubernetesObject {
  const metadata = { name, namespace: NAMESPACE, ...(annotations ? { annotations } : {}) };
  return { apiVersion: VERSIONS[kind]!, kind, metadata, spec: value as Record<string, unknown> };
}
