import { versionNames } from './crd-versions';
import { storedVersions } from '../../composer/process/stored-versions';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { listed, plural } from '../../src/util/words';

/**
 * Why versions that a CRD does not have any more must not go: claims may be stored in them, and could not be read without. Undefined: they
 * may.
 * @param live the CRD of the cluster
 */
export function droppedVersionProblem(crd: KubernetesObject, live: KubernetesObject | undefined): string | undefined {
  const [newest, ...older] = versionNames(crd);
  const stored = live ? storedVersions(live) : [];
  const dropped = stored.filter((version) => version !== newest && !older.includes(version));
  if (dropped.length === 0) return undefined;
  const { name } = crd.metadata;
  const versions = listed(dropped);
  const head = `the CRD ${name}: claims may be stored in ${versions}, which the definition does not have`;
  if (!stored.includes(newest!)) return `${head}: nothing converts them to ${newest}. Name ${plural(dropped.length, 'it', 'them')} in olderVersions`;
  return `${head} any more. The composer of the revision before, which has ${plural(dropped.length, 'it', 'them')} in olderVersions, writes all claims in ${newest} `
    + `a minute after it leads, and says in its log what stops it: install this revision when kubectl get crd ${name} -o jsonpath={.status.storedVersions} has ${newest} only`;
}
