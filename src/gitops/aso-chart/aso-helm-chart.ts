import { ApiObject, Helm } from 'cdk8s';
import { Construct } from 'constructs';
import { AsoChartValues, type AsoHelmOptions } from './aso-chart-values';
import { checkChart } from './chart-checks';
import { ASO_CHART, ASO_NAMESPACE, ASO_REPOSITORY } from './chart-location';
import type { AsoChartProps } from './chart-props';
import { PropChecks } from '../prop-checks';

/** How the chart of Azure Service Operator is rendered. */
export interface AsoHelmChartProps extends AsoChartProps {
  /**
   * Namespace and name of the release, and the Helm repository.
   * @default - those of Azure Service Operator
   */
  readonly helm?: AsoHelmOptions;
  /**
   * Whether the namespace of the operator is among the objects.
   * @default true
   */
  readonly createNamespace?: boolean;
  /**
   * The program that renders the chart.
   * @default - helm on the PATH
   */
  readonly helmExecutable?: string;
}

/**
 * The objects of Azure Service Operator's chart as a part of the app: Helm renders it at synth, and whatever applies the app installs it.
 * Create it after the resources of the app, because the CRDs of `CrdPattern.kindsIn(app)` are read when Helm runs.
 * @see https://cdk8s.io/docs/latest/basics/helm/
 */
export class AsoHelmChart extends Construct {
  /** The objects that Helm rendered. */
  public readonly chart: Helm;

  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the chart's version, the CRDs to install, the credential
   * @throws when a prop is missing or malformed, props contradict each other, or Helm fails
   */
  public constructor(scope: Construct, id: string, props: AsoHelmChartProps) {
    super(scope, id);
    const { helm = {}, createNamespace, helmExecutable, ...chart } = props;
    const { repositoryUrl = ASO_REPOSITORY, releaseName = ASO_CHART, operatorNamespace = ASO_NAMESPACE } = helm;
    const checks = new PropChecks(scope, id);
    checkChart(checks, chart);
    checks.throwIfAny();
    if (createNamespace ?? true) new ApiObject(this, 'Namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: operatorNamespace } });
    this.chart = new Helm(this, 'Chart', {
      chart: ASO_CHART,
      repo: repositoryUrl,
      version: props.version,
      namespace: operatorNamespace,
      releaseName,
      values: new AsoChartValues(chart).values,
      ...(helmExecutable !== undefined && { helmExecutable }),
    });
  }
}
