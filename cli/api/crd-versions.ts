import type { KubernetesObject } from '../../engine/kubernetes/types';
import { isRecord } from '../../src/util/records';

/** Names of the versions of a CRD, in its order: in a definition's, the one in which claims are stored is the first. */
export function versionNames({ spec }: KubernetesObject): string[] {
  const versions: unknown = spec?.versions;
  return Array.isArray(versions) ? versions.flatMap((one) => (isRecord(one) && typeof one.name === 'string' ? [one.name] : [])) : [];
}
