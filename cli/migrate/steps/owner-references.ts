import { KubernetesError, type KubernetesListWatch, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import { counted } from '../../../src/util/words';
import { atATime } from '../../cluster/at-a-time';
import { listPages } from '../../cluster/reader';
import { CONFIG_MAPS, SECRETS } from '../../cluster/resource-types';
import { storedVersionsAfter } from '../migrated-kinds';
import type { MigrationContext, MigrationStep } from '../migration-context';
import { migratedOwners, type StoredVersionOf } from '../storage-versions';

const AT_A_TIME = 8;
const MOST_TRIES = 20;

/** Exported Secrets and ConfigMaps are deleted with their owners, by references with a version that the API server serves. */
export const OWNER_REFERENCES: MigrationStep = {
  id: 'owner-references',
  title: 'Correct owner references of exported Secrets and ConfigMaps',
  async run(context) {
    const storedVersionOf = storedVersionsAfter(context.journal.state.kinds, context.catalog);
    const counts: string[] = [];
    for (const { type, objects } of await exportsToCorrect(context.client, storedVersionOf)) {
      await atATime(objects, AT_A_TIME, (object) => correct(context, type, object, storedVersionOf));
      counts.push(counted(objects.length, type.kind));
    }
    return counts.join(', ');
  },
};

interface Exports {
  readonly type: ResourceType;
  readonly objects: readonly KubernetesObject[];
}

/** Exported objects whose owner references have versions that only ASO's CRDs have. */
export async function exportsToCorrect(client: Pick<KubernetesListWatch, 'list'>, storedVersionOf: StoredVersionOf): Promise<Exports[]> {
  const found: Exports[] = [];
  for (const type of [SECRETS, CONFIG_MAPS]) {
    const objects = (await listPages(client, type, { metadataOnly: true }))
      .filter(({ metadata }) => migratedOwners(metadata.ownerReferences, storedVersionOf));
    found.push({ type, objects });
  }
  return found;
}

/** The patch that corrects the owner references; undefined: there is nothing to correct. */
export function withOwners({ resourceVersion, ownerReferences: before }: KubernetesObject['metadata'], storedVersionOf: StoredVersionOf): object | undefined {
  const ownerReferences = migratedOwners(before, storedVersionOf);
  return ownerReferences && { metadata: { resourceVersion, ownerReferences } };
}

async function correct(
  { client }: MigrationContext, type: ResourceType, listed: KubernetesObject, storedVersionOf: StoredVersionOf,
): Promise<void> {
  const { name, namespace } = listed.metadata;
  let { metadata }: Pick<KubernetesObject, 'metadata'> = listed;
  for (let attempt = 1; ; attempt += 1) {
    const patch = withOwners(metadata, storedVersionOf);
    if (!patch) return;
    try {
      await client.patch(type, name, namespace, patch, 'application/merge-patch+json');
      return;
    } catch (error) {
      if (!(error instanceof KubernetesError)) throw error;
      if (error.status === 404) return;
      if (error.status !== 409 || attempt >= MOST_TRIES) throw error;
      const current = await client.get(type, name, namespace);
      if (!current) return;
      ({ metadata } = current);
    }
  }
}
