import { hasWebhooks } from './composer-webhooks';
import { clusterScopedName, labelsOf, type ComposerName } from './names';
import type { ApiFacts } from '../../../composer/definition/api-facts';
import { webhookSecret } from '../../../composer/webhooks/webhook-names';
import { APPLY_SET_PART_OF, COMPOSED_FOR } from '../../../src/azure/annotations';
import { groupBy } from '../../../src/util/group-by';

const API = 'admissionregistration.k8s.io';
const KUBERNETES_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease'];

/**
 * The ValidatingAdmissionPolicy of a composer, and its binding. Rights cannot say "only what you have made": its role covers all objects of
 * the composed kinds. The policy says so: objects that it creates have the mark of a claim, it changes and deletes marked ones only, and
 * none in its own namespace, where a pod could use its service account, or in those of Kubernetes.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export function composerGuard(
  facts: readonly ApiFacts[], composer: ComposerName & { readonly admission: boolean; readonly certManager: boolean },
): object[] {
  const { name, namespace } = composer;
  const resourceRules = composedRules(facts);
  if (resourceRules.length === 0) return [];
  const metadata = { name: clusterScopedName(composer), labels: labelsOf(name) };
  const has = (object: string, member: string, key: string) => `has(${object}.metadata.${member}) && '${key}' in ${object}.metadata.${member}`;
  const user = `system:serviceaccount:${namespace}:${name}`;
  const certificate = `request.resource.group == '' && request.resource.resource == 'secrets' && request.namespace == '${namespace}' && request.name == '${webhookSecret(name)}'`;
  const closed = [namespace, ...KUBERNETES_NAMESPACES];
  return [
    {
      apiVersion: `${API}/v1`,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { matchPolicy: 'Equivalent', resourceRules },
        matchConditions: [
          { name: 'the-composer', expression: `request.userInfo.username == '${user}'` },
          ...(!composer.certManager && hasWebhooks({ facts, admission: composer.admission }) ? [{ name: 'not-its-certificate', expression: `!(${certificate})` }] : []),
        ],
        validations: [
          {
            expression: `request.operation == 'DELETE' || (${has('object', 'labels', APPLY_SET_PART_OF)})`,
            message: `the composer writes only objects with the label ${APPLY_SET_PART_OF} of a claim`,
            reason: 'Forbidden',
          },
          {
            expression: `request.operation == 'CREATE' || (${has('oldObject', 'labels', APPLY_SET_PART_OF)}) || (${has('oldObject', 'annotations', COMPOSED_FOR)})`,
            message: `the composer changes and deletes only objects that were composed for a claim: this one has neither the label ${APPLY_SET_PART_OF} nor the annotation ${COMPOSED_FOR}`,
            reason: 'Forbidden',
          },
          {
            // A request for a cluster-scoped object has no namespace.
            expression: `!(request.?namespace.orValue('') in [${closed.map((one) => `'${one}'`).join(', ')}])`,
            message: `the composer writes nothing into its own namespace ${namespace} and the namespaces of Kubernetes`,
            reason: 'Forbidden',
          },
        ],
      },
    },
    {
      apiVersion: `${API}/v1`,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: metadata.name, validationActions: ['Deny'] },
    },
  ];
}

/** The composed kinds without those of the claims: users make claims, and the composer marks them with its finalizer. */
function composedRules(facts: readonly ApiFacts[]): object[] {
  const claims = new Set(facts.map(({ group, plural }) => `${plural}.${group}`));
  const composed = facts.flatMap(({ composes }) => composes)
    .flatMap(({ group, plural }) => (plural === undefined || claims.has(`${plural}.${group}`) ? [] : [{ group, plural }]));
  return [...groupBy(composed, ({ group }) => group)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([group, own]) => ({
    apiGroups: [group],
    apiVersions: ['*'],
    resources: [...new Set(own.map(({ plural }) => plural))].sort(),
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    scope: '*',
  }));
}
