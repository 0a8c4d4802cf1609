import type { KubernetesObject } from '../kubernetes/types';

/** How the message of a Ready condition begins while a deletion waits for the objects that need this one (docs/offboarding.md). */
export const DELETION_WAITS = 'The deletion waits until nobody needs this any more';

/** Whether the deletion of an object waits for that of others. */
export function waitsForUsers({ metadata, status }: KubernetesObject): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return metadata.deletionTimestamp !== undefined && ready?.reason === 'Deleting' && (ready.message ?? '').startsWith(DELETION_WAITS);
}
