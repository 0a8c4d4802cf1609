import type { ControllerFacts } from './types';
import { SETTINGS_DIGEST } from '../../src/azure/annotations';
import { member, struct, text } from '../../src/util/records';
import type { KubernetesObject } from '../kubernetes/types';

/** The Lease of ASO's leader election, which the controller of this package shares. */
export const CONTROLLER_LEASE = 'controllers-leader-election-azinfra-generated';

/**
 * A Lease that has not been renewed for this time has expired, in milliseconds. A leader renews it every two seconds; the rest is for
 * clocks that differ.
 */
const LEASE_IS_OLD_MS = 2 * 60_000;

/**
 * The controllers that Deployments and Leases show. Objects that are none of a controller are left out.
 * @param now milliseconds since the epoch
 */
export function controllersOf(
  deployments: readonly KubernetesObject[], leases: readonly KubernetesObject[], now: number,
): ControllerFacts[] {
  const namespaceOf = ({ metadata: { namespace = '' } }: KubernetesObject) => namespace;
  const ours = leases.filter(({ metadata }) => metadata.name === CONTROLLER_LEASE);
  const leaseOf = new Map(ours.map((lease) => [namespaceOf(lease), lease]));
  const deployed = deployments.filter(isController)
    .map((deployment) => ofDeployment(deployment, leaseOf.get(namespaceOf(deployment)), now));
  const known = new Set(deployed.map(({ namespace }) => namespace));
  const others = [...leaseOf].filter(([namespace]) => !known.has(namespace)).map(([namespace, lease]): ControllerFacts => ({
    namespace,
    ...leaseFacts(lease),
    isRunning: isHeld(lease, now),
    reconciles: true,
  }));
  return [...deployed, ...others].sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
}

function isController({ metadata: { labels } }: KubernetesObject): boolean {
  return labels?.['app.kubernetes.io/name'] === 'azure-service-operator' && labels['control-plane'] === 'controller-manager';
}

function ofDeployment(deployment: KubernetesObject, lease: KubernetesObject | undefined, now: number): ControllerFacts {
  const { metadata: { namespace = '', name }, spec, status } = deployment;
  const template = member(spec, 'template');
  const pod = member(template, 'spec');
  const containers = member(pod, 'containers');
  const container: unknown = Array.isArray(containers)
    ? containers.find((one) => text(one, 'name') === 'manager') ?? containers[0]
    : undefined;
  const isOurs = struct(member(member(template, 'metadata'), 'annotations'))?.[SETTINGS_DIGEST] !== undefined;
  const ready = member(status, 'readyReplicas');
  const readyReplicas = typeof ready === 'number' ? ready : 0;
  const isLeading = lease !== undefined && isHeld(lease, now);
  return {
    namespace,
    deployment: name,
    product: isOurs ? 'cdk8s-aso' : 'ASO',
    version: versionOf(text(container, 'image')),
    readyReplicas,
    ...(lease ? leaseFacts(lease) : {}),
    isRunning: readyReplicas > 0 || isLeading,
    reconciles: operatorModeOf(container) !== 'webhooks',
  };
}

/** The tag of an image: `mcr.microsoft.com/k8s/azureserviceoperator:v2.20.0`. */
function versionOf(image: string | undefined): string | undefined {
  const name = image?.split('@')[0]?.split('/').at(-1);
  return name?.split(':')[1];
}

/** `AZURE_OPERATOR_MODE`, where the Deployment has its value; a reference to a Secret is not followed. */
function operatorModeOf(container: unknown): string | undefined {
  const variables = member(container, 'env');
  if (!Array.isArray(variables)) return undefined;
  return text(variables.find((one) => text(one, 'name') === 'AZURE_OPERATOR_MODE'), 'value')?.toLowerCase();
}

function leaseFacts({ spec }: KubernetesObject): Pick<ControllerFacts, 'leader' | 'renewedAt'> {
  const renewedAt = Date.parse(text(spec, 'renewTime') ?? '');
  return { leader: text(spec, 'holderIdentity'), ...(Number.isNaN(renewedAt) ? {} : { renewedAt }) };
}

function isHeld(lease: KubernetesObject, now: number): boolean {
  const { leader, renewedAt } = leaseFacts(lease);
  return leader !== undefined && renewedAt !== undefined && now - renewedAt < LEASE_IS_OLD_MS;
}
