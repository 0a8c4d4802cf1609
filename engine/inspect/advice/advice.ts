import { ofCause } from './causes';
import type { Advice, AdviceContext } from './context';
import { ofReason } from './reasons';
import type { Cause, Inspection, InspectionNode } from '../types';

/**
 * The advice for a cause. Values of the cluster in its commands are quoted, since tenants have written them.
 * @param waiting the object that waits for the cause; by default the first of those that do
 */
export function adviceFor(cause: Cause, inspection: Inspection, waiting = firstOf(cause, inspection)): Advice {
  const node = cause.node === undefined ? undefined : inspection.byKey.get(cause.node);
  const context: AdviceContext = { cause, inspection, name: cause.object, node, waiting };
  return cause.code === 'Condition' ? ofReason(context) : ofCause(context);
}

function firstOf({ nodes }: Cause, { byKey }: Inspection): InspectionNode | undefined {
  return nodes.map((key) => byKey.get(key)).find((node) => node !== undefined);
}
