import { FIN, FRONT_DOOR } from './guarded-team';
import { account, azure, core, federation, GROUP, identity, type TeamObject } from './objects-of-team';

/** An attempt of a user with all rights of a team, and more, in the team's namespace. */
export interface TeamAttack {
  readonly what: string;
  /** Arguments of kubectl; `--as` is added. */
  readonly kubectl: readonly string[];
  readonly input?: object;
  /** The limit that refuses it, or a part of what the API server says. */
  readonly refusedBy: string;
}

const namespace = FIN.namespace;
const OPERATOR_IDENTITY = `${FIN.resourceGroupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-fin-dev`;
const CREDENTIAL_FROM = 'serviceoperator.azure.com/credential-from';
const RBAC = 'rbac.authorization.k8s.io/v1';

const create = (what: string, refusedBy: string, input: object, ...flags: string[]): TeamAttack => ({
  what,
  refusedBy,
  input,
  kubectl: ['create', ...flags, '-f', '-'],
});
const remove = (what: string, resource: string, name: string): TeamAttack => ({
  what,
  refusedBy: 'delete',
  kubectl: ['delete', resource, name, '-n', namespace, '--wait=false'],
});
const patch = (what: string, refusedBy: string, resource: string, name: string, change: object, ...flags: string[]): TeamAttack => ({
  what,
  refusedBy,
  kubectl: ['patch', resource, name, '-n', namespace, '--type=merge', '-p', JSON.stringify(change), ...flags],
});

const securityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
/** As the pod security standard `restricted` wants it: only what is tried is wrong with it. */
export const pod = (name: string, spec: object, metadata: object = {}) =>
  core('Pod', name, {
    metadata: { name, namespace, ...metadata },
    spec: {
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [{ name: 'c', image: 'x', securityContext }],
      ...spec,
    },
  });
const binding = (name: string, ...subjects: object[]) => ({
  apiVersion: RBAC,
  kind: 'RoleBinding',
  metadata: { name, namespace },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
  subjects,
});
const annotated = (value: string): TeamObject => account({}, { annotations: { [CREDENTIAL_FROM]: value } });
const openPolicy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'open', namespace },
  spec: { podSelector: {}, ingress: [{}] },
};

