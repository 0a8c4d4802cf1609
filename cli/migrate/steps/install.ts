import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { counted } from '../../../src/util/words';
import { discoveredTypes } from '../../cluster/discovered-types';
import { DEPLOYMENTS } from '../../cluster/resource-types';
import { typeOf } from '../migrated-kinds';
import { waitUntil, type MigrationContext, type MigrationStep } from '../migration-context';
import { versionsOf } from '../storage-versions';

const ROLLOUT_SECONDS = 900;
const CONVERSION_SECONDS = 300;

/** The manifests in the order of the files, as `kubectl apply --server-side --force-conflicts` applies them. */
export const INSTALL: MigrationStep = {
  id: 'install',
  title: 'Install the controller, and wait until its webhooks answer',
  async run(context) {
    const { install } = context;
    await applyAll(context, install);
    for (const deployment of install.filter(({ kind }) => kind === 'Deployment')) await rolledOut(context, deployment);
    await conversionsAnswer(context);
    return counted(install.length, 'object');
  },
};

/** Applies manifests as `kubectl apply --server-side --force-conflicts` does. */
export async function applyAll({ applier }: MigrationContext, install: readonly KubernetesObject[]): Promise<void> {
  const types = await discoveredTypes(applier);
  for (const object of install) {
    const { name, namespace } = object.metadata;
    await applier.patch(types(object), name, namespace, object, 'application/apply-patch+yaml');
  }
}

/** Waits for the pods of a Deployment. */
export async function rolledOut(context: MigrationContext, { metadata: { name, namespace } }: KubernetesObject): Promise<void> {
  await waitUntil(context, ROLLOUT_SECONDS, async () => {
    const deployment = await context.client.get(DEPLOYMENTS, name, namespace);
    const { replicas = 1 } = (deployment?.spec ?? {}) as { readonly replicas?: number };
    const status = (deployment?.status ?? {}) as Readonly<Record<string, number>>;
    const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
    const isCurrent = observedGeneration >= (deployment?.metadata.generation ?? 0) && updatedReplicas >= replicas;
    return isCurrent && availableReplicas >= replicas ? undefined : `${availableReplicas} of ${counted(replicas, 'pod')} ready`;
  });
}

/** A list in a version that is not stored needs the conversion of each object. */
async function conversionsAnswer(context: MigrationContext): Promise<void> {
  const { client, journal: { state: { kinds } } } = context;
  for (const kind of kinds) {
    const crd = await client.get(CRD_KIND, kind.crd);
    const other = (crd ? versionsOf(crd) : []).find(({ name, served }) => served && name !== kind.to);
    if (!other) continue;
    await waitUntil(context, CONVERSION_SECONDS, async () => {
      try {
        await client.list(typeOf(kind, other.name), { limit: 1 });
        return undefined;
      } catch (error) {
        if (!(error instanceof KubernetesError)) throw error;
        return `${kind.kind} cannot be read in ${other.name} yet: ${error.message}`;
      }
    });
  }
}
