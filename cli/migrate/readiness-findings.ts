import type { KindObjects } from './cluster-state';
import { warning, type Finding } from './finding';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { POLLER_TOKEN } from '../../src/azure/annotations';
import { isRecord } from '../../src/util/records';
import { counted, firstOf } from '../../src/util/words';

const MOST_NAMED = 5;

/** Objects that ASO has not made Ready, by its reason. Those on which Azure works, or that are being deleted, have other findings. */
export function readinessFindings(kinds: readonly KindObjects[]): Finding[] {
  const byReason = new Map<string, KubernetesObject[]>();
  for (const object of kinds.flatMap(({ objects }) => objects)) {
    const { annotations, deletionTimestamp } = object.metadata;
    if (deletionTimestamp !== undefined || annotations?.[POLLER_TOKEN]) continue;
    const ready = readyOf(object);
    if (ready?.status === 'True') continue;
    const reason = ready ? `${String(ready.reason)}${ready.severity === 'Error' ? ', and ASO has given up' : ''}` : 'no condition';
    byReason.set(reason, [...(byReason.get(reason) ?? []), object]);
  }
  return [...byReason].map(([reason, objects]) => warning(
    'objects',
    `${counted(objects.length, 'object is', 'objects are')} not Ready (${reason}): ${firstOf(objects.map(named), MOST_NAMED)}`,
    'repair them under ASO, or go on: they are handed over as they are, and the new controller tries each of them anew',
  ));
}

function readyOf({ status }: KubernetesObject): Readonly<Record<string, unknown>> | undefined {
  const { conditions } = (status ?? {}) as Readonly<Record<string, unknown>>;
  return Array.isArray(conditions) ? conditions.filter(isRecord).find(({ type }) => type === 'Ready') : undefined;
}

function named({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  return `${kind} ${namespace}/${name}`;
}
