import { celOf, Limit, messageOf } from './limit';
import { VARIABLES } from './limits/facts';
import { KUBERNETES_CONTROLLERS, protectionSpec } from './protection';
import type { TeamPolicy } from './team-policy';

/** Breaking glass: the group in which an administrator is whom authorization does not ask, and the API server itself. */
const SYSTEM_GROUPS = ['system:masters'];
const SYSTEM_USERS = ['system:apiserver'];

/** The resources of Kubernetes' core that limits are about. */
const CORE_RESOURCES = ['configmaps', 'secrets', 'resourcequotas', 'limitranges', 'namespaces'];

/**
 * The `spec` of a ValidatingAdmissionPolicy with the limits of a team. Whoever is not of the platform is held to them, whatever roles he has.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export function admissionPolicySpec(policy: TeamPolicy, limits: readonly Limit[]): object {
  return {
    failurePolicy: 'Fail',
    matchConstraints: {
      matchPolicy: 'Equivalent',
      resourceRules: [
        // Of all groups: an operator of tomorrow may have groups that nobody knows today.
        { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['CREATE', 'UPDATE'], scope: 'Namespaced' },
        { apiGroups: [''], apiVersions: ['*'], resources: ['namespaces'], operations: ['UPDATE'], scope: '*' },
      ],
    },
    matchConditions: [
      { name: 'in-the-namespace', expression: `request.namespace == ${JSON.stringify(policy.team.namespace)}` },
      { name: 'limited-resources', expression: `request.resource.group.endsWith(".azure.com") || (request.resource.group == "" && request.resource.resource in ${JSON.stringify(CORE_RESOURCES)})` },
      { name: 'not-the-platform', expression: notThePlatform(policy) },
      // They carry on what others have begun, and write no spec.
      { name: 'not-kubernetes', expression: `!(request.userInfo.username in ${JSON.stringify(KUBERNETES_CONTROLLERS)})` },
    ],
    variables: VARIABLES.map(({ name, expression }) => ({ name, expression })),
    validations: limits.map((limit) => ({ expression: celOf(limit), message: messageOf(limit, policy.origin), reason: 'Forbidden' })),
  };
}

/**
 * What the bindings of the policy hold for: the team's namespace and everything in it. The API server takes whatever resource is called
 * `namespaces` for a Namespace, so that a selector looks at the labels of a Service Bus namespace instead of those of the Namespace that
 * it is in: such resources have a binding of their own, without a selector.
 */
export function bindingMatches(namespace: string): readonly { readonly suffix: string; readonly matchResources: object }[] {
  return [
    { suffix: '', matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } } },
    { suffix: '-namespaces', matchResources: { resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['namespaces'], operations: ['CREATE', 'UPDATE', 'DELETE'], scope: '*' }] } },
  ];
}

/** The `spec` of the policy that keeps what the platform has put there. */
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
  // Not everybody is in a group.
  return `!(request.userInfo.username in ${JSON.stringify(users)} || request.userInfo.?groups.orValue([]).exists(group, group in ${JSON.stringify(groups)}))`;
}
