import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { counted } from '../../../src/util/words';
import { waitUntil, type MigrationStep } from '../migration-context';
import { storedVersionsOf, versionsOf } from '../storage-versions';
import { updateCrd } from '../update-crd';

const SECONDS = 60;
/** Each API server of a cluster notices a changed CRD by itself; until then it stores objects in the old version. */
const SETTLE_MS = 5_000;

/** Later writes are stored in a version that this package's CRDs have. */
export const MOVE_STORAGE: MigrationStep = {
  id: 'move-storage',
  title: "Store objects in the catalog's version",
  async run(context) {
    const { client, clock, journal: { state: { kinds } } } = context;
    for (const { crd, to } of kinds) {
      await updateCrd(client, crd, (found) => {
        const versions = versionsOf(found);
        if (versions.every(({ name, storage }) => storage === (name === to))) return undefined;
        return { ...found, spec: { ...found.spec, versions: versions.map((version) => ({ ...version, storage: version.name === to })) } };
      });
      await waitUntil(context, SECONDS, async () => {
        const found = await client.get(CRD_KIND, crd);
        return found && storedVersionsOf(found).includes(to) ? undefined : `the API server does not store ${crd} in ${to} yet`;
      });
    }
    await clock.sleep(SETTLE_MS);
    return counted(kinds.length, 'CRD');
  },
};
