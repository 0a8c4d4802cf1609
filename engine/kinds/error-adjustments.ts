import type { ErrorAdjustment, KindBehaviour } from './kind-behaviour';
import type { ClassificationAdjustment } from '../arm/classify';
import type { Classification } from '../arm/types';

/** The adjustment of a kind's errors (docs/spec/extensions.md#error-adjustments), or undefined when the kind has none. */
export function adjustmentOf({ errors }: KindBehaviour): ClassificationAdjustment | undefined {
  if (!errors) return undefined;
  return (classification) => {
    const adjustment = errors.find((candidate) => fits(candidate, classification));
    return adjustment ? { ...classification, ...adjustment.become } : classification;
  };
}

function fits({ codes, message }: ErrorAdjustment, classification: Classification): boolean {
  if (codes && !codes.includes(classification.code)) return false;
  return (message ?? []).every((part) =>
    typeof part === 'string' ? classification.message.includes(part) : part.test(classification.message),
  );
}
