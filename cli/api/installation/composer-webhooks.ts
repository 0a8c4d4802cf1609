import { labelsOf, type ComposerName } from './names';
import type { ApiFacts } from '../../../composer/definition/api-facts';
import { convertedCrds } from '../../../composer/definition/composer-rights';
import { webhookService } from '../../../composer/webhooks/webhook-names';
import { DEFINITION_REVISION } from '../../../src/azure/annotations';

/** Whether the API server asks the composer for conversions. */
export function hasWebhooks(facts: readonly ApiFacts[]): boolean {
  return convertedCrds(facts).length > 0;
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
