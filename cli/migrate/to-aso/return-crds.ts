import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { counted } from '../../../src/util/words';
import { isCrd } from '../migrated-kinds';
import type { MigrationStep } from '../migration-context';
import { updateCrd } from '../update-crd';

export const RETURN_CRDS: MigrationStep = {
  id: 'return-crds',
  title: "Replace the CRDs by ASO's",
  async run({ client, install, journal: { state: { kinds } } }) {
    const given = new Map(install.filter(isCrd).map((crd) => [crd.metadata.name, crd]));
    for (const { crd: name } of kinds) {
      await updateCrd(client, name, (crd) => {
        const changed = returnedCrd(crd, given.get(name)!);
        return isDeepStrictEqual(crd, changed) ? undefined : changed;
      });
    }
    return counted(kinds.length, 'CRD');
  },
};

/** A CRD of the cluster as ASO has it. */
export function returnedCrd(crd: KubernetesObject, wanted: KubernetesObject): KubernetesObject {
  const labels = { ...crd.metadata.labels, ...wanted.metadata.labels };
  const annotations = { ...crd.metadata.annotations, ...wanted.metadata.annotations };
  return { ...crd, metadata: { ...crd.metadata, labels, annotations }, spec: wanted.spec! };
}
