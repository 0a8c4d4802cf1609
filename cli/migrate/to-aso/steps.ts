import { asoConverts } from './conversions';
import { RETURN_CRDS } from './return-crds';
import { returnObjects } from './return-objects';
import { AWAIT_ASO, AWAIT_WATCHERS } from './user-installs';
import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { CREDENTIAL_FINALIZER, CREDENTIAL_USED_BY } from '../../../src/azure/annotations';
import { counted } from '../../../src/util/words';
import { listPages } from '../../cluster/reader';
import { DEPLOYMENTS, SECRETS } from '../../cluster/resource-types';
import { isCrd } from '../migrated-kinds';
import type { MigrationContext, MigrationStep } from '../migration-context';
import { ALLOW_WRITES } from '../steps/allow-writes';
import { applyAll, rolledOut } from '../steps/install';
import { removeController } from '../steps/remove-aso';
import { DEPLOYMENT, STOP_WATCHERS, withMode } from '../steps/stop-watchers';
import { STORED_VERSIONS } from '../steps/stored-versions';

const MOST_TRIES = 20;

const RELEASE_CREDENTIALS: MigrationStep = {
  id: 'release-credentials',
  title: 'Take the finalizer of this controller off credential Secrets',
  async run({ client }) {
    const found = (await listPages(client, SECRETS, { metadataOnly: true }))
      .filter(({ metadata }) => metadata.finalizers?.includes(CREDENTIAL_FINALIZER));
    for (const secret of found) await release(client, secret);
    return counted(found.length, 'Secret');
  },
};

/** Again where another writer is faster. */
async function release(client: MigrationContext['client'], { metadata: { name, namespace } }: KubernetesObject): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const secret = await client.get(SECRETS, name, namespace);
    if (!secret) return;
    const { finalizers = [], resourceVersion } = secret.metadata;
    const rest = finalizers.filter((finalizer) => finalizer !== CREDENTIAL_FINALIZER);
    const patch = { metadata: { resourceVersion, finalizers: rest, annotations: { [CREDENTIAL_USED_BY]: null } } };
    try {
      await client.patch(SECRETS, name, namespace, patch, 'application/merge-patch+json');
      return;
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 409 || attempt >= MOST_TRIES) throw error;
    }
  }
}

const REMOVE_CONTROLLER: MigrationStep = {
  id: 'remove-controller',
  title: 'Remove the Deployment, webhooks, roles and certificates of this controller',
  async run(context) {
    // The webhook configurations go first: from then on the Deployment may be there, and admits nothing.
    if (!context.journal.state.pointOfNoAbort) await context.journal.update({ pointOfNoAbort: true });
    return counted(await removeController(context), 'object');
  },
};

const INSTALL_ASO: MigrationStep = {
  id: 'install-aso',
  title: 'Install ASO in mode webhooks, and wait until its webhooks answer',
  async run(context) {
    const { install, journal: { state: { kinds } } } = context;
    const objects = install.filter((object) => !isCrd(object)).map((object) => (object.kind === 'Deployment' ? withMode(object) : object));
    await applyAll(context, objects);
    for (const deployment of deploymentsOf(objects)) await rolledOut(context, deployment);
    await asoConverts(context, kinds);
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

/**
 * To ASO from the middle of the way from ASO, whose CRDs are replaced: there may be no Deployment, or one of either controller, and the
 * admission policy is in force.
 */
export const TO_ASO_TURNED: readonly MigrationStep[] = [
  { ...STOP_WATCHERS, run: async (context) => ((await hasDeployment(context)) ? STOP_WATCHERS.run(context) : 'no controller is there') },
  RELEASE_CREDENTIALS,
  REMOVE_CONTROLLER,
  RETURN_CRDS,
  INSTALL_ASO,
  ALLOW_WRITES,
  RETURN_OBJECTS,
  STORED_VERSIONS,
  START_WATCHERS,
];

async function hasDeployment({ client, namespace }: MigrationContext): Promise<boolean> {
  return await client.get(DEPLOYMENTS, DEPLOYMENT, namespace) !== undefined;
}

/** The same without `--install`: the user installs ASO, whose pods replace the CRDs. */
export const TO_ASO_OF_USER: readonly MigrationStep[] = [
  STOP_WATCHERS,
  RELEASE_CREDENTIALS,
  REMOVE_CONTROLLER,
  AWAIT_ASO,
  RETURN_OBJECTS,
  STORED_VERSIONS,
  AWAIT_WATCHERS,
];
