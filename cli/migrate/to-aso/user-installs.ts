import { asoConverts } from './conversions';
import { applyCrds, installAso, startWatchers, stopWatchers } from './instructions';
import { asoStorage } from './kinds-for-aso';
import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { RESTARTED_AT } from '../../../src/azure/annotations';
import { ASO_CHART } from '../../../src/gitops/aso-chart/chart-location';
import { counted } from '../../../src/util/words';
import { deployersOf } from '../../cluster/deployers';
import { DEPLOYMENTS } from '../../cluster/resource-types';
import { isBundledController, MODE, releaseOf } from '../asos-installation';
import { secretsOf, settingOf } from '../controller-settings';
import type { MigratedKind } from '../migrated-kinds';
import { MigrationError, PausedError, type MigrationContext, type MigrationStep } from '../migration-context';
import { rolledOut } from '../steps/install';
import { DEPLOYMENT, WEBHOOKS } from '../steps/stop-watchers';

const TRIES = 10;

/** Without `--install`, the user installs ASO between the removal of this controller and the return of the objects. */
export const AWAIT_ASO: MigrationStep = {
  id: 'await-aso',
  title: `Wait for ASO, which you install in mode ${WEBHOOKS}`,
  async run(context) {
    const deployment = await asosDeployment(context);
    if (!deployment) throw new PausedError(installAso(context));
    if (await modeOf(context, deployment) !== WEBHOOKS) throw new PausedError(stopWatchers(helmReleaseOf(deployment), context.namespace));
    await rolledOut(context, deployment);
    const kinds = await kindsOfAso(context);
    await context.journal.update({ kinds });
    await asoConverts(context, kinds);
    return `ASO ${releaseOf(deployment) ?? 'of an unknown release'}, ${counted(kinds.length, 'CRD')}`;
  },
};

/** The last step: the mode is in the values of the user's Helm release. */
export const AWAIT_WATCHERS: MigrationStep = {
  id: 'await-watchers',
  title: 'Wait for the watchers of ASO, which you start',
  async run(context) {
    const deployment = await asosDeployment(context);
    if (!deployment) throw new MigrationError(`the Deployment ${context.namespace}/${DEPLOYMENT} of ASO was deleted: install it again`);
    if (await modeOf(context, deployment) === WEBHOOKS) throw new PausedError(startWatchers(helmReleaseOf(deployment), context.namespace));
    await restart(context);
    await rolledOut(context, deployment);
    return counted(1, 'Deployment');
  },
};

async function asosDeployment({ client, namespace }: MigrationContext): Promise<KubernetesObject | undefined> {
  const deployment = await client.get(DEPLOYMENTS, DEPLOYMENT, namespace);
  if (!deployment || !isBundledController(deployment)) return deployment;
  throw new MigrationError(`the Deployment ${namespace}/${DEPLOYMENT} is this package's controller again: suspend what deploys it, and delete it`);
}

async function modeOf({ client, namespace }: MigrationContext, deployment: KubernetesObject): Promise<string> {
  return (await settingOf(deployment, MODE, secretsOf(client, namespace))).toLowerCase();
}

function helmReleaseOf(deployment: KubernetesObject): string {
  return deployersOf(deployment).find(({ by }) => by === 'Helm')?.name ?? ASO_CHART;
}

/** ASO's pods install its CRDs before they are ready. */
async function kindsOfAso({ client, catalog, journal: { state: { kinds } } }: MigrationContext): Promise<MigratedKind[]> {
  const found: MigratedKind[] = [];
  const missing: string[] = [];
  for (const kind of kinds) {
    const crd = await client.get(CRD_KIND, kind.crd);
    if (!crd) throw new MigrationError(`the CRD ${kind.crd} was deleted, and its objects with it`);
    const known = catalog.kind(kind.group, kind.kind);
    const to = known && asoStorage(crd, known);
    if (to === undefined) missing.push(kind.crd);
    else found.push({ ...kind, to });
  }
  if (missing.length > 0) throw new PausedError(applyCrds(missing));
  return found;
}

/** As `kubectl rollout restart` does. */
async function restart({ client, clock, namespace }: MigrationContext): Promise<void> {
  const template = { metadata: { annotations: { [RESTARTED_AT]: new Date(clock.now()).toISOString() } } };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.patch(DEPLOYMENTS, DEPLOYMENT, namespace, { spec: { template } }, 'application/merge-patch+json');
      return;
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 409 || attempt >= TRIES) throw error;
    }
  }
}
