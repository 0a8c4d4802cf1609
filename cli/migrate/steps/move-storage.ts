import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { counted } from '../../../src/util/words';
import { MigrationError, waitUntil, type MigrationContext, type MigrationStep } from '../migration-context';
import { storedVersionsOf, versionsOf } from '../storage-versions';
import { updateCrd } from '../update-crd';

const SECONDS = 60;
/** Each API server of a cluster notices a changed CRD by itself; until then it stores objects in the old version. */
const SETTLE_MS = 5_000;

/** Later writes are stored in a version that this package's CRDs have. */
export const MOVE_STORAGE: MigrationStep = {
  id: 'move-storage',
  title: "Store objects in the catalog's version",
  run: (context) => storeIn(context, context.journal.state.kinds.map(({ crd, to }) => ({ crd, version: to }))),
};

/** Later writes are stored in the version. */
export async function storeIn(
  context: MigrationContext, wanted: readonly { readonly crd: string; readonly version: string }[],
): Promise<string> {
  const { client, clock } = context;
  for (const { crd, version: stored } of wanted) {
    await updateCrd(client, crd, (found) => withStorage(found, stored));
    await waitUntil(context, SECONDS, async () => {
      const found = await client.get(CRD_KIND, crd);
      return found && storedVersionsOf(found).includes(stored) ? undefined : `the API server does not store ${crd} in ${stored} yet`;
    });
  }
  await clock.sleep(SETTLE_MS);
  return counted(wanted.length, 'CRD');
}

/** A CRD that stores objects in a version; undefined: it does already. */
export function withStorage(crd: KubernetesObject, to: string): KubernetesObject | undefined {
  const versions = versionsOf(crd);
  if (!versions.some(({ name }) => name === to)) throw new MigrationError(`the CRD ${crd.metadata.name} has no version ${to}`);
  if (versions.every(({ name, storage }) => storage === (name === to))) return undefined;
  return { ...crd, spec: { ...crd.spec, versions: versions.map((version) => ({ ...version, storage: version.name === to })) } };
}
