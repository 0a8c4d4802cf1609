import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { WEBHOOK_CERTIFICATE, WEBHOOK_SECRET, WEBHOOK_SERVICE } from '../../catalog/webhook-configurations';
import { ISSUER, LABELS, METRICS_CERTIFICATE, METRICS_SECRET, METRICS_SERVICE } from '../names';
import type { Plan } from '../plan';

const API = 'cert-manager.io/v1';

/** Creates the cert-manager Certificates of the webhooks and the metrics endpoint. */
export function makeCertificates(scope: Construct, plan: Plan): void {
  if (plan.webhooks !== 'cert-manager') return;
  const { namespace } = plan;
  const given = plan.props.webhooks?.issuer;
  if (!given) {
    new ApiObject(scope, 'issuer', {
      apiVersion: API,
      kind: 'Issuer',
      metadata: { name: ISSUER, namespace, labels: LABELS },
      spec: { selfSigned: {} },
    });
  }
  const issuerRef = given
    ? { name: given.name, kind: given.kind ?? 'Issuer', group: given.group ?? 'cert-manager.io' }
    : { name: ISSUER, kind: 'Issuer', group: 'cert-manager.io' };
  const certificate = (id: string, name: string, secretName: string, service: string) =>
    new ApiObject(scope, id, {
      apiVersion: API,
      kind: 'Certificate',
      metadata: { name, namespace, labels: LABELS },
      spec: { dnsNames: [`${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`], issuerRef, secretName },
    });
  certificate('webhook-certificate', WEBHOOK_CERTIFICATE, WEBHOOK_SECRET, WEBHOOK_SERVICE);
  if (hasMetricsCertificate(plan)) certificate('metrics-certificate', METRICS_CERTIFICATE, METRICS_SECRET, METRICS_SERVICE);
}

export function hasMetricsCertificate({ webhooks, metrics }: Plan): boolean {
  return webhooks === 'cert-manager' && metrics.enabled && metrics.secure;
}
