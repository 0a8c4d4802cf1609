// The verdicts of the emitted policies on requests, by another implementation of CEL. `attacks-real.test.ts` sends such requests to a
// real kube-apiserver, where there is one.
import { Environment } from '@marcbachmann/cel-js';
import { App, Chart } from 'cdk8s';
import { FIN, PLATFORM_GROUP, POLICY } from './guarded-team';
import { account } from './objects-of-team';
import { SelfServiceGuardRails } from '../../src/platform/policy/self-service-guard-rails';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly string[];
}

interface PolicySpec {
  readonly failurePolicy: string;
  readonly matchConstraints: { readonly resourceRules: readonly Rule[] };
  readonly matchConditions: readonly { readonly name: string; readonly expression: string }[];
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
}

interface Request {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** `group/resource`, or `group/resource/subresource`. */
  readonly to: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly object?: object;
  readonly oldObject?: object;
  readonly user?: string;
  readonly groups?: readonly string[];
}

const cel = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });
cel.registerFunction('string.replace(string, string): string', (text: string, part: string, by: string) => text.replaceAll(part, by));

const chart = new Chart(new App(), 'guards');
new SelfServiceGuardRails(chart, 'fin', { team: FIN, policy: POLICY });
const POLICIES = (chart.toJson() as { readonly kind: string; readonly spec: PolicySpec }[])
  .filter(({ kind }) => kind === 'ValidatingAdmissionPolicy').map(({ spec }) => spec);

/** Ids of the limits that refuse a request. */
function refusedBy({ to, operation, name, namespace = FIN.namespace, user = 'mallory', groups, ...objects }: Request): string[] {
  const { object = null, oldObject = null }: { object?: object | null; oldObject?: object | null } = objects;
  const [group = '', resource = '', subResource] = to.split('/');
  const request = {
    operation,
    namespace,
    resource: { group, resource },
    ...(name === undefined ? {} : { name }),
    ...(subResource === undefined ? {} : { subResource }),
    // The API server omits what is empty.
    userInfo: { username: user, ...(groups === undefined ? {} : { groups }) },
  };
  const whole = subResource === undefined ? resource : `${resource}/${subResource}`;
  const isNamed = ({ apiGroups, resources, operations }: Rule) => operations.includes(operation)
    && [group, '*'].some((one) => apiGroups.includes(one))
    && [whole, '*/*', ...(subResource === undefined ? ['*'] : [`*/${subResource}`])].some((one) => resources.includes(one));
  return POLICIES.flatMap(({ matchConstraints, matchConditions, variables, validations }) => {
    if (!matchConstraints.resourceRules.some(isNamed)) return [];
    const values: Record<string, unknown> = {};
    const evaluate = (expression: string) => cel.parse(expression)({ request, object, oldObject, variables: values });
    if (!matchConditions.every(({ expression }) => evaluate(expression) === true)) return [];
    for (const variable of variables) values[variable.name] = evaluate(variable.expression);
    return validations.filter(({ expression }) => evaluate(expression) !== true)
      .map(({ message }) => /^\[self-service-([a-z-]+)\]/.exec(message)![1]!);
  });
}

const metadata = { name: 'x', namespace: FIN.namespace };
const pod = (spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata, spec });
const binding = (subject: object) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata, subjects: [subject] });
const write = (to: string, object: object, name = 'x'): Request => ({ operation: 'CREATE', to, name, object });
const remove = (to: string, name: string): Request => ({ operation: 'DELETE', to, name, oldObject: { metadata: { ...metadata, name } } });

