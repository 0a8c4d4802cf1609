import type { Journal, TransferFinding } from './types';
import { counted } from '../../src/util/words';
import { oneLine } from '../output/problem';

/** The steps of a transfer, with numbers. */
export function planText({ fromNamespace, toNamespace, items, values }: Journal): string {
  const objects = counted(items.length, 'object');
  const copies = values.length > 0 ? `, and copies of ${counted(values.length, 'Secret or ConfigMap', 'Secrets and ConfigMaps')}` : '';
  return [
    `1. hold: ${objects} of ${fromNamespace} get the policy skip, after their operations in Azure have ended`,
    `2. apply: ${objects} in ${toNamespace}, which only read (skip)${copies}; each must mean the same resource`,
    `3. hand over: the objects of ${toNamespace} get the policies of the old ones, and write from then on`,
    `4. remove: the objects of ${fromNamespace} go, children first; under skip nothing is deleted in Azure`,
    '--run carries it out; run it again after an interruption. Until step 3 --undo takes all back.',
  ].join('\n');
}

export function findingText({ severity, object, message, fix }: TransferFinding): string {
  return oneLine(`${severity}: ${object} ${message}; ${fix}`);
}
