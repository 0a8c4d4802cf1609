import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { FluxChecks, omitUndefined, someOf } from './flux-checks';
import type { FluxDependency, FluxReference } from './flux-object';
import { SubstituteKind } from './kustomization';

const CHART_SOURCES = ['HelmRepository', 'GitRepository', 'Bucket'];
const CHART_REFERENCES = ['HelmChart', 'OCIRepository', 'ExternalArtifact'];

/** What makes a new chart. */
export enum ReconcileStrategy {
  /** Another version of the chart. */
  CHART_VERSION = 'ChartVersion',
  /** Another revision of the source. */
  REVISION = 'Revision',
}

/** What Helm does with CRDs in a chart's `crds` folder. */
export enum CrdsPolicy {
  /** Nothing. */
  SKIP = 'Skip',
  /** Makes those that are not there. */
  CREATE = 'Create',
  /** Makes and updates them. */
  CREATE_REPLACE = 'CreateReplace',
}

/** What is done about differences between the cluster and the release. */
export enum DriftDetectionMode {
  /** They are corrected. */
  ENABLED = 'enabled',
  /** They are told of. */
  WARN = 'warn',
  /** Nothing. */
  DISABLED = 'disabled',
}

/** A chart of a source. */
export interface HelmChartSource {
  /** Name of the chart, or its folder in a Git repository. */
  readonly chart: string;
  /** The source: a `HelmRepository`, `GitRepository` or `Bucket`. */
  readonly sourceRef: FluxReference;
  /**
   * Version, or a range of versions.
   * @default - the newest
   */
  readonly version?: string;
  /**
   * What makes a new chart.
   * @default - ChartVersion
   */
  readonly reconcileStrategy?: ReconcileStrategy;
  /**
   * How often the source is asked.
   * @default - the interval of the release
   */
  readonly interval?: string;
  /**
   * Files of values in the source; later ones win.
   * @default - the chart's values.yaml
   */
  readonly valuesFiles?: string[];
}

/** How a release is installed. */
export interface HelmInstall {
  /**
   * Whether the target namespace is made if it is not there.
   * @default false
   */
  readonly createNamespace?: boolean;
  /**
   * What Helm does with the chart's CRDs.
   * @default - Create
   */
  readonly crds?: CrdsPolicy;
  /**
   * How often a failed installation is tried again; -1 is without end.
   * @default 0
   */
  readonly retries?: number;
}

/** How a release is upgraded. */
export interface HelmUpgrade {
  /**
   * What Helm does with the chart's CRDs.
   * @default - Skip
   */
  readonly crds?: CrdsPolicy;
  /**
   * How often a failed upgrade is tried again; -1 is without end.
   * @default 0
   */
  readonly retries?: number;
  /**
   * Whether what a failed upgrade has made is deleted.
   * @default false
   */
  readonly cleanupOnFail?: boolean;
}

/** Values from a ConfigMap or Secret of the release's namespace. */
export interface HelmValuesSource {
  /** Name of the ConfigMap or Secret. */
  readonly name: string;
  /**
   * What it is.
   * @default SubstituteKind.CONFIG_MAP
   */
  readonly kind?: SubstituteKind;
  /**
   * The key with the values.
   * @default values.yaml
   */
  readonly valuesKey?: string;
  /**
   * Where in the values to put what the key has, e.g. `image.tag`.
   * @default - the key has YAML, which is merged
   */
  readonly targetPath?: string;
  /**
   * Whether to go on without it.
   * @default false
   */
  readonly optional?: boolean;
}

