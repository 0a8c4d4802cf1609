import { ApiObject } from 'cdk8s';
import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { hasMetricsCertificate } from './certificates';
import { WEBHOOK_SERVICE } from '../../catalog/webhook-configurations';
import { DISRUPTION_BUDGET, LABELS, METRICS_SECRET, METRICS_SERVICE, PORTS } from '../names';
import type { Plan } from '../plan';

/** Creates the Services, the ServiceMonitor and the PodDisruptionBudget. */
export function makeServices(scope: Construct, plan: Plan): void {
  const { namespace, metrics, props, replicas } = plan;
  if (plan.webhooks !== 'none') {
    new k8s.KubeService(scope, 'webhook-service', {
      metadata: { name: WEBHOOK_SERVICE, namespace, labels: LABELS },
      spec: {
        selector: LABELS,
        ports: [{ name: 'webhooks', port: 443, protocol: 'TCP', targetPort: k8s.IntOrString.fromNumber(PORTS.webhooks) }],
      },
    });
  }
  if (metrics.enabled) {
    new k8s.KubeService(scope, 'metrics-service', {
      metadata: { name: METRICS_SERVICE, namespace, labels: { ...LABELS, 'app.kubernetes.io/component': 'metrics' } },
      spec: {
        selector: LABELS,
        ports: [{ name: 'metrics', port: PORTS.metrics, protocol: 'TCP', targetPort: k8s.IntOrString.fromNumber(PORTS.metrics) }],
      },
    });
    if (metrics.serviceMonitor) makeServiceMonitor(scope, plan);
  }
  if (props.disruptionBudget ?? replicas > 1) {
    new k8s.KubePodDisruptionBudget(scope, 'disruption-budget', {
      metadata: { name: DISRUPTION_BUDGET, namespace, labels: LABELS },
      spec: { minAvailable: k8s.IntOrString.fromString('50%'), selector: { matchLabels: LABELS } },
    });
  }
}

/** Creates the ServiceMonitor. The scraper authenticates with the token of its own service account. */
function makeServiceMonitor(scope: Construct, plan: Plan): void {
  const { namespace, metrics } = plan;
  const serverName = `${METRICS_SERVICE}.${namespace}.svc`;
  // No client can verify the self-signed certificate of the controller.
  const tlsConfig = hasMetricsCertificate(plan)
    ? { serverName, ca: { secret: { name: METRICS_SECRET, key: 'ca.crt' } } }
    : { insecureSkipVerify: true };
  const secure = { scheme: 'https', bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token', tlsConfig };
  new ApiObject(scope, 'service-monitor', {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name: METRICS_SERVICE, namespace, labels: LABELS },
    spec: {
      selector: { matchLabels: { ...LABELS, 'app.kubernetes.io/component': 'metrics' } },
      endpoints: [{ port: 'metrics', path: '/metrics', ...(metrics.secure ? secure : { scheme: 'http' }) }],
    },
  });
}
