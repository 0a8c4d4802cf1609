import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { isRecord, isText, member, text } from '../../../src/util/records';
import type { ClusterFacts } from '../facts';
import type { Finding } from '../finding';
import { isAzureGroup } from '../read-facts';

const HEALTH_KEY = /^resource\.customizations\.health\.(.+)_(.+)$/;

/** Settings of Argo CD and Flux that hurt Azure objects. Only those are looked at that manage some. */
export function gitOpsFindings({ argo, flux, objects }: ClusterFacts): Finding[] {
  const managing = argo.applications.filter(managesAzure);
  const kustomizations = flux.kustomizations.filter(({ metadata }) => objects.some((object) => isOf(object, 'kustomize', metadata)));
  const releases = flux.releases.filter(({ metadata }) => objects.some((object) => isOf(object, 'helm', metadata)));
  return [
    ...managing.flatMap((application) => [...replaces(application), ...prunes(application)]),
    ...health(managing, argo.settings),
    ...kustomizations.flatMap(forces),
    ...releases.flatMap(forcesUpgrade),
  ];
}

function managesAzure({ status }: KubernetesObject): boolean {
  const resources = member(status, 'resources');
  return Array.isArray(resources) && resources.some((resource) => isAzureGroup(text(resource, 'group') ?? ''));
}

/** https://fluxcd.io/flux/components/kustomize/kustomizations/: Flux labels what it applies. */
function isOf({ metadata }: KubernetesObject, tool: 'kustomize' | 'helm', owner: KubernetesObject['metadata']): boolean {
  const label = (name: string) => metadata.labels?.[`${tool}.toolkit.fluxcd.io/${name}`];
  return label('name') === owner.name && label('namespace') === owner.namespace;
}

function syncOptions({ spec }: KubernetesObject): readonly string[] {
  const options = member(member(spec, 'syncPolicy'), 'syncOptions');
  return Array.isArray(options) ? options.filter(isText) : [];
}

function replaces(application: KubernetesObject): Finding[] {
  const hurting = syncOptions(application).filter((option) => option === 'Replace=true' || option === 'Force=true');
  return hurting.map((option) => ({
    id: 'argocd-replace',
    severity: 'error',
    object: titleOf(application),
    message: `syncs with ${option}: annotations of the operator are lost, or the object is deleted and made again, and so is the resource in Azure`,
    cure: `remove ${option}, and set ServerSideApply=true`,
  }));
}

function prunes(application: KubernetesObject): Finding[] {
  const automated = member(member(application.spec, 'syncPolicy'), 'automated');
  if (member(automated, 'prune') !== true || syncOptions(application).some((option) => option.startsWith('PruneLast=true'))) return [];
  return [{
    id: 'argocd-prune-order',
    severity: 'info',
    object: titleOf(application),
    message: 'prunes by itself, in no order: a role assignment may go before what needs it',
    cure: 'set the sync option PruneLast=true, or protect what must not go with Prune=false',
  }];
}

/** Argo CD knows no health of ASO's kinds unless its ConfigMap says so, and shows Healthy for everything. */
function health(applications: readonly KubernetesObject[], settings: KubernetesObject | undefined): Finding[] {
  if (applications.length === 0 || settings === undefined) return [];
  const data = isRecord(member(settings, 'data')) ? (member(settings, 'data') as Record<string, unknown>) : {};
  const hasHealth = Object.keys(data).some((key) => {
    const group = HEALTH_KEY.exec(key)?.[1];
    return group !== undefined && (isAzureGroup(group) || group.includes('*'));
  }) || (isText(data['resource.customizations']) && data['resource.customizations'].includes('azure.com'));
  if (hasHealth) return [];
  return [{
    id: 'argocd-health',
    severity: 'warning',
    object: `ConfigMap ${settings.metadata.namespace ?? ''}/argocd-cm`,
    message: 'has no health check of Azure kinds: an Application is Healthy while its resources fail',
    cure: 'apply the ConfigMap patch of docs/gitops.md',
  }];
}

function forces(kustomization: KubernetesObject): Finding[] {
  if (member(kustomization.spec, 'force') !== true) return [];
  return [{
    id: 'flux-force',
    severity: 'error',
    object: titleOf(kustomization),
    message: 'has force: true: where a change is refused, Flux deletes the object and makes it again, and so is the resource in Azure',
    cure: 'remove force, and allow it for single objects by the annotation kustomize.toolkit.fluxcd.io/force: enabled',
  }];
}

function forcesUpgrade(release: KubernetesObject): Finding[] {
  if (member(member(release.spec, 'upgrade'), 'force') !== true) return [];
  return [{
    id: 'flux-force',
    severity: 'error',
    object: titleOf(release),
    message: 'has upgrade.force: true: Helm deletes objects and makes them again, and so are the resources in Azure',
    cure: 'remove upgrade.force',
  }];
}

function titleOf({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  return `${kind} ${namespace ?? ''}/${name}`;
}
