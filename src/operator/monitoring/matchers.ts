import { DEFAULT_NAMESPACE, METRICS_SERVICE } from '../names';

interface Selection {
  readonly controllerNamespace?: string;
  readonly matchers?: string;
}

/** The label matchers of PromQL that select the metrics of a controller. A ServiceMonitor names the job after its Service. */
export function matchersOf({ controllerNamespace = DEFAULT_NAMESPACE, matchers }: Selection): string {
  return matchers ?? `job="${METRICS_SERVICE}",namespace="${controllerNamespace}"`;
}
