import { labelsOf, metricsService, type ComposerName } from './names';

const API = 'monitoring.coreos.com/v1';
const METRICS_PORT = 'metrics';

/** The Service of a composer's metrics: each pod has its own, whether it works or waits. */
export function metricsServiceObject({ name, namespace }: ComposerName): object {
  const labels = labelsOf(name);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: metricsService(name), namespace, labels },
    spec: { selector: labels, ports: [{ name: METRICS_PORT, port: 8080, protocol: 'TCP', targetPort: METRICS_PORT }] },
  };
}

/**
 * Has Prometheus scrape the metrics. Of the Services with the composer's labels, only theirs has a port of that name.
 * @see https://prometheus-operator.dev/docs/api-reference/api/#monitoring.coreos.com/v1.ServiceMonitor
 */
export function serviceMonitor({ name, namespace }: ComposerName): object {
  const labels = labelsOf(name);
  return {
    apiVersion: API,
    kind: 'ServiceMonitor',
    metadata: { name: metricsService(name), namespace, labels },
    spec: { selector: { matchLabels: labels }, endpoints: [{ port: METRICS_PORT, path: '/metrics', scheme: 'http' }] },
  };
}
