import type { TeamPolicy } from './team-policy';
import { COMPOSER_FINALIZER, CONTINUE_ROLLOUT } from '../../azure/annotations';
import { WORKLOAD_SERVICE_ACCOUNT } from '../model/reserved-namespaces';

/** Kinds in a team's namespace that only the platform may write and delete: `group/resource`. */
const PLATFORM_KINDS = ['/resourcequotas', '/limitranges', '/namespaces'];
/** Network policies of all plugins. Policies are additive: a further one could open connections that the platform's policy closes. */
const NETWORK_POLICIES = [
  'networking.k8s.io/networkpolicies',
  'projectcalico.org/networkpolicies',
  'crd.projectcalico.org/networkpolicies',
  'cilium.io/ciliumnetworkpolicies',
];
/** Kinds whose writes the limits cover with their own messages. */
const LIMITED = [...PLATFORM_KINDS, '/secrets', '/configmaps'];
/** Service accounts whose tokens the operator uses to sign in: pods, token requests and token Secrets are rejected. */
const OPERATOR_ACCOUNTS = [WORKLOAD_SERVICE_ACCOUNT];

/**
 * Controllers of Kubernetes, one by one: they delete the contents of deleted namespaces and the dependents of deleted owners, and count
 * quotas.
 * Controllers that create pods are not among them. `system:kube-controller-manager` stands for all controllers if they have no service
 * accounts of their own.
 */
export const KUBERNETES_CONTROLLERS = [
  'system:kube-controller-manager',
  ...[
    'namespace-controller',
    'generic-garbage-collector',
    'resourcequota-controller',
    'root-ca-cert-publisher',
    'service-account-controller',
  ].map((name) => `system:serviceaccount:kube-system:${name}`),
];

/** Exempt users, as an expression of a match condition. */
export interface ProtectionConditions {
  readonly notThePlatform: string;
}

const list = (values: readonly string[]): string => JSON.stringify(values);

/**
 * The `spec` of the ValidatingAdmissionPolicy that protects the platform's objects in a team's namespace, also against deletion and against
 * subresources. It evaluates the request, while the limits evaluate the object.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export function protectionSpec(policy: TeamPolicy, { notThePlatform }: ProtectionConditions): object {
  const kinds = [...PLATFORM_KINDS, ...(policy.options.networkPolicies ?? false ? [] : NETWORK_POLICIES)];
  const names = policy.protectedObjects;
  const ofClaims = policy.claimKinds.length > 0 ? ` || (request.resource.group + "/" + request.resource.resource) in ${list(policy.claimKinds)}` : '';
  const writes = 'request.operation in ["CREATE", "UPDATE"]';
  const validation = (id: string, expression: string, rule: string) => ({
    expression,
    message: `[self-service-${id}] ${rule} Only ${policy.origin.changedBy} may do that for ${policy.origin.of}.`,
    reason: 'Forbidden',
  });
  return {
    failurePolicy: 'Fail',
    matchConstraints: { matchPolicy: 'Equivalent', resourceRules: [...RULES, ...claimWrites(policy.claimKinds)] },
    matchConditions: [
      { name: 'in-the-namespace', expression: `request.?namespace.orValue("") == ${JSON.stringify(policy.team.namespace)}` },
      { name: 'limited-subresources', expression: '!(request.?subResource.orValue("") == "status") || request.resource.group.endsWith(".azure.com") || request.resource.group.endsWith(".aso.cdk8s.io") || request.resource.resource in ["resourcequotas", "namespaces"]' + ofClaims },
      { name: 'not-the-platform', expression: notThePlatform },
    ],
    variables: [
      { name: 'resource', expression: 'request.resource.group + "/" + request.resource.resource' },
      // The API server omits empty members of the request.
      { name: 'subresource', expression: 'request.?subResource.orValue("")' },
      {
        name: 'name',
        expression:
          'request.?name.orValue("") != "" ? request.name : (object != null ? object.?metadata.?name.orValue("") : (oldObject != null ? oldObject.?metadata.?name.orValue("") : ""))',
      },
      {
        name: 'isProtected',
        expression: `variables.resource in ${list(kinds)} || (variables.resource + "/" + variables.name) in ${list(names)}`,
      },
      { name: 'byKubernetes', expression: `request.userInfo.username in ${list(KUBERNETES_CONTROLLERS)}` },
    ],
    validations: [
      validation(
        'delete',
        'request.operation != "DELETE" || variables.byKubernetes || !variables.isProtected',
        'Deleting what the platform has put here is refused: credentials, quotas, limits, network policies, service accounts, roles and their bindings.',
      ),
      validation(
        'platform-object',
        `!(${writes}) || variables.subresource != "" || variables.byKubernetes || variables.resource in ${list(LIMITED)} || !variables.isProtected`,
        'Writing what the platform has put here is refused.',
      ),
      validation(
        'operator-account-pod',
        `!(variables.resource == "/pods" && ${writes}) || !(${['serviceAccountName', 'serviceAccount'].map((property) => `object.spec.?${property}.orValue("") in ${list(OPERATOR_ACCOUNTS)}`).join(' || ')})`,
        `A pod may not run as ${OPERATOR_ACCOUNTS.join(', ')}: with its token the operator signs in.`,
      ),
      validation(
        'operator-account-token',
        `!(variables.resource == "/serviceaccounts" && variables.subresource == "token") || !(variables.name in ${list(OPERATOR_ACCOUNTS)})`,
        `No token of ${OPERATOR_ACCOUNTS.join(', ')} is for anybody but the operator.`,
      ),
      validation(
        'operator-account-secret',
        `!(variables.resource == "/secrets" && ${writes}) || !(object.?metadata.?annotations[?"kubernetes.io/service-account.name"].orValue("") in ${list(OPERATOR_ACCOUNTS)})`,
        `No Secret may hold a token of ${OPERATOR_ACCOUNTS.join(', ')}.`,
      ),
      validation(
        'operator-account-binding',
        `!(variables.resource == "rbac.authorization.k8s.io/rolebindings" && ${writes}) || object.?subjects.orValue([]).all(subject, !(subject.?name.orValue("") in ${list(boundNames(policy))}))`,
        `No role may be bound to ${OPERATOR_ACCOUNTS.join(', ')}, nor to a group that it is in.`,
      ),
      validation(
        'status',
        '!(variables.subresource in ["status", "finalize"]) || variables.byKubernetes',
        "A status is the controller's that reports it: what follows from it would follow from a claim.",
      ),
      ...(policy.claimKinds.length > 0
        ? [
          validation(
            'claim',
            `!(variables.resource in ${list(policy.claimKinds)} && variables.subresource == "" && ${writes}) || (${CLAIM_UNTOUCHED})`,
            `The finalizer ${COMPOSER_FINALIZER} of a claim stays: by it the composer deletes what was made for the claim. The annotation ${CONTINUE_ROLLOUT} is not for teams.`,
          ),
        ]
        : []),
    ],
  };
}

function continued(object: string): string {
  return `${object}.metadata.?annotations[?"${CONTINUE_ROLLOUT}"].orValue("")`;
}

/** Whether a claim keeps its finalizer, and the platform's annotation is gone or as before. */
const CLAIM_UNTOUCHED = [
  `(oldObject == null || !("${COMPOSER_FINALIZER}" in oldObject.metadata.?finalizers.orValue([])) || "${COMPOSER_FINALIZER}" in object.metadata.?finalizers.orValue([]))`,
  `(${continued('object')} == "" || (oldObject != null && ${continued('object')} == ${continued('oldObject')}))`,
].join(' && ');