export const ATTACKS: readonly TeamAttack[] = [
  // The token of the service account with which a strict operator signs in.
  create('a pod with the operator\'s service account', 'operator-account-pod', pod('a', { serviceAccountName: 'aso-workload' })),
  create('the same by the old name of the field', 'operator-account-pod', pod('b', { serviceAccount: 'aso-workload' })),
  create('the same with a generated name', 'operator-account-pod', {
    ...pod('c', { serviceAccountName: 'aso-workload' }),
    metadata: { generateName: 'c-', namespace },
  }),
  create('the same as a dry run', 'operator-account-pod', pod('d', { serviceAccountName: 'aso-workload' }), '--dry-run=server'),
  create(
    'the same with the annotations of a controller',
    'operator-account-pod',
    pod(
      'e',
      { serviceAccountName: 'aso-workload' },
      { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'u', controller: true }] },
    ),
  ),
  { what: 'a token of it', refusedBy: 'operator-account-token', kubectl: ['create', 'token', 'aso-workload', '-n', namespace] },
  {
    what: 'a token of it for Entra',
    refusedBy: 'operator-account-token',
    kubectl: ['create', 'token', 'aso-workload', '-n', namespace, '--audience', 'api://AzureADTokenExchange'],
  },
  create(
    'a Secret into which Kubernetes writes a token of it',
    'operator-account-secret',
    core('Secret', 'token', {
      type: 'kubernetes.io/service-account-token',
      metadata: { name: 'token', namespace, annotations: { 'kubernetes.io/service-account.name': 'aso-workload' } },
    }),
  ),
  create('a role for it', 'operator-account-binding', binding('for-operator', { kind: 'ServiceAccount', name: 'aso-workload', namespace })),
  create(
    'a role for it as a user',
    'operator-account-binding',
    binding('for-operator-user', {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'User',
      name: `system:serviceaccount:${namespace}:aso-workload`,
    }),
  ),
  ...[`system:serviceaccounts:${namespace}`, 'system:serviceaccounts', 'system:authenticated'].map((name, index) => create(
    `a role for the group ${name}, which it is in`,
    'operator-account-binding',
    binding(`for-group-${index}`, { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name }),
  )),
  remove('deleting it', 'serviceaccount', 'aso-workload'),
  patch('changing it', 'platform-object', 'serviceaccount', 'aso-workload', { automountServiceAccountToken: true }),
  // The credential.
  remove('deleting the credential', 'secret', 'aso-credential'),
  { what: 'deleting all Secrets at once', refusedBy: 'delete', kubectl: ['delete', '--raw', `/api/v1/namespaces/${namespace}/secrets`] },
  patch('writing another client id into the credential', 'secret', 'secret', 'aso-credential', { stringData: { AZURE_CLIENT_ID: 'x' } }),
  patch('labelling the credential', 'secret', 'secret', 'aso-credential', { metadata: { labels: { a: 'b' } } }),
  patch('giving the credential an owner that can be deleted', 'secret', 'secret', 'aso-credential', {
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u' }] },
  }),
  create('a further credential', 'secret', core('Secret', 'archive-credential', { stringData: { AZURE_CLIENT_ID: 'x' } })),
  create('a credential of its own under another name', 'credential', annotated('mine')),
  create('a credential of another namespace', 'credential', annotated('hr/aso-credential')),
  create('a credential by a name that looks the same', 'credential', annotated('аrchive-credential')),
  create('a credential by a name with capitals', 'credential', annotated('Archive-Credential')),
  create(
    'an export into the credential',
    'export',
    account({ operatorSpec: { secretExpressions: [{ name: 'aso-credential', key: 'AZURE_CLIENT_ID', value: 'self.metadata.name' }] } }),
  ),
  // The limits of the namespace.
  remove('deleting the quota', 'resourcequota', 'team'),
  {
    what: 'deleting all quotas at once',
    refusedBy: 'delete',
    kubectl: ['delete', '--raw', `/api/v1/namespaces/${namespace}/resourcequotas`],
  },
  patch('a higher quota', 'platform-object', 'resourcequota', 'team', { spec: { hard: { pods: '1000' } } }),
  patch('a higher quota by its status', 'status', 'resourcequota', 'team', { status: { hard: { pods: '1000' } } }, '--subresource=status'),
  remove('deleting the limits', 'limitrange', 'team'),
  remove('deleting the network policy', 'networkpolicy', 'allow-own-namespace'),
  patch('opening the network policy', 'platform-object', 'networkpolicy', 'allow-own-namespace', { spec: { ingress: [{}] } }),
  create('another network policy that opens', 'platform-object', openPolicy),
  // Roles and the namespace itself.
  remove('deleting the role', 'role', 'self-service'),
  patch('a wider role', 'platform-object', 'role', 'self-service', { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }),
  remove('deleting the binding', 'rolebinding', 'self-service'),
  patch('somebody else in the binding', 'platform-object', 'rolebinding', 'self-service', {
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve' }],
  }),
  remove('deleting the service account of the pods', 'serviceaccount', 'fin'),
  patch('the namespace without its requirement of a credential', 'platform-object', 'namespace', namespace, {
    metadata: { annotations: { 'aso.cdk8s.io/credential-required': 'false' } },
  }),
  patch('the namespace split among replicas', 'platform-object', 'namespace', namespace, {
    metadata: { annotations: { 'aso.cdk8s.io/shard-by': 'owner' } },
  }),
  patch('the namespace that takes credentials from elsewhere', 'platform-object', 'namespace', namespace, {
    metadata: { annotations: { 'aso.cdk8s.io/accepts-credentials-from': 'hr' } },
  }),
  patch('the namespace without its labels', 'platform-object', 'namespace', namespace, {
    metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } },
  }),
  patch(
    'the namespace by its status',
    'status',
    'namespace',
    namespace,
    { metadata: { annotations: { 'aso.cdk8s.io/credential-required': 'false' } } },
    '--subresource=status',
  ),
  remove('deleting the namespace', 'namespace', namespace),
  // Azure.
  create("a federated credential on the operator's identity", 'operator-identity', federation({ owner: { armId: OPERATOR_IDENTITY } })),
  create("the operator's identity under an object of its own", 'operator-identity', identity({ azureName: 'id-FIN-dev' })),
  create('the identity of the pods under an object of its own', 'platform-identity', identity({ azureName: 'id-FIN-dev-workload' })),
  create('the identity of a service under an object of its own', 'platform-identity', identity({ azureName: 'id-fin--postings-dev' })),
  create("the platform's trust on the identity of the pods under an object of its own", 'platform-identity', federation({
    owner: { armId: `${OPERATOR_IDENTITY}-workload` }, azureName: 'id-fin-dev-workload-one-team',
  })),
  create(
    "a resource that runs with the operator's identity",
    'operator-identity',
    account({ identity: { type: 'UserAssigned', userAssignedIdentities: [{ reference: { armId: OPERATOR_IDENTITY } }] } }),
  ),
  create(
    "a role assignment as the operator's annotation",
    'annotation',
    account({}, { annotations: { 'serviceoperator.azure.com/resource-id': OPERATOR_IDENTITY } }),
  ),
  create("a route to another team's origin group", 'reference', azure('cdn', 'Route', {
    azureName: 'fin--web',
    owner: { armId: `${FRONT_DOOR}/afdEndpoints/edge` },
    originGroup: { reference: { armId: `${FRONT_DOOR}/originGroups/hr--web` } },
  })),
  create("a domain with another team's certificate", 'reference', azure('cdn', 'AfdCustomDomain', {
    azureName: 'fin--web',
    hostName: 'shop.example.com',
    owner: { armId: FRONT_DOOR },
    tlsSettings: { certificateType: 'CustomerCertificate', secret: { reference: { armId: `${FRONT_DOOR}/secrets/hr--certificate` } } },
  })),
  create(
    'a kind that is not in the catalogue',
    'kind',
    azure('keyvault', 'Vault', {
      owner: GROUP,
      location: 'uksouth',
      properties: { sku: { family: 'A', name: 'standard' }, tenantId: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11' },
    }),
  ),
  patch(
    'a status that claims another resource',
    'status',
    'storageaccounts',
    'there',
    { status: { id: OPERATOR_IDENTITY } },
    '--subresource=status',
  ),
  patch('another owner, as a patch', 'owner', 'storageaccounts', 'there', {
    spec: { owner: { armId: FIN.resourceGroupId.replace('rg-fin-dev', 'rg-hr-dev') } },
  }),
  patch('a policy that is not its own, as a patch', 'reconcile-policy', 'storageaccounts', 'there', {
    metadata: { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' } },
  }),
];
