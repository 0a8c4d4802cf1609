import { injectedAuthority } from './composer-certificate';
import { clusterScopedName, labelsOf, type ComposerName } from './names';
import type { ApiFacts } from '../../../composer/definition/api-facts';
import { convertedCrds } from '../../../composer/definition/composer-rights';
import { ADMISSION_PATH, webhookService } from '../../../composer/webhooks/webhook-names';
import { DEFINITION_REVISION } from '../../../src/azure/annotations';
import { groupBy } from '../../../src/util/group-by';

/** Whether the API server asks the composer for conversions or reviews. */
export function hasWebhooks({ facts, admission }: { readonly facts: readonly ApiFacts[]; readonly admission: boolean }): boolean {
  return admission || convertedCrds(facts).length > 0;
}

/** Has claims of all versions reviewed before they are stored. A composer that does not answer stops nobody. */
export function claimReviews(facts: readonly ApiFacts[], composer: ComposerName & { readonly certManager: boolean }): object {
  const { name, namespace, certManager } = composer;
  const groups = [...groupBy(facts, ({ group }) => group)];
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: {
      name: clusterScopedName(composer),
      labels: labelsOf(name),
      ...(certManager && { annotations: injectedAuthority(composer) }),
    },
    webhooks: [{
      name: 'claims.composer.aso.cdk8s.io',
      admissionReviewVersions: ['v1'],
      clientConfig: { service: { namespace, name: webhookService(name), path: ADMISSION_PATH, port: 443 } },
      failurePolicy: 'Ignore',
      matchPolicy: 'Equivalent',
      sideEffects: 'None',
      timeoutSeconds: 10,
      rules: groups.map(([group, own]) => ({
        apiGroups: [group], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: own.map(({ plural }) => plural).sort(), scope: '*',
      })),
    }],
  };
}

/**
 * The Service of the webhooks: pods of this revision only, since those of an earlier one do not have all versions, and also pods that are
 * not ready: these wait for lists of claims, which may have to be converted.
 */
export function webhookServiceObject({ name, namespace }: ComposerName, revision: string): object {
  const labels = labelsOf(name);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: webhookService(name), namespace, labels },
    spec: {
      selector: { ...labels, [DEFINITION_REVISION]: revision },
      publishNotReadyAddresses: true,
      ports: [{ name: 'webhooks', port: 443, protocol: 'TCP', targetPort: 'webhooks' }],
    },
  };
}