/** The writes of claims, whose kinds are `group/resource`. */
function claimWrites(claimKinds: readonly string[]): object[] {
  return claimKinds.map((kind) => {
    const [group = '', resource = ''] = kind.split('/');
    return rule([group], [resource], ['CREATE', 'UPDATE']);
  });
}

/** All spellings of the service accounts in a binding, and the groups that they are in. */
function boundNames({ team: { namespace } }: TeamPolicy): string[] {
  return [
    ...OPERATOR_ACCOUNTS.flatMap((name) => [name, `system:serviceaccount:${namespace}:${name}`]),
    `system:serviceaccounts:${namespace}`, 'system:serviceaccounts', 'system:authenticated',
  ];
}

const rule = (apiGroups: string[], resources: string[], operations: string[], scope = 'Namespaced') => ({
  apiGroups,
  apiVersions: ['*'],
  resources,
  operations,
  scope,
});

const RULES = [
  rule(['*'], ['*'], ['DELETE']),
  rule([''], ['pods', 'pods/ephemeralcontainers', 'secrets', 'serviceaccounts', 'serviceaccounts/token'], ['CREATE', 'UPDATE']),
  rule(
    ['networking.k8s.io', 'projectcalico.org', 'crd.projectcalico.org', 'cilium.io'],
    ['networkpolicies', 'ciliumnetworkpolicies'],
    ['CREATE', 'UPDATE'],
  ),
  rule(['rbac.authorization.k8s.io'], ['roles', 'rolebindings'], ['CREATE', 'UPDATE']),
  rule(['external-secrets.io', 'azconfig.io'], ['externalsecrets', 'secretstores', 'azureappconfigurationproviders'], ['CREATE', 'UPDATE']),
  rule(['*'], ['*/status'], ['CREATE', 'UPDATE']),
  rule([''], ['namespaces', 'namespaces/finalize', 'namespaces/status'], ['UPDATE', 'DELETE'], '*'),
];