const REFUSED: readonly (readonly [what: string, limit: string, request: Request])[] = [
  ['an account elsewhere', 'location', write('storage.azure.com/storageaccounts', account({ location: 'mars' }))],
  ['a kind that the catalog does not know', 'kind', write('future.azure.com/things', {
    apiVersion: 'future.azure.com/v1', kind: 'Thing', metadata, spec: {},
  })],
  ['the credential is deleted', 'delete', remove('/secrets', 'aso-credential')],
  ['a quota is deleted', 'delete', remove('/resourcequotas', 'quota')],
  ['the network policy is deleted', 'delete', remove('networking.k8s.io/networkpolicies', 'allow-own-namespace')],
  ['the credential is deleted by a list, which has no name', 'delete', {
    operation: 'DELETE', to: '/secrets', oldObject: { metadata: { ...metadata, name: 'aso-credential' } },
  }],
  ['the operator\'s service account is changed', 'platform-object', write('/serviceaccounts', {
    metadata: { ...metadata, name: 'aso-workload' },
  }, 'aso-workload')],
  ['a network policy of Calico', 'platform-object', write('projectcalico.org/networkpolicies', { metadata })],
  ['a network policy of Cilium', 'platform-object', write('cilium.io/ciliumnetworkpolicies', { metadata })],
  ['a pod as the operator', 'operator-account-pod', write('/pods', pod({ serviceAccountName: 'aso-workload' }))],
  ['the same by the old name of the property', 'operator-account-pod', write('/pods', pod({ serviceAccount: 'aso-workload' }))],
  ['a token of the operator\'s account', 'operator-account-token', write('/serviceaccounts/token', { spec: {} }, 'aso-workload')],
  ['a Secret with such a token', 'operator-account-secret', write('/secrets', {
    apiVersion: 'v1', kind: 'Secret', metadata: { ...metadata, annotations: { 'kubernetes.io/service-account.name': 'aso-workload' } },
  })],
  ['a role for the operator\'s account', 'operator-account-binding', write(
    'rbac.authorization.k8s.io/rolebindings', binding({ name: 'aso-workload' }),
  )],
  ['the same for its user', 'operator-account-binding', write(
    'rbac.authorization.k8s.io/rolebindings', binding({ name: `system:serviceaccount:${FIN.namespace}:aso-workload` }),
  )],
  ...[`system:serviceaccounts:${FIN.namespace}`, 'system:serviceaccounts', 'system:authenticated'].map((name) => [
    `a role for the group ${name}, which the operator's account is in`, 'operator-account-binding', write(
      'rbac.authorization.k8s.io/rolebindings', binding({ kind: 'Group', name }),
    ),
  ] as const),
  ['a status', 'status', { ...write('storage.azure.com/storageaccounts/status', account()), operation: 'UPDATE', oldObject: account() }],
  ['the end of the namespace', 'status', {
    ...write('/namespaces/finalize', { metadata }, FIN.namespace), operation: 'UPDATE', oldObject: { metadata },
  }],
];

test.each(REFUSED)('%s: refused', (_, limit, request) => {
  expect(refusedBy(request)).toContain(limit);
});

/** Limits that hold for programs of the platform too: a controller that acts for teams would be asked by one of them. */
const BY_PEOPLE = ['operator-account-pod', 'operator-account-token', 'operator-account-secret'];

test.each(REFUSED)('%s: allowed for the platform, and elsewhere', (_, limit, request) => {
  expect(refusedBy({ ...request, groups: ['system:authenticated', PLATFORM_GROUP] })).toEqual([]);
  expect(refusedBy({ ...request, user: 'system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default' })).toEqual([]);
  expect(refusedBy({ ...request, user: 'system:serviceaccount:flux-system:kustomize-controller' }))
    .toEqual(BY_PEOPLE.includes(limit) ? [limit] : []);
  expect(refusedBy({ ...request, namespace: 'elsewhere' })).toEqual([]);
});

test.each<[string, Request]>([
  ['an account', write('storage.azure.com/storageaccounts', account())],
  ['a pod', write('/pods', pod({ serviceAccountName: 'default' }))],
  ['the deletion of a pod', remove('/pods', 'x')],
  ['the deletion of a Secret of the team', remove('/secrets', 'own')],
  ['a token of an account of the team', write('/serviceaccounts/token', { spec: {} }, 'own')],
  ['a role for a group of the team', write('rbac.authorization.k8s.io/rolebindings', binding({ kind: 'Group', name: 'entra-fin' }))],
  ['a role for the service accounts of another namespace', write(
    'rbac.authorization.k8s.io/rolebindings', binding({ kind: 'Group', name: 'system:serviceaccounts:tools' }),
  )],
  ['a pod of a controller of the platform', {
    ...write('/pods', pod({ serviceAccountName: 'fin' })), user: 'system:serviceaccount:flux-system:kustomize-controller',
  }],
  ['the status of a pod, by the kubelet', {
    ...write('/pods/status', pod({})), operation: 'UPDATE', user: 'system:node:one', groups: ['system:nodes'],
  }],
  ['the deletion of what was in the namespace, by Kubernetes', {
    ...remove('/secrets', 'aso-credential'), user: 'system:serviceaccount:kube-system:namespace-controller',
  }],
])('%s: allowed', (_, request) => {
  expect(refusedBy(request)).toEqual([]);
});

test('a policy that cannot be evaluated lets nothing in', () => {
  expect(POLICIES.map(({ failurePolicy }) => failurePolicy)).toEqual(['Fail', 'Fail']);
});
