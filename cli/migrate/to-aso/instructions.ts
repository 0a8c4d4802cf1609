import type { Kind } from '../../../src/catalog';
import { asoCrdPattern } from '../../../src/catalog/crd-pattern';
import { AsoRelease } from '../../../src/core/versions/aso-release';
import { ASO_CHART, ASO_REPOSITORY } from '../../../src/gitops/aso-chart/chart-location';
import { listed } from '../../../src/util/words';
import { MODE, TARGET_NAMESPACES } from '../asos-installation';
import { SETTINGS } from '../controller-settings';
import type { MigratedKind } from '../migrated-kinds';
import type { MigrationContext } from '../migration-context';
import { DEPLOYMENT, WEBHOOKS } from '../steps/stop-watchers';

const GO_ON = 'Then: cdk8s-aso migrate to-aso --run';
const LATEST = String(AsoRelease.LATEST);

/** Instructions to install ASO, with the release and the namespace. Lines of commands begin with two blanks. */
export function installAso({ namespace, catalog, journal: { state: { kinds, asoRelease } } }: MigrationContext): string[] {
  const before = asoRelease === undefined ? '' : ` The cluster had ${asoRelease} before the hand-over.`;
  return [
    `Install ASO now, in mode ${WEBHOOKS}: until its webhooks answer, objects can be read and written in the stored version alone, and no controller reconciles them.`,
    `  helm upgrade --install ${ASO_CHART} ${ASO_CHART} --repo ${ASO_REPOSITORY} --version ${LATEST} --namespace ${namespace} --take-ownership --values YOUR-VALUES.yaml --set azureOperatorMode=${WEBHOOKS} --set azureTargetNamespaces=null --set crdPattern='${asoCrdPattern(kindsIn(kinds, catalog), catalog)}'`,
    `YOUR-VALUES.yaml has the same credential as the Secret ${SETTINGS}, which the chart replaces. --take-ownership needs Helm 3.17.`,
    `${LATEST} serves all versions of this cluster.${before} Another release has to serve ${listed(kinds.map(({ kind, from }) => `${from} of ${kind}`))}.`,
    `Without ${MODE}=${WEBHOOKS}, ASO sends every object to Azure before its members are restored; with ${TARGET_NAMESPACES}, it ends in this mode.`,
    GO_ON,
  ];
}

/** ASO is there, and reconciles already. */
export function stopWatchers(release: string, namespace: string): string[] {
  return [
    `ASO runs, and not in mode ${WEBHOOKS}: it sends objects to Azure before their members are restored. Change that now.`,
    `  helm upgrade ${release} ${ASO_CHART} --repo ${ASO_REPOSITORY} --version ${LATEST} --namespace ${namespace} --reuse-values --set azureOperatorMode=${WEBHOOKS} --set azureTargetNamespaces=null`,
    `  kubectl rollout restart deployment/${DEPLOYMENT} --namespace ${namespace}`,
    GO_ON,
  ];
}

/** ASO is there, without its CRDs. */
export function applyCrds(names: readonly string[]): string[] {
  return [
    `ASO runs, and these CRDs are not its own: ${listed(names)}. Apply the CRDs of its release now, unless its chart has installCRDs.`,
    `  kubectl apply --server-side --force-conflicts -f https://github.com/Azure/azure-service-operator/releases/download/${LATEST}/azureserviceoperator_customresourcedefinitions_${LATEST}.yaml`,
    GO_ON,
  ];
}

/** The objects are ASO's again. */
export function startWatchers(release: string, namespace: string): string[] {
  return [
    'All objects are stored as ASO stores them. Start its watchers now: without azureOperatorMode, and with azureTargetNamespaces where you use it.',
    `  helm upgrade ${release} ${ASO_CHART} --repo ${ASO_REPOSITORY} --version ${LATEST} --namespace ${namespace} --values YOUR-VALUES.yaml --set crdPattern=YOUR-PATTERN`,
    'The next run restarts the pods, which do not notice a changed Secret by themselves, and ends the migration.',
    GO_ON,
  ];
}

function kindsIn(kinds: readonly MigratedKind[], catalog: MigrationContext['catalog']): Kind[] {
  return kinds.flatMap(({ group, kind }) => catalog.kind(group, kind) ?? []);
}
