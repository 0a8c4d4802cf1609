import { composerAlerts } from './composer-alerts';
import { injectedAuthority, webhookCertificate } from './composer-certificate';
import { composerDeployment, disruptionBudget, type DeploymentOptions } from './composer-deployment';
import { composerGuard } from './composer-guard';
import { metricsServiceObject, serviceMonitor } from './composer-monitoring';
import { networkPolicy } from './composer-network';
import { claimReviews, hasWebhooks, webhookServiceObject } from './composer-webhooks';
import { bundleName, labelsOf, ownerName, RESTRICTED, type ComposerName } from './names';
import { revisionOf } from '../../../composer/bundle/bundle-header';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { DEFINITION, DEFINITION_REVISION } from '../../../src/azure/annotations';
import type { BuiltDefinition } from '../built-definition';
import type { DefinitionManifests } from '../definition-manifests';

export interface InstallationOptions extends Omit<DeploymentOptions, 'revision' | 'facts'> {
  /** Whether the namespace is one of the objects. */
  readonly createsNamespace: boolean;
  /** Whether the Prometheus Operator has Prometheus scrape the composer. */
  readonly serviceMonitor: boolean;
  /** Whether there is a PrometheusRule with alerts. */
  readonly alerts: boolean;
  /** Port of the API server, besides 443. */
  readonly apiServerPort: number;
}

/** All objects that run a composer in a cluster, in the order in which they are applied. */
export function installationObjects(
  { bundle, facts }: Pick<BuiltDefinition, 'bundle' | 'facts'>, { crds, rights }: DefinitionManifests, options: InstallationOptions,
): KubernetesObject[] {
  const { name, namespace, createsNamespace, bundleInImage, admission, certManager } = options;
  const webhooks = hasWebhooks({ facts, admission });
  const revision = revisionOf(bundle.code);
  const labels = labelsOf(name);
  const objects: readonly unknown[] = [
    ...(createsNamespace ? [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { ...labels, ...RESTRICTED } } }] : []),
    ...crds.map((crd) => installedCrd(crd as unknown as KubernetesObject, options)),
    ...rights,
    ...composerGuard(facts, options),
    networkPolicy({ ...options, hasWebhooks: webhooks }),
    ...(bundleInImage ? [] : [{
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: bundleName(name, revision), namespace, labels: { ...labels, [DEFINITION_REVISION]: revision } },
      immutable: true,
      data: { 'bundle.js': bundle.code },
    }]),
    ...(webhooks && certManager ? webhookCertificate(options) : []),
    ...(webhooks ? [webhookServiceObject(options, revision)] : []),
    ...(admission ? [claimReviews(facts, options)] : []),
    metricsServiceObject(options),
    ...(options.serviceMonitor ? [serviceMonitor(options)] : []),
    ...(options.alerts ? [composerAlerts(options)] : []),
    disruptionBudget(options),
    composerDeployment({ ...options, facts, revision }),
  ];
  return objects as KubernetesObject[];
}

/** The CRD with what cert-manager reads, where it makes the certificate of conversions. */
function installedCrd(crd: KubernetesObject, options: InstallationOptions): KubernetesObject {
  const owned = ownedCrd(crd, options);
  if (!options.certManager || crd.spec?.conversion === undefined) return owned;
  return { ...owned, metadata: { ...owned.metadata, annotations: { ...owned.metadata.annotations, ...injectedAuthority(options) } } };
}

/** The CRD with the annotation that names its composer. */
export function ownedCrd(crd: KubernetesObject, composer: ComposerName): KubernetesObject {
  return { ...crd, metadata: { ...crd.metadata, annotations: { ...crd.metadata.annotations, [DEFINITION]: ownerName(composer) } } };
}
