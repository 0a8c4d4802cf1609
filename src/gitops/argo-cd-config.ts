import { ApiObject, ApiObjectMetadata, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { ArgoHealth, type ArgoHealthOptions } from './argo-health';
import { APPLICATION_HEALTH } from './argo-settings';
import type { CrdPattern } from './crd-pattern';

/** Properties of the configuration of Argo CD for objects of Azure Service Operator. */
export interface ArgoCdConfigProps extends ArgoHealthOptions {
  /**
   * Kubernetes metadata. The name and namespace are those of Argo CD's ConfigMap.
   * @default - `argocd-cm` in the namespace `argocd`
   */
  readonly metadata?: ApiObjectMetadata;
  /**
   * The kinds whose health Argo CD shows. `CrdPattern.kindsIn(app)` gives each kind of the app keys of its own; other entries of the
   * ConfigMap then stay, whoever has them.
   * @default - all groups of the catalog, in the key `resource.customizations`
   */
  readonly kinds?: CrdPattern;
  /**
   * Whether an Application has the health of its objects where another Application applies it. Argo CD has no such check since 1.8, and
   * waves between Applications wait for nothing without it.
   * @default false
   */
  readonly applications?: boolean;
}

/**
 * The health of objects of Azure Service Operator in Argo CD, as a part of Argo CD's ConfigMap `argocd-cm`. Apply it with
 * `kubectl apply --server-side`, which leaves all other keys of the ConfigMap as they are. Argo CD reads it without a restart.
 * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/health/#custom-health-checks
 */
export class ArgoCdConfig extends ApiObject {
  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the kinds, and which health a Warning has
   */
  public constructor(scope: Construct, id: string, props: ArgoCdConfigProps = {}) {
    const { metadata, kinds, applications, ...options } = props;
    super(scope, id, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'argocd-cm',
        namespace: 'argocd',
        ...metadata,
        // Argo CD reads no ConfigMap without this label.
        labels: { 'app.kubernetes.io/name': 'argocd-cm', 'app.kubernetes.io/part-of': 'argocd', ...metadata?.labels },
      },
      data: Lazy.any({ produce: () => ({ ...ArgoHealth.settings(kinds, options), ...(applications && APPLICATION_HEALTH) }) }),
    });
  }
}
