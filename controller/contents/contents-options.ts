import type { Clock } from '../../engine/clock';
import type { KubernetesClient } from '../../engine/kubernetes/types';
import type { ObjectId } from '../../src/object-id';

export interface ContentsOptions {
  readonly client: Pick<KubernetesClient, 'get'>;
  readonly clock: Clock;
  /** Whether an object needs the Secret or ConfigMap: then its content is kept, and read again when it changes. */
  readonly isUsed: (key: ObjectId) => boolean;
  /**
   * Called when the content of an object has been read, or its object is gone.
   * @param isChanged whether the data differs from that of the last read
   */
  readonly onKnown: (key: ObjectId, isChanged: boolean) => void;
}
