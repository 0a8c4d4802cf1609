import { isDeepStrictEqual } from 'node:util';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { counted } from '../../../src/util/words';
import { MigrationError, type MigrationContext, type MigrationStep } from '../migration-context';
import { storedVersionsOf } from '../storage-versions';

/** Only then does the API server take CRDs without ASO's storage versions. */
export const STORED_VERSIONS: MigrationStep = {
  id: 'stored-versions',
  title: "Take ASO's storage versions out of status.storedVersions",
  run: (context) => setStoredVersions(context, context.journal.state.kinds.map(({ crd, to }) => ({ crd, version: to }))),
};

/** Only for CRDs whose objects are all stored in the version. */
export async function setStoredVersions(
  { client }: MigrationContext, wanted: readonly { readonly crd: string; readonly version: string }[],
): Promise<string> {
  for (const { crd: name, version } of wanted) {
    const crd = await client.get(CRD_KIND, name);
    if (!crd) throw new MigrationError(`the CRD ${name} was deleted in the meantime`);
    if (isDeepStrictEqual(storedVersionsOf(crd), [version])) continue;
    const patch = { metadata: { resourceVersion: crd.metadata.resourceVersion }, status: { storedVersions: [version] } };
    await client.patchStatus(CRD_KIND, name, undefined, patch, 'application/merge-patch+json');
  }
  return counted(wanted.length, 'CRD');
}
