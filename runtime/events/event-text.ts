import type { AnswerId } from '../../engine/arm/types';

/** A Kubernetes event about the object. */
export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The answer of Azure that the event is about. */
  readonly answer?: AnswerId;
}
