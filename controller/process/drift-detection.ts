import { logDriftDetectionFailure } from './log-lines';
import type { Clock } from '../../engine/clock';
import type { CredentialSource } from '../../engine/credentials/types';
import type { ObjectExpressions } from '../../engine/export';
import type { Logger } from '../../runtime/log/log';
import { subjectOf, BatchDriftDetection, type BatchDriftDetectionOptions } from '../drift-detection';
import type { Metrics } from '../metrics';
import type { Cluster } from '../reconcile/cluster';
import type { Settings } from '../settings';
import { driftDetectionMetrics } from '../telemetry/drift-detection-metrics';

/** Rows may be this old, in milliseconds: Resource Graph usually follows Azure within seconds. */
const ROWS_LAG = 5 * 60_000;

export interface DriftDetectionOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly delayScale?: number;
  readonly expressions?: Pick<ObjectExpressions, 'engine'>;
}

/** Starts batch drift detection, if there are syncs and the settings have not switched it off. */
export function startDriftDetection(
  { settings, clock, metrics, logger, expressions, delayScale = 1 }: DriftDetectionOptions,
  cluster: Cluster, credentials: CredentialSource, clientFor?: BatchDriftDetectionOptions['clientFor'],
): BatchDriftDetection | undefined {
  const { syncPeriod, driftDetection, fullReadPeriod, defaultReconcilePolicy: defaultPolicy } = settings;
  if (syncPeriod === undefined || driftDetection === 'individual') return undefined;
  const counted = driftDetectionMetrics(metrics.registry);
  return new BatchDriftDetection({
    clock,
    syncPeriod,
    fullReadPeriod,
    lag: ROWS_LAG / delayScale,
    clientFor,
    subjectOf: (key) => subjectOf(key, { cluster, credentials, defaultPolicy, engine: expressions?.engine }),
    observer: {
      ...counted,
      onFailure: (source, subscriptionId, error, stays) => {
        counted.onFailure(source, subscriptionId, error, stays);
        logDriftDetectionFailure(logger, source, subscriptionId, error, stays);
      },
    },
  });
}
