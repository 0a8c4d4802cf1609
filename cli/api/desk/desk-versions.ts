import { storedVersions } from '../../../composer/process/stored-versions';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { member, struct, text } from '../../../src/util/records';
import { listed } from '../../../src/util/words';
import { versionNames } from '../crd-versions';

/** The CRD of a kind on a desk, or why the composer cannot run there. */
export interface DeskCrd {
  readonly crd: KubernetesObject;
  readonly note?: string;
  readonly problem?: string;
}

/**
 * A kind with older versions on a desk. The API server asks a webhook for conversions, and cannot reach this machine: so either the kind
 * has one version only, or the pods of an installed composer convert.
 *
 * @param live the CRD of the cluster
 */
export function deskCrd(crd: KubernetesObject, live: KubernetesObject | undefined): DeskCrd {
  const [newest, ...older] = versionNames(crd);
  if (older.length === 0) return { crd };
  const { name } = crd.metadata;
  const versions = listed(older);
  const inUse = live ? [...new Set([...versionNames(live), ...storedVersions(live)])].filter((one) => one !== newest) : [];
  if (inUse.length === 0) {
    const { conversion: _, ...spec } = crd.spec as Readonly<Record<string, unknown>> & { readonly versions: readonly unknown[] };
    return {
      crd: { ...crd, spec: { ...spec, versions: spec.versions.slice(0, 1) } },
      note: `${name} is served in ${newest} only: the API server asks a webhook to convert ${versions}, and cannot reach this machine. api install serves it`,
    };
  }
  const service = converterOf(live!);
  if (service !== undefined) return { crd, note: `${name}: the pods of the Service ${service} convert ${versions}: claims can be read while they run` };
  return {
    crd,
    problem: `${name} has claims in ${listed(inUse)}, or serves it, and no webhook converts them: api run cannot, because the API server cannot reach this machine. `
      + 'Install the composer (api install FILE --apply), wait until its pods are ready, and give api run its --namespace and --name',
  };
}

/** The Service of a conversion webhook that the API server trusts already. */
function converterOf({ spec }: KubernetesObject): string | undefined {
  const conversion = struct(spec?.conversion);
  const config = member(member(conversion, 'webhook'), 'clientConfig');
  const service = member(config, 'service');
  if (text(conversion, 'strategy') !== 'Webhook' || !text(config, 'caBundle')) return undefined;
  return `${text(service, 'namespace')}/${text(service, 'name')}`;
}
