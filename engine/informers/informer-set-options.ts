import type { NamespaceFilter } from './namespace-filter';
import type { ReflectorTiming } from './reflector-timing';
import type { InformerSetTelemetry, InformerTelemetry } from './telemetry';
import type { Clock } from '../clock';
import type { Discovery, KubernetesListWatch } from '../kubernetes/types';

/** The API that a set of informers reads from. */
export interface InformerSource extends KubernetesListWatch {
  discovery(groups?: (group: string) => boolean): Promise<Discovery>;
}

export interface InformerSetOptions {
  readonly clock?: Clock;
  /** `AZURE_TARGET_NAMESPACES`; absent or empty: all. */
  readonly namespaces?: readonly string[];
  /** The namespaces whose objects are kept, at the start. Default: all, and `setFilter` has no effect. */
  readonly filter?: NamespaceFilter | undefined;
  readonly timing?: Partial<ReflectorTiming> | undefined;
  /** Interval in milliseconds at which discovery is repeated even if no CRD has changed. Default 5 min. */
  readonly discoveryInterval?: number;
  /**
   * Milliseconds that the start waits for first lists; it does not wait for lists that the server refuses. After it, an object is
   * reconciled as soon as all objects that it needs are known, and `problems` reports the missing lists. Default 30 s.
   */
  readonly syncTimeout?: number;
  readonly onTelemetry?: (event: InformerTelemetry | InformerSetTelemetry) => void;
}
