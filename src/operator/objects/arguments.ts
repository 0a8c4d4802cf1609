import { hasMetricsCertificate } from './certificates';
import { Catalog } from '../../catalog/catalog';
import { crdPattern } from '../../catalog/crd-pattern';
import { CrdInstallation } from '../bundled-controller-props';
import { PORTS } from '../names';
import type { PlanForKinds } from '../plan';

export const WEBHOOK_CERTIFICATE_DIRECTORY = '/tmp/k8s-webhook-server/serving-certs';
export const METRICS_CERTIFICATE_DIRECTORY = '/tmp/k8s-metrics-server/serving-certs';

/** The command-line arguments of the controller. */
export function argumentsOf(plan: PlanForKinds): string[] {
  const { props, metrics, crds, hasWatchers } = plan;
  const kinds = [...plan.kinds.values()].map(({ kind }) => kind);
  const labels = Object.entries(props.crdLabels ?? {}).map(([key, value]) => `${key}=${value}`).join(',');
  const installs = crds === CrdInstallation.CONTROLLER;
  return [
    `--health-addr=:${PORTS.health}`,
    `--metrics-addr=${metrics.enabled ? `:${PORTS.metrics}` : '0'}`,
    ...(metrics.enabled ? [`--secure-metrics=${metrics.secure}`] : []),
    ...(metrics.enabled && metrics.profiling ? ['--profiling-metrics'] : []),
    ...(metrics.enabled && metrics.ui ? ['--ui'] : []),
    ...(hasMetricsCertificate(plan) ? [`--metrics-cert-dir=${METRICS_CERTIFICATE_DIRECTORY}`] : []),
    // Also with one replica: an unreachable node may still run the pod that was replaced.
    ...(hasWatchers ? ['--enable-leader-election'] : []),
    ...(hasWatchers && props.shards ? ['--shards=auto'] : []),
    `--webhook-port=${plan.webhooks === 'none' ? 0 : PORTS.webhooks}`,
    ...(plan.webhooks === 'cert-manager' ? [`--webhook-cert-dir=${WEBHOOK_CERTIFICATE_DIRECTORY}`] : []),
    `--crd-management=${installs ? 'auto' : 'none'}`,
    ...(installs ? [`--crd-pattern=${crdPattern(kinds, Catalog.default())}`, ...(labels === '' ? [] : [`--crd-labels=${labels}`])] : []),
    // The controller may not read other kinds that the cluster serves. Kinds are listed one by one because a group may grow.
    ...(hasWatchers ? [`--kinds=${kinds.map(({ group, kind }) => `${group}/${kind}`).sort().join(';')}`] : []),
    `--verbose=${props.verbosity ?? 2}`,
    ...(props.jsonLogging ? ['--json-logging'] : []),
  ];
}
