import { partialUnread, type StatusTextOptions } from './status-text';
import { isSettled, type Inspection, type InspectionNode } from '../../engine/inspect';
import type { ClusterOptions } from '../cluster/options';
import type { Style } from '../output/terminal';

export interface StatusOptions extends ClusterOptions {
  readonly watch: boolean;
  readonly kind: readonly string[];
  readonly state: readonly string[];
  readonly selector?: string;
  readonly groupBy?: 'cause' | 'namespace';
  readonly output: 'text' | 'wide' | 'json';
  /** False: every object has a line. */
  readonly fold: boolean;
  readonly exitCode: boolean;
}

export function textOptions(
  { groupBy, output, fold }: StatusOptions, shows: (node: InspectionNode) => boolean, style: Style,
): StatusTextOptions {
  return { style, groupBy, wide: output === 'wide', ...(fold ? {} : { folds: false }), shows };
}

/** 0: all was read. With --exit-code, 1: something is not Ready, 2: something was not read. */
export function exitStatus(inspection: Inspection, shows: (node: InspectionNode) => boolean, { exitCode }: StatusOptions): number {
  const isPartial = partialUnread(inspection).length > 0;
  if (!exitCode) return isPartial ? 1 : 0;
  if (isPartial) return 2;
  return inspection.nodes.some((node) => shows(node) && !isSettled(node.state)) ? 1 : 0;
}
