import { Construct } from 'constructs';
import { checkChart } from './chart-checks';
import { ASO_CHART, ASO_NAMESPACE, ASO_REPOSITORY } from './chart-location';
import { chartValues } from './chart-mapping';
import type { AsoChartProps } from './chart-props';
import type { FluxDependency } from '../flux-object';
import { HelmRelease, type HelmValuesSource } from '../helm-release';
import { HelmRepository } from '../helm-repository';
import { PropChecks } from '../prop-checks';

/** How Flux installs Azure Service Operator. */
export interface AsoHelmInstallationProps extends AsoChartProps {
  /** Namespace of the Flux objects. */
  readonly namespace: string;
  /**
   * Namespace of the operator.
   * @default azureserviceoperator-system
   */
  readonly operatorNamespace?: string;
  /**
   * Name of the HelmRelease.
   * @default azure-service-operator
   */
  readonly name?: string;
  /**
   * Name of the HelmRepository.
   * @default - the name of the HelmRelease
   */
  readonly repositoryName?: string;
  /**
   * URL of the Helm repository.
   * @default - the repository of Azure Service Operator
   */
  readonly repositoryUrl?: string;
  /**
   * Interval at which Flux fetches the repository's index.
   * @default 24h
   */
  readonly repositoryInterval?: string;
  /**
   * Interval at which Flux reconciles the release.
   * @default 5m
   */
  readonly interval?: string;
  /**
   * HelmReleases that must be ready first, e.g. cert-manager if a HelmRelease installs it.
   * @default - none
   */
  readonly dependsOn?: FluxDependency[];
  /**
   * ConfigMaps and Secrets with further values, e.g. `azureClientSecret`, which does not belong into Git. The other props win.
   * @default - none
   */
  readonly valuesFrom?: HelmValuesSource[];
}

/**
 * Installs Azure Service Operator from its Helm chart with Flux: a HelmRepository and a HelmRelease.
 * @see https://azure.github.io/azure-service-operator/guide/crd-management/
 */
export class AsoHelmInstallation extends Construct {
  /** The release. */
  public readonly release: HelmRelease;
  /** The repository with the chart. */
  public readonly repository: HelmRepository;

  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the chart's version, the CRDs to install, the credential
   * @throws when a prop is missing or malformed, or props contradict each other: one error that lists all problems
   */
  public constructor(scope: Construct, id: string, props: AsoHelmInstallationProps) {
    super(scope, id);
    const checks = new PropChecks(scope, id);
    checks.require('namespace', props.namespace, 'Give the namespace of the Flux objects.');
    if (props.namespace) checks.namespace('namespace', props.namespace);
    checkChart(checks, props);
    checks.throwIfAny();
    const { namespace, name = ASO_CHART } = props;
    this.repository = new HelmRepository(this, 'Repository', {
      metadata: { name: props.repositoryName ?? name, namespace },
      url: props.repositoryUrl ?? ASO_REPOSITORY,
      interval: props.repositoryInterval ?? '24h',
    });
    this.release = new HelmRelease(this, 'Release', {
      metadata: { name, namespace },
      interval: props.interval ?? '5m',
      chart: { chart: ASO_CHART, version: props.version, sourceRef: this.repository.reference },
      releaseName: ASO_CHART,
      targetNamespace: props.operatorNamespace ?? ASO_NAMESPACE,
      install: { createNamespace: true },
      ...(props.dependsOn && { dependsOn: props.dependsOn }),
      ...(props.valuesFrom && { valuesFrom: props.valuesFrom }),
      values: chartValues(props),
    });
  }
}
