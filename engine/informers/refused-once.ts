import type { InformerTelemetry } from './telemetry';
import { KubernetesError } from '../kubernetes/types';

/** Of an informer without which the controller works: a missing right, or a kind that the cluster does not serve. */
const REFUSALS: readonly number[] = [403, 404];

/**
 * Passes the events of informers on. Of refusals it passes the first one of each kind, until a list of the kind is complete: an informer
 * that is refused goes on asking.
 * @param onRefused called before the event of such a refusal
 */
export function reportRefusedOnce(
  onTelemetry: ((event: InformerTelemetry) => void) | undefined, onRefused?: (status: number) => void,
): (event: InformerTelemetry) => void {
  const refused = new Set<string>();
  return (event) => {
    const status = event.event === 'failed' && event.error instanceof KubernetesError ? event.error.status : 0;
    if (REFUSALS.includes(status)) {
      if (refused.has(event.resource.kind)) return;
      refused.add(event.resource.kind);
      onRefused?.(status);
    }
    if (event.event === 'listed') refused.delete(event.resource.kind);
    onTelemetry?.(event);
  };
}
