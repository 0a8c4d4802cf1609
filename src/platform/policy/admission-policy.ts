import { celOf, Limit, messageOf } from './limit';
import { VARIABLES } from './limits/facts';
import { KUBERNETES_CONTROLLERS, protectionSpec } from './protection';
import type { TeamPolicy } from './team-policy';

/** Break-glass access: the group of administrators who bypass authorization, and the API server itself. */
const SYSTEM_GROUPS = ['system:masters'];
const SYSTEM_USERS = ['system:apiserver'];

/** The core resources that limits concern. */
const CORE_RESOURCES = ['configmaps', 'secrets', 'resourcequotas', 'limitranges', 'namespaces'];

/**
 * The `spec` of a ValidatingAdmissionPolicy with the limits of a team. It applies to all users outside of the platform, whatever their
 * roles.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export function admissionPolicySpec(policy: TeamPolicy, limits: readonly Limit[]): object {
  return {
    failurePolicy: 'Fail',
    matchConstraints: {
      matchPolicy: 'Equivalent',
      resourceRules: [
        // All groups: a future operator may serve groups that are unknown today.
        { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['CREATE', 'UPDATE'], scope: 'Namespaced' },
        { apiGroups: [''], apiVersions: ['*'], resources: ['namespaces'], operations: ['UPDATE'], scope: '*' },
      ],
    },
    matchConditions: [
      { name: 'in-the-namespace', expression: `request.namespace == ${JSON.stringify(policy.team.namespace)}` },
      { name: 'limited-resources', expression: `request.resource.group.endsWith(".azure.com") || request.resource.group.endsWith(".aso.cdk8s.io") || (request.resource.group == "" && request.resource.resource in ${JSON.stringify(CORE_RESOURCES)}) || request.resource.group in ${JSON.stringify(groupsOf(policy))}` },
      { name: 'not-the-platform', expression: notThePlatform(policy) },
      // These controllers complete requests of other users, and write no spec.
      { name: 'not-kubernetes', expression: `!(request.userInfo.username in ${JSON.stringify(KUBERNETES_CONTROLLERS)})` },
    ],
    variables: VARIABLES.map(({ name, expression }) => ({ name, expression })),
    validations: limits.map((limit) => ({ expression: celOf(limit), message: messageOf(limit, policy.origin), reason: 'Forbidden' })),
  };
}

/** The API groups of controllers that act for the team. */
function groupsOf({ deputies }: TeamPolicy): string[] {
  return [...new Set(deputies.map(({ group }) => group))];
}

/**
 * The scopes of the policy's bindings: the team's namespace and all objects in it. The API server treats every resource named `namespaces`
 * as a
 * Namespace, so a selector matches the labels of a Service Bus namespace instead of those of its Namespace object: such resources have a
 * binding of their own, without a selector.
 */
export function bindingMatches(namespace: string): readonly { readonly suffix: string; readonly matchResources: object }[] {
  return [
    { suffix: '', matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } } },
    {
      suffix: '-namespaces',
      matchResources: {
        resourceRules: [
          { apiGroups: ['*'], apiVersions: ['*'], resources: ['namespaces'], operations: ['CREATE', 'UPDATE', 'DELETE'], scope: '*' },
        ],
      },
    },
  ];
}

/** The `spec` of the policy that protects the platform's objects in the team's namespace. */
export function protectionPolicySpec(policy: TeamPolicy): object {
  const { platform } = policy.team.environment;
  const operators = operatorsOf(policy);
  const programs = (platform.serviceAccounts ?? []).map(account).filter((name) => !operators.includes(name));
  return protectionSpec(policy, {
    // A controller that acts for teams would be asked by one of them.
    notThePlatform: programs.length === 0 ? notThePlatform(policy) : `(${notThePlatform(policy, programs)}) && (!(request.userInfo.username in ${JSON.stringify(programs)}) || ${AS_ANOTHER_ACCOUNT})`,
  });
}

/** Whether a request is for a token of a service account, or for what has one. */
const AS_ANOTHER_ACCOUNT = '(request.resource.group == "" && request.operation in ["CREATE", "UPDATE"] && '
  + '(request.resource.resource == "pods" || (request.resource.resource == "serviceaccounts" && request.?subResource.orValue("") == "token") || '
  + '(request.resource.resource == "secrets" && object.?metadata.?annotations[?"kubernetes.io/service-account.name"].orValue("") != "")))';

/** @param but service accounts of the platform that do not count as the platform */
function notThePlatform(policy: TeamPolicy, but: readonly string[] = []): string {
  const { platform } = policy.team.environment;
  const accounts = (platform.serviceAccounts ?? []).map(account).filter((name) => !but.includes(name));
  const users = [...new Set([...SYSTEM_USERS, ...operatorsOf(policy), ...accounts])];
  const groups = [...new Set([...SYSTEM_GROUPS, ...(platform.groups ?? [])])];
  // A user may have no groups.
  return `!(request.userInfo.username in ${JSON.stringify(users)} || request.userInfo.?groups.orValue([]).exists(group, group in ${JSON.stringify(groups)}))`;
}

function operatorsOf({ team: { environment: { clusters } } }: TeamPolicy): string[] {
  return clusters.map(({ operatorNamespace, operatorServiceAccount }) => (
    account(`${operatorNamespace ?? 'azureserviceoperator-system'}:${operatorServiceAccount ?? 'azureserviceoperator-default'}`)));
}

/** The user of a service account that is written as `namespace:name`. */
function account(name: string): string {
  return `system:serviceaccount:${name}`;
}
