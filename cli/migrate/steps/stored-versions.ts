import { isDeepStrictEqual } from 'node:util';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { counted } from '../../../src/util/words';
import { MigrationError, type MigrationStep } from '../migration-context';
import { storedVersionsOf } from '../storage-versions';

/** Only then does the API server take CRDs without ASO's storage versions. */
export const STORED_VERSIONS: MigrationStep = {
  id: 'stored-versions',
  title: "Take ASO's storage versions out of status.storedVersions",
  async run({ client, journal: { state: { kinds } } }) {
    for (const { crd: name, to } of kinds) {
      const crd = await client.get(CRD_KIND, name);
      if (!crd) throw new MigrationError(`the CRD ${name} was deleted in the meantime`);
      if (isDeepStrictEqual(storedVersionsOf(crd), [to])) continue;
      const patch = { metadata: { resourceVersion: crd.metadata.resourceVersion }, status: { storedVersions: [to] } };
      await client.patchStatus(CRD_KIND, name, undefined, patch, 'application/merge-patch+json');
    }
    return counted(kinds.length, 'CRD');
  },
};
