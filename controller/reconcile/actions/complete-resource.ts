import { kindContextOf, kindHooksOf, type ActionContext } from './action-context';
import { guarded } from './action-errors';
import { exportUnlessStopped } from './export-values';
import type { KindContext } from '../../../engine/kinds';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation } from '../../../engine/objects/annotations';
import { STOPPED_EXPORT } from '../../../src/azure/annotations';
import { warning } from '../core/failure';
import type { Observed, Outcome } from '../core/observed';

/** After the PUT: the check of the kind, the exports, and the hook of the kind after a success. */
export async function completeResource(context: ActionContext, observed: Observed): Promise<Outcome> {
  const kind = kindContextOf(context, observed);
  return guarded({ during: 'complete' }, context.signal, () => checkAndExport(context, kind, observed));
}

async function checkAndExport(context: ActionContext, kind: KindContext, observed: Observed): Promise<Outcome> {
  const hooks = kindHooksOf(context);
  const { conditions, ...status } = observed.object.status ?? {};
  const check = (await hooks.postCheck?.(kind, status)) ?? {};
  const kept = check.status ?? status;
  if (check.failure) {
    const failure = warning(check.reason ?? 'PostReconciliationFailure', check.failure);
    return { of: 'failure', during: 'complete', failure, status: kept, ...(check.annotations ? { annotations: check.annotations } : {}) };
  }
  const object = { ...observed.object, status: { ...kept, conditions } } as KubernetesObject;
  const { version, exporter, signal } = context;
  const stopped = await exportUnlessStopped(object, 'complete', context.now, () =>
    exporter({ object, version, armId: kind.armId, client: kind.client, signal }),
  );
  if (stopped) return { ...stopped, status: kept, annotations: { ...check.annotations, ...stopped.annotations } };
  const annotations = { ...check.annotations, ...hooks.onSuccess?.(kind, kept), ...withoutStop(object) };
  return {
    of: 'complete',
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    ...(check.status ? { status: check.status } : {}),
  };
}

function withoutStop(object: KubernetesObject): Record<string, undefined> {
  return annotation(object, STOPPED_EXPORT) === undefined ? {} : { [STOPPED_EXPORT]: undefined };
}
