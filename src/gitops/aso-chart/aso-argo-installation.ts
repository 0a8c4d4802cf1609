import { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import type { AsoHelmOptions } from './aso-chart-values';
import { checkChart } from './chart-checks';
import { ASO_CHART, ASO_NAMESPACE, ASO_REPOSITORY } from './chart-location';
import { chartValues } from './chart-mapping';
import type { AsoChartProps } from './chart-props';
import { ArgoApplication } from '../argo-application';
import type { ArgoSyncPolicy } from '../argo-sync';
import { PropChecks } from '../prop-checks';

/** How Argo CD installs Azure Service Operator. */
export interface AsoArgoInstallationProps extends AsoChartProps {
  /**
   * Kubernetes metadata of the Application, e.g. a sync wave after that of cert-manager in an app of apps.
   * @default - the name `azure-service-operator` in the namespace `argocd`
   */
  readonly metadata?: ApiObjectMetadata;
  /**
   * The project of the Application. It has to allow cluster roles and webhook configurations.
   * @default default
   */
  readonly project?: string;
  /**
   * URL of the API server of the cluster.
   * @default - the cluster of Argo CD
   */
  readonly server?: string;
  /**
   * Namespace and name of the release, and the Helm repository.
   * @default - those of Azure Service Operator
   */
  readonly helm?: AsoHelmOptions;
  /**
   * How Argo CD brings the objects into the cluster.
   * @default - automated syncs, without pruning; the namespace is created
   */
  readonly syncPolicy?: ArgoSyncPolicy;
}

/**
 * Installs Azure Service Operator from its Helm chart with Argo CD: an Application.
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/helm/
 */
export class AsoArgoInstallation extends Construct {
  /** The Application. */
  public readonly application: ArgoApplication;

  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the chart's version, the CRDs to install, the credential
   * @throws when a prop is missing or malformed, or props contradict each other: one error that lists all problems
   */
  public constructor(scope: Construct, id: string, props: AsoArgoInstallationProps) {
    super(scope, id);
    const checks = new PropChecks(scope, id);
    checkChart(checks, props);
    checks.throwIfAny();
    const { repositoryUrl = ASO_REPOSITORY, releaseName = ASO_CHART, operatorNamespace = ASO_NAMESPACE } = props.helm ?? {};
    this.application = new ArgoApplication(this, 'Application', {
      metadata: { name: ASO_CHART, ...props.metadata },
      ...(props.project !== undefined && { project: props.project }),
      sources: [
        { repoUrl: repositoryUrl, chart: ASO_CHART, targetRevision: props.version, helm: { releaseName, values: chartValues(props) } },
      ],
      destination: { ...(props.server !== undefined && { server: props.server }), namespace: operatorNamespace },
      syncPolicy: props.syncPolicy ?? { automated: {}, createNamespace: true },
    });
  }
}
