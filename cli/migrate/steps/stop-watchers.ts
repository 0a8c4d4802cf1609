import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { isRecord } from '../../../src/util/records';
import { counted } from '../../../src/util/words';
import { listPages } from '../../cluster/reader';
import { LEASES, PODS, DEPLOYMENTS } from '../../cluster/resource-types';
import { serverTime } from '../../cluster/server-time';
import { containersOf, MODE, TARGET_NAMESPACES, type PodContainer } from '../asos-installation';
import { MigrationError, waitUntil, type MigrationContext, type MigrationStep } from '../migration-context';
import type { WatcherSettings } from '../watcher-settings';

export const DEPLOYMENT = 'azureserviceoperator-controller-manager';
const LEADER_LEASE = 'controllers-leader-election-azinfra-generated';
export const WEBHOOKS = 'webhooks';
/** Both controllers end where they shall reconcile nothing, but in certain namespaces. */
const ENVIRONMENT = [{ name: MODE, value: WEBHOOKS }, { name: TARGET_NAMESPACES, value: '' }];
const TRIES = 10;
const SECONDS = 600;

/** The old controller reconciles no more, and its webhooks go on answering. */
export const STOP_WATCHERS: MigrationStep = {
  id: 'stop-watchers',
  title: 'Stop the watchers of the old controller; its webhooks go on answering',
  async run(context) {
    await setMode(context);
    let pods = 0;
    await waitUntil(context, SECONDS, async () => {
      const state = await rollout(context);
      pods = state.pods;
      return state.missing;
    });
    return `${counted(pods, 'pod')} in mode ${WEBHOOKS}`;
  },
};

async function setMode({ client, namespace, journal }: MigrationContext): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const deployment = await client.get(DEPLOYMENTS, DEPLOYMENT, namespace);
    if (!deployment) throw new MigrationError(`the Deployment ${namespace}/${DEPLOYMENT} of the old controller is not there: its webhooks have to answer until the objects are rewritten`);
    if (containersOf(deployment).every(hasMode)) return;
    // Before the first change: afterwards nothing else has them.
    if (journal.state.watchers === undefined) await journal.update({ watchers: containersOf(deployment).map(settingsOf) });
    try {
      await client.replace(DEPLOYMENTS, withMode(deployment));
      return;
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 409 || attempt >= TRIES) throw error;
    }
  }
}

/** The Deployment with pods that serve webhooks and reconcile nothing. */
export function withMode(deployment: KubernetesObject): KubernetesObject {
  const containers = containersOf(deployment).map((container) => ({ ...container, env: withVariables(container.env ?? [], ENVIRONMENT) }));
  const template = deployment.spec?.template as { readonly spec: object };
  return { ...deployment, spec: { ...deployment.spec, template: { ...template, spec: { ...template.spec, containers } } } };
}

/** The environment with other settings, each in its place: the order of a chart stays. */
function withVariables(env: NonNullable<PodContainer['env']>, settings: NonNullable<PodContainer['env']>): NonNullable<PodContainer['env']> {
  const replaced = env.flatMap((variable) => {
    if (!ENVIRONMENT.some(({ name }) => name === variable.name)) return [variable];
    return settings.find(({ name }) => name === variable.name) ?? [];
  });
  return [...replaced, ...settings.filter((each) => !env.some(({ name }) => name === each.name))];
}

function settingsOf({ name, env = [] }: PodContainer): WatcherSettings {
  return { container: name, env: env.filter((variable) => ENVIRONMENT.some((each) => each.name === variable.name)) };
}

/** The Deployment with the environment that it had before `withMode`; what somebody has changed since stays. */
export function withSettings(deployment: KubernetesObject, settings: readonly WatcherSettings[]): KubernetesObject {
  const containers = containersOf(deployment).map((container) => {
    const before = settings.find((each) => each.container === container.name);
    if (!before || !hasMode(container)) return container;
    return { ...container, env: withVariables(container.env ?? [], before.env) };
  });
  const template = deployment.spec?.template as { readonly spec: object };
  return { ...deployment, spec: { ...deployment.spec, template: { ...template, spec: { ...template.spec, containers } } } };
}

export function hasMode({ env }: PodContainer): boolean {
  // The API server leaves out an empty value.
  return ENVIRONMENT.every((wanted) => env?.some((each) => each.name === wanted.name && !isReference(each) && (each.value ?? '') === wanted.value));
}

function isReference(variable: object): boolean {
  return 'valueFrom' in variable;
}

async function rollout({ client, connection, namespace }: MigrationContext): Promise<{ readonly pods: number; readonly missing?: string }> {
  const deployment = await client.get(DEPLOYMENTS, DEPLOYMENT, namespace);
  if (!deployment) throw new MigrationError(`the Deployment ${namespace}/${DEPLOYMENT} was deleted`);
  const { replicas = 1 } = deployment.spec as { readonly replicas?: number };
  const status = (deployment.status ?? {}) as Readonly<Record<string, unknown>>;
  const labelSelector = selectorOf(deployment);
  const pods = await listPages(client, PODS, { namespace, labelSelector });
  const old = pods.filter((pod) => !containersOf(pod).every(hasMode));
  const result = (missing?: string) => ({ pods: pods.length, ...(missing !== undefined && { missing }) });
  if (old.length > 0) return result(`${counted(old.length, 'old pod')} with watchers still there`);
  if (Number(status.observedGeneration ?? 0) < (deployment.metadata.generation ?? 0)) return result('the Deployment is not rolled out yet');
  if (Number(status.updatedReplicas ?? 0) < replicas || Number(status.availableReplicas ?? 0) < 1) return result('the webhooks are not ready yet');
  const lease = await client.get(LEASES, LEADER_LEASE, namespace);
  const { holderIdentity = '', renewTime, leaseDurationSeconds = 15 } = (lease?.spec ?? {}) as LeaseSpec;
  const holder = holderIdentity.split('_')[0] ?? '';
  const isCurrent = pods.some(({ metadata }) => metadata.name === holder);
  const isExpired = renewTime === undefined || Date.parse(renewTime) + leaseDurationSeconds * 1000 < await serverTime(connection);
  if (holder !== '' && !isCurrent && !isExpired) return result(`the old leader ${holder} has not released its Lease yet`);
  return result();
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly renewTime?: string;
  readonly leaseDurationSeconds?: number;
}

/** The pods of a Deployment, as a label selector. */
export function selectorOf(deployment: KubernetesObject): string {
  const selector = deployment.spec?.selector;
  const labels = isRecord(selector) && isRecord(selector.matchLabels) ? selector.matchLabels : {};
  return Object.entries(labels).map(([key, value]) => `${key}=${String(value)}`).join(',');
}
