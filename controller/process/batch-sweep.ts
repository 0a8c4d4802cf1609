import { logSweepFailure } from './log-lines';
import type { Clock } from '../../engine/clock';
import type { CredentialSource } from '../../engine/credentials/types';
import type { ObjectExpressions } from '../../engine/export';
import type { Logger } from '../log';
import type { Metrics } from '../metrics';
import type { Cluster } from '../reconcile/cluster';
import type { Settings } from '../settings';
import { subjectOf, Sweep, type SweepOptions } from '../sweep';
import { sweepMetrics } from '../telemetry/sweep-metrics';

/** Rows may be as old as this, in milliseconds: Resource Graph follows Azure within seconds, as a rule. */
const ROWS_LAG = 5 * 60_000;

export interface BatchSweepOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly delayScale?: number;
  readonly expressions?: Pick<ObjectExpressions, 'engine'>;
}

/** What looks at many objects at once, where there are syncs and nobody has switched it off. */
export function batchSweep(
  { settings, clock, metrics, logger, expressions, delayScale = 1 }: BatchSweepOptions,
  cluster: Cluster, credentials: CredentialSource, clientFor?: SweepOptions['clientFor'],
): Sweep | undefined {
  const { syncPeriod, driftDetection, fullReadPeriod, defaultReconcilePolicy: defaultPolicy } = settings;
  if (syncPeriod === undefined || driftDetection === 'individual') return undefined;
  const counted = sweepMetrics(metrics.registry);
  return new Sweep({
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
        logSweepFailure(logger, source, subscriptionId, error, stays);
      },
    },
  });
}
