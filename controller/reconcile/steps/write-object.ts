import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { hasFinalizer } from '../../../engine/objects/annotations';
import { withStoredTime } from '../core/conditions';
import type { Result } from '../core/observed';
import { knowledgeAfter } from '../last-write-knowledge';
import type { ObjectReconcile, ReconcileProgress } from '../object-reconcile';

/** Writes the metadata of the wanted object; resolves with undefined when the object is gone. */
export function writeMain(
  { watched, state }: ObjectReconcile, { stored, observed }: ReconcileProgress,
): Promise<KubernetesObject | undefined> {
  return state.writer.writeMain(watched, stored, observed.object);
}

/** The metadata is stored: the next action may rely on it. */
export function afterPersist({ memory }: ObjectReconcile, progress: ReconcileProgress, written: KubernetesObject): void {
  progress.stored = withStatus(written, progress.stored.status);
  progress.observed = { ...progress.observed, object: written };
  // The record that is stored now was not sent before: this process knows all requests that were.
  if (progress.observed.knowledge === 'known') memory.knowledge = 'known';
  progress.outcome = { of: 'persist' };
}

/** Writes the main object first, then the status. A failed write leaves in doubt what the next reconcile may rely on. */
export async function writeResult(reconcile: ObjectReconcile, progress: ReconcileProgress, result: Result): Promise<void> {
  const { watched, memory, state: { writer, released } } = reconcile;
  const { stored, observed } = progress;
  try {
    const written = await writeMain(reconcile, progress);
    const gone = !written || (hasFinalizer(stored) && !hasFinalizer(observed.object));
    if (gone) released.add(stored);
    else await writer.writeStatus(watched, stored, withStoredTime(written, stored));
  } catch (error) {
    memory.knowledge = 'uncertain';
    if (error instanceof KubernetesError && error.status === 404) return;
    throw error;
  }
  memory.knowledge = knowledgeAfter(result, observed) ?? memory.knowledge;
}

function withStatus({ status: _, ...object }: KubernetesObject, status: KubernetesObject['status']): KubernetesObject {
  return { ...object, ...(status && { status }) };
}
