import { labelsOf, metricsService, type ComposerName } from './names';
import { documentation } from '../../../src/documentation';

/** An alert about a composer. docs/composer.md has a section for each. */
interface ComposerAlert {
  readonly name: string;
  readonly severity: 'critical' | 'warning';
  /** PromQL; `$S` stands for the label matchers that select the composer. */
  readonly expr: string;
  /** How long the expression must hold, e.g. `5m`. */
  readonly for: string;
  readonly summary: string;
}

const increase = (metric: string, matchers = '') => `sum(increase(${metric}{$S${matchers}}[15m]))`;
/** Every replica has all claims in its cache. */
const claims = (matchers: string) => `sum by (kind) (max by (kind, synced, ready) (cdk8s_aso_composer_claims{$S,${matchers}}))`;

const ALERTS: readonly ComposerAlert[] = [
  {
    name: 'ComposerDown', severity: 'critical', expr: 'absent(up{$S} == 1)', for: '5m', summary: 'No pod of the composer answers.',
  },
  {
    name: 'ComposerNoLeader', severity: 'critical', expr: 'max(cdk8s_aso_composer_leading{$S}) == 0', for: '5m', summary: 'No replica of the composer works.',
  },
  {
    name: 'ComposerRolloutPaused',
    severity: 'warning',
    expr: 'max(cdk8s_aso_composer_rollout_paused{$S}) == 1',
    for: '15m',
    summary: 'A new revision of the definition is not taken by all claims.',
  },
  {
    name: 'ComposerClaimsFail',
    severity: 'warning',
    expr: `${claims('synced="False"')} > 0`,
    for: '30m',
    summary: '{{ $value }} claims of {{ $labels.kind }} cannot be composed or applied.',
  },
  {
    name: 'ComposerClaimsNotReady',
    severity: 'warning',
    expr: `${claims('synced="True",ready="False"')} > 0`,
    for: '1h',
    summary: 'Objects of {{ $value }} claims of {{ $labels.kind }} are not ready.',
  },
  {
    name: 'ComposerReconcileErrors',
    severity: 'warning',
    expr: `${increase('cdk8s_aso_composer_reconciles_total', ',result="error"')} > 3 and ${increase('cdk8s_aso_composer_reconciles_total', ',result="error"')} > `
      + `0.01 * ${increase('cdk8s_aso_composer_reconciles_total')}`,
    for: '15m',
    summary: 'Reconciles of claims end without a result.',
  },
  {
    name: 'ComposerWebhookSlow',
    severity: 'warning',
    expr: 'histogram_quantile(0.99, sum by (le, webhook) (rate(cdk8s_aso_composer_webhook_seconds_bucket{$S}[10m]))) > 5',
    for: '15m',
    summary: 'One in a hundred requests to {{ $labels.webhook }} takes more than 5 s. The API server gives up after 10 s.',
  },
  {
    name: 'ComposerWebhookErrors',
    severity: 'warning',
    expr: `${increase('cdk8s_aso_composer_webhook_requests_total', ',code=~"5.."')} > 0`,
    for: '0m',
    summary: 'A webhook has met a mistake of its own: claims of older versions may be unreadable.',
  },
  {
    name: 'ComposerCertificateUnreadable',
    severity: 'warning',
    expr: `${increase('cdk8s_aso_composer_certificate_reads_total', ',outcome="failed"')} > 0`,
    for: '10m',
    summary: 'The certificate of the webhooks cannot be read. The one before is used until it expires.',
  },
];

/**
 * The alerts about a composer, for the metrics that its ServiceMonitor leads to.
 * @see https://prometheus-operator.dev/docs/api-reference/api/#monitoring.coreos.com/v1.PrometheusRule
 */
export function composerAlerts({ name, namespace }: ComposerName): object {
  const matchers = `job="${metricsService(name)}",namespace="${namespace}"`;
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name, namespace, labels: labelsOf(name) },
    spec: {
      groups: [{
        name: `composer-${name}`,
        rules: ALERTS.map(({ name: alert, severity, expr, for: holds, summary }) => ({
          alert,
          expr: expr.replaceAll('$S', matchers),
          ...(holds === '0m' ? {} : { for: holds }),
          labels: { severity },
          annotations: { summary, runbook_url: `${documentation('docs/composer.md')}#${alert.toLowerCase()}` },
        })),
      }],
    },
  };
}
