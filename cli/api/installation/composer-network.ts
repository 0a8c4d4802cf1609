import { COMPOSER_PORTS } from './composer-deployment';
import { labelsOf, type ComposerName } from './names';
import { WEBHOOK_PORT } from '../../../composer/webhooks/webhook-names';

/**
 * The composer asks the API server only, by its address, and answers probes, Prometheus and webhooks only. A policy cannot name the API
 * server: so it names its ports.
 */
export function networkPolicy(
  { name, namespace, apiServerPort, hasWebhooks }: ComposerName & { readonly apiServerPort: number; readonly hasWebhooks: boolean },
): object {
  const labels = labelsOf(name);
  const tcp = (port: number) => ({ protocol: 'TCP', port });
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace, labels },
    spec: {
      podSelector: { matchLabels: labels },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [...Object.values(COMPOSER_PORTS), ...(hasWebhooks ? [WEBHOOK_PORT] : [])].map(tcp) }],
      egress: [{ ports: [...new Set([443, apiServerPort])].map(tcp) }],
    },
  };
}