/** What a Flux HelmRelease takes. Durations are spelt as in Go: `90s`, `5m`, `1h30m`. */
export interface HelmReleaseProps {
  /**
   * Kubernetes metadata.
   * @default - a name made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;
  /** How often the release is looked at. */
  readonly interval: string;
  /**
   * The chart. Give this or `chartRef`.
   * @default - `chartRef`
   */
  readonly chart?: HelmChartSource;
  /**
   * An object that has the chart: an `OCIRepository`, `HelmChart` or `ExternalArtifact`.
   * @default - `chart`
   */
  readonly chartRef?: FluxReference;
  /**
   * Name of the release in Helm, at most 53 characters.
   * @default - `<targetNamespace>-<name>`
   */
  readonly releaseName?: string;
  /**
   * Namespace of the release.
   * @default - that of the HelmRelease
   */
  readonly targetNamespace?: string;
  /**
   * Namespace in which Helm keeps what it knows of the release.
   * @default - that of the HelmRelease
   */
  readonly storageNamespace?: string;
  /**
   * HelmReleases that have to be ready first.
   * @default - none
   */
  readonly dependsOn?: FluxDependency[];
  /**
   * How long one action of Helm may take.
   * @default 5m
   */
  readonly timeout?: string;
  /**
   * How it is installed.
   * @default - as Helm does
   */
  readonly install?: HelmInstall;
  /**
   * How it is upgraded.
   * @default - as Helm does
   */
  readonly upgrade?: HelmUpgrade;
  /**
   * Values from elsewhere; later ones win, and `values` wins over all.
   * @default - none
   */
  readonly valuesFrom?: HelmValuesSource[];
  /**
   * Values of the chart.
   * @default - those of the chart
   */
  readonly values?: { [key: string]: any };
  /**
   * What is done about differences between the cluster and the release.
   * @default - nothing
   */
  readonly driftDetection?: DriftDetectionMode;
  /**
   * Service account as which Flux installs.
   * @default - Flux's own
   */
  readonly serviceAccountName?: string;
  /**
   * Whether Flux leaves it alone.
   * @default false
   */
  readonly suspend?: boolean;
}

/**
 * A Flux HelmRelease: a chart, installed and kept up to date.
 * @see https://fluxcd.io/flux/components/helm/helmreleases/
 */
export class HelmRelease extends ApiObject {
  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props which chart, with which values
   * @throws when something is missing or malformed: one error that names all of it
   */
  public constructor(scope: Construct, id: string, props: HelmReleaseProps) {
    super(scope, id, { apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', metadata: props.metadata, spec: specOf(scope, id, props) });
  }

  /** For the `dependsOn` of others. */
  public get dependency(): FluxDependency {
    const { namespace } = this.metadata;
    return { name: this.name, ...(namespace === undefined ? {} : { namespace }) };
  }
}

function specOf(scope: Construct, id: string, props: HelmReleaseProps): object {
  const checks = new FluxChecks(scope, id);
  checks.interval('interval', props.interval);
  checks.duration('timeout', props.timeout);
  checks.name('metadata.name', props.metadata?.name);
  checks.name('releaseName', props.releaseName, 53);
  checks.namespace('targetNamespace', props.targetNamespace);
  checks.namespace('storageNamespace', props.storageNamespace);
  checks.name('serviceAccountName', props.serviceAccountName);
  checks.dependencies('dependsOn', props.dependsOn, props.metadata);
  props.valuesFrom?.forEach((source, index) => checks.reference(`valuesFrom[${index}]`, source));
  checkChart(checks, props);
  checks.throwIfAny();
  const { chart, install, upgrade } = props;
  return omitUndefined({
    interval: props.interval,
    timeout: props.timeout,
    chart: chart && { spec: omitUndefined({ ...chart, sourceRef: omitUndefined({ ...chart.sourceRef }) }) },
    chartRef: props.chartRef && omitUndefined({ ...props.chartRef }),
    releaseName: props.releaseName,
    targetNamespace: props.targetNamespace,
    storageNamespace: props.storageNamespace,
    dependsOn: someOf(props.dependsOn?.map((dependency) => omitUndefined({ ...dependency }))),
    install: install && omitUndefined({ createNamespace: install.createNamespace, crds: install.crds, remediation: retries(install.retries) }),
    upgrade: upgrade && omitUndefined({ crds: upgrade.crds, cleanupOnFail: upgrade.cleanupOnFail, remediation: retries(upgrade.retries) }),
    driftDetection: props.driftDetection && { mode: props.driftDetection },
    valuesFrom: someOf(props.valuesFrom?.map((source) => omitUndefined({ ...source, kind: source.kind ?? SubstituteKind.CONFIG_MAP }))),
    values: props.values,
    serviceAccountName: props.serviceAccountName,
    suspend: props.suspend,
  });
}

function checkChart(checks: FluxChecks, { chart, chartRef }: HelmReleaseProps): void {
  if (!chart === !chartRef) checks.add('chart', `${chart ? 'is given together with chartRef' : 'required'}. Give either chart or chartRef.`);
  if (chartRef) checks.referenceTo(CHART_REFERENCES, 'chartRef', chartRef);
  if (!chart) return;
  checks.require('chart.chart', chart.chart, 'Give the name of the chart.');
  if (chart.version === '') checks.add('chart.version', 'is empty. Give a version, or leave it out for the newest.');
  checks.duration('chart.interval', chart.interval);
  checks.referenceTo(CHART_SOURCES, 'chart.sourceRef', chart.sourceRef);
}

function retries(count: number | undefined): object | undefined {
  return count === undefined ? undefined : { retries: count };
}
