import { Counter, type Registry } from 'prom-client';
import type { DriftDetectionObserver } from '../drift-detection/batch-drift-detection';

const VERDICTS = {
  confirmed: 'confirmed',
  changed: 'changed',
  absent: 'absent',
  fullRead: 'full_read',
  noBaseline: 'learning',
  tooNew: 'learning',
  unknown: 'unknown',
  ask: 'unanswered',
} as const;

/** Metrics of batch drift detection (`drift-detection/batch-drift-detection.ts`). */
export function driftDetectionMetrics(registry: Registry): Required<DriftDetectionObserver> {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const requests = counter('cdk8s_aso_drift_detection_requests_total', 'Requests that ask for many resources at once, by where they go', [
    'source',
  ]);
  const rows = counter('cdk8s_aso_drift_detection_rows_total', 'Rows that these requests gave', ['source']);
  const failures = counter(
    'cdk8s_aso_drift_detection_failures_total',
    'Requests of this kind that failed: the resources are then read one by one',
    ['source'],
  );
  const objects = counter(
    'cdk8s_aso_drift_detection_objects_total',
    'Periodic checks of objects by the content of a row; all but the confirmed ones get a reconcile',
    ['verdict'],
  );
  for (const source of ['table', 'list']) for (const each of [requests, rows, failures]) each.inc({ source }, 0);
  for (const verdict of new Set(Object.values(VERDICTS))) objects.inc({ verdict }, 0);
  return {
    onRequest: (source, count) => {
      requests.inc({ source });
      rows.inc({ source }, count);
    },
    onFailure: ({ of }) => failures.inc({ source: of }),
    onVerdict: (verdict) => objects.inc({ verdict: VERDICTS[verdict] }),
  };
}
