import type { RestClient } from '../../engine/kubernetes';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { SETTINGS_DIGEST } from '../../src/azure/annotations';
import { CRD_NAME_LABEL, CRD_NAME_LABEL_VALUE } from '../../src/catalog/crd';
import { isRecord, text } from '../../src/util/records';
import { listPages } from '../cluster/reader';
import { DEPLOYMENTS } from '../cluster/resource-types';

export const MODE = 'AZURE_OPERATOR_MODE';
export const TARGET_NAMESPACES = 'AZURE_TARGET_NAMESPACES';

interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
}

export interface PodContainer {
  readonly name: string;
  readonly image?: string;
  readonly args?: readonly string[];
  readonly env?: readonly EnvironmentVariable[];
}

/** The Deployments of ASO and of this package's controller in the whole cluster. */
export async function controllersIn(client: RestClient): Promise<KubernetesObject[]> {
  const selector = `${CRD_NAME_LABEL}=${CRD_NAME_LABEL_VALUE},control-plane=controller-manager`;
  return listPages(client, DEPLOYMENTS, { labelSelector: selector });
}

/** Whether a Deployment is this package's controller; the others with its labels are ASO's. */
export function isBundledController(deployment: KubernetesObject): boolean {
  const template = templateOf(deployment);
  const metadata = isRecord(template.metadata) ? template.metadata : {};
  const annotations = isRecord(metadata.annotations) ? metadata.annotations : {};
  return annotations[SETTINGS_DIGEST] !== undefined
    || containersOf(deployment).some(({ args = [] }) => args.some((arg) => arg.startsWith('--kinds=')));
}

/** The containers of a Deployment's pods, or of a pod. */
export function containersOf(object: KubernetesObject): PodContainer[] {
  const spec = object.kind === 'Pod' ? object.spec : templateOf(object).spec;
  const containers = isRecord(spec) ? spec.containers : undefined;
  return (Array.isArray(containers) ? containers : []).filter((each): each is PodContainer => isRecord(each));
}

/** The release of ASO, by the tag of its image: `v2.20.0`. */
export function releaseOf(deployment: KubernetesObject): string | undefined {
  const image = containersOf(deployment).map((container) => container.image ?? '').find((name) => name.includes(':'));
  return image?.split('@')[0]?.split(':').pop() ?? text(deployment.metadata.labels, 'app.kubernetes.io/version');
}

function templateOf(deployment: KubernetesObject): Readonly<Record<string, unknown>> {
  const template = deployment.spec?.template;
  return isRecord(template) ? template : {};
}
