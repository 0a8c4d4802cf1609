import { isDeepStrictEqual } from 'node:util';
import { returnObjects } from './return-objects';
import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { CREDENTIAL_FINALIZER, CREDENTIAL_USED_BY } from '../../../src/azure/annotations';
import { counted } from '../../../src/util/words';
import { listPages } from '../../cluster/reader';
import { SECRETS } from '../../cluster/resource-types';
import { isCrd, typeOf } from '../migrated-kinds';
import { waitUntil, type MigrationContext, type MigrationStep } from '../migration-context';
import { applyAll, rolledOut } from '../steps/install';
import { removeController } from '../steps/remove-aso';
import { STOP_WATCHERS, withMode } from '../steps/stop-watchers';
import { STORED_VERSIONS } from '../steps/stored-versions';
import { updateCrd } from '../update-crd';

const CONVERSION_SECONDS = 600;

const RELEASE_CREDENTIALS: MigrationStep = {
  id: 'release-credentials',
  title: 'Take the finalizer of this controller off credential Secrets',
  async run({ client }) {
    const found = (await listPages(client, SECRETS, { metadataOnly: true }))
      .filter(({ metadata }) => metadata.finalizers?.includes(CREDENTIAL_FINALIZER));
    for (const { metadata: { name, namespace, finalizers = [], resourceVersion } } of found) {
      const rest = finalizers.filter((finalizer) => finalizer !== CREDENTIAL_FINALIZER);
      const patch = { metadata: { resourceVersion, finalizers: rest, annotations: { [CREDENTIAL_USED_BY]: null } } };
      await client.patch(SECRETS, name, namespace, patch, 'application/merge-patch+json');
    }
    return counted(found.length, 'Secret');
  },
};

const REMOVE_CONTROLLER: MigrationStep = {
  id: 'remove-controller',
  title: 'Remove the Deployment, webhooks, roles and certificates of this controller',
  run: async (context) => counted(await removeController(context), 'object'),
};

const RETURN_CRDS: MigrationStep = {
  id: 'return-crds',
  title: "Replace the CRDs by ASO's",
  async run({ client, install, journal: { state: { kinds } } }) {
    const given = new Map(install.filter(isCrd).map((crd) => [crd.metadata.name, crd]));
    for (const { crd: name } of kinds) {
      const wanted = given.get(name)!;
      await updateCrd(client, name, (crd) => {
        const labels = { ...crd.metadata.labels, ...wanted.metadata.labels };
        const annotations = { ...crd.metadata.annotations, ...wanted.metadata.annotations };
        const changed = { ...crd, metadata: { ...crd.metadata, labels, annotations }, spec: wanted.spec! };
        return isDeepStrictEqual(crd, changed) ? undefined : changed;
      });
    }
    return counted(kinds.length, 'CRD');
  },
};

const INSTALL_ASO: MigrationStep = {
  id: 'install-aso',
  title: 'Install ASO in mode webhooks, and wait until its webhooks answer',
  async run(context) {
    const { client, install, journal: { state: { kinds } } } = context;
    const objects = install.filter((object) => !isCrd(object)).map((object) => (object.kind === 'Deployment' ? withMode(object) : object));
    await applyAll(context, objects);
    for (const deployment of deploymentsOf(objects)) await rolledOut(context, deployment);
    for (const kind of kinds) {
      await waitUntil(context, CONVERSION_SECONDS, async () => {
        try {
          await client.list(typeOf(kind, kind.to), { limit: 1 });
          return undefined;
        } catch (error) {
          if (!(error instanceof KubernetesError)) throw error;
          return `${kind.kind} cannot be read in ${kind.to} yet: ${error.message}`;
        }
      });
    }
    return counted(objects.length, 'object');
  },
};

const RETURN_OBJECTS: MigrationStep = {
  id: 'return-objects',
  title: "Rewrite every object in ASO's storage version",
  run: returnObjects,
};

const START_WATCHERS: MigrationStep = {
  id: 'start-watchers',
  title: 'Start the watchers of ASO',
  async run(context) {
    const deployments = deploymentsOf(context.install);
    await applyAll(context, deployments);
    for (const deployment of deployments) await rolledOut(context, deployment);
    return counted(deployments.length, 'Deployment');
  },
};

function deploymentsOf(objects: MigrationContext['install']): readonly KubernetesObject[] {
  return objects.filter(({ kind }) => kind === 'Deployment');
}

/** The steps from this package's controller to ASO, in their order. */
export const TO_ASO: readonly MigrationStep[] = [
  STOP_WATCHERS,
  RELEASE_CREDENTIALS,
  REMOVE_CONTROLLER,
  RETURN_CRDS,
  INSTALL_ASO,
  RETURN_OBJECTS,
  STORED_VERSIONS,
  START_WATCHERS,
];
