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
      { name: 'limited-resources', expression: `request.resource.group.endsWith(".azure.com") || request.resource.group.endsWith(".aso.cdk8s.io") || (request.resource.group == "" && request.resource.resource in ${JSON.stringify(CORE_RESOURCES)})` },
      { name: 'not-the-platform', expression: notThePlatform(policy) },
      // These controllers complete requests of other users, and write no spec.
      { name: 'not-kubernetes', expression: `!(request.userInfo.username in ${JSON.stringify(KUBERNETES_CONTROLLERS)})` },
    ],
    variables: VARIABLES.map(({ name, expression }) => ({ name, expression })),
    validations: limits.map((limit) => ({ expression: celOf(limit), message: messageOf(limit, policy.origin), reason: 'Forbidden' })),
  };
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
  return protectionSpec(policy, { notThePlatform: notThePlatform(policy) });
}

function notThePlatform({ team: { environment } }: TeamPolicy): string {
  const { platform, clusters } = environment;
  const accounts = (platform.serviceAccounts ?? []).map((account) => `system:serviceaccount:${account}`);
  const operators = clusters.map(({ operatorNamespace, operatorServiceAccount }) => (
    `system:serviceaccount:${operatorNamespace ?? 'azureserviceoperator-system'}:${operatorServiceAccount ?? 'azureserviceoperator-default'}`));
  const users = [...new Set([...SYSTEM_USERS, ...operators, ...accounts])];
  const groups = [...new Set([...SYSTEM_GROUPS, ...(platform.groups ?? [])])];
  // A user may have no groups.
  return `!(request.userInfo.username in ${JSON.stringify(users)} || request.userInfo.?groups.orValue([]).exists(group, group in ${JSON.stringify(groups)}))`;
}
