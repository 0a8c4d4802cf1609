import type { KubernetesObject } from '../../engine/kubernetes/types';
import { ARGO_INSTANCE_LABEL, ARGO_TRACKING_ID, HELM_RELEASE_NAME } from '../../src/azure/annotations';

/** A tool that applies an object, and would undo what is changed by hand. */
export interface Deployer {
  readonly by: 'Helm' | 'Flux' | 'Argo CD';
  readonly name: string;
  readonly namespace: string | undefined;
  /** Of Flux: the kind of the object that has to be suspended. */
  readonly kind?: 'HelmRelease' | 'Kustomization';
}

/** The deployers that the labels and annotations of an object name. */
export function deployersOf({ metadata }: KubernetesObject): Deployer[] {
  const { labels = {}, annotations = {} } = metadata;
  const found: Deployer[] = [];
  const add = (by: Deployer['by'], name: string | undefined, namespace: string | undefined, kind?: Deployer['kind']) => {
    if (name) found.push({ by, name, namespace, ...(kind && { kind }) });
  };
  add('Helm', annotations[HELM_RELEASE_NAME], annotations['meta.helm.sh/release-namespace'] ?? metadata.namespace);
  for (const [tool, kind] of [['helm', 'HelmRelease'], ['kustomize', 'Kustomization']] as const) {
    const label = (name: string) => labels[`${tool}.toolkit.fluxcd.io/${name}`];
    add('Flux', label('name'), label('namespace'), kind);
  }
  add('Argo CD', annotations[ARGO_TRACKING_ID]?.split(':')[0] ?? labels[ARGO_INSTANCE_LABEL], undefined);
  return found;
}
