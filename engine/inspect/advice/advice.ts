import { ofCause } from './causes';
import type { Advice, AdviceContext } from './context';
import { ofReason } from './reasons';
import type { Cause, Inspection } from '../types';

/** The advice for a cause. Values of the cluster in its commands are quoted, since tenants have written them. */
export function adviceFor(cause: Cause, inspection: Inspection): Advice {
  const node = cause.node === undefined ? undefined : inspection.byKey.get(cause.node);
  const context: AdviceContext = { cause, inspection, name: cause.object, node };
  return cause.code === 'Condition' ? ofReason(context) : ofCause(context);
}
