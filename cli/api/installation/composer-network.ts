import { COMPOSER_PORTS } from './composer-deployment';
import { labelsOf, type ComposerName } from './names';

/**
 * The composer asks the API server only, by its address, and answers probes and Prometheus only. A policy cannot name the API server: so
 * it names its ports.
 */
export function networkPolicy({ name, namespace, apiServerPort }: ComposerName & { readonly apiServerPort: number }): object {
  const labels = labelsOf(name);
  const tcp = (port: number) => ({ protocol: 'TCP', port });
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace, labels },
    spec: {
      podSelector: { matchLabels: labels },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: Object.values(COMPOSER_PORTS).map(tcp) }],
      egress: [{ ports: [...new Set([443, apiServerPort])].map(tcp) }],
    },
  };
}
