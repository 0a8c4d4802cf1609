import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import type { FluxDependency, FluxReference } from './flux-object';
import { SubstituteKind } from './kustomization';
import { PropChecks, someOf } from './prop-checks';
import { omitUndefined } from '../util/records';

const CHART_SOURCES = ['HelmRepository', 'GitRepository', 'Bucket'];
const CHART_REFERENCES = ['HelmChart', 'OCIRepository', 'ExternalArtifact'];

/** The change of the source for which Flux packages a new chart. */
export enum ReconcileStrategy {
  /** A new version of the chart. */
  CHART_VERSION = 'ChartVersion',
  /** A new revision of the source. */
  REVISION = 'Revision',
}

/** How Helm treats CRDs in a chart's `crds` folder. */
export enum CrdsPolicy {
  /** Helm ignores them. */
  SKIP = 'Skip',
  /** Helm creates missing CRDs. */
  CREATE = 'Create',
  /** Helm creates missing CRDs and replaces existing ones. */
  CREATE_REPLACE = 'CreateReplace',
}

/** How Flux treats differences between the cluster and the release. */
export enum DriftDetectionMode {
  /** Flux corrects them. */
  ENABLED = 'enabled',
  /** Flux reports them. */
  WARN = 'warn',
  /** Flux ignores them. */
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
   * The change of the source for which Flux packages a new chart.
   * @default - ChartVersion
   */
  readonly reconcileStrategy?: ReconcileStrategy;
  /**
   * Interval at which Flux checks the source.
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
   * Whether Helm creates the target namespace if it does not exist.
   * @default false
   */
  readonly createNamespace?: boolean;
  /**
   * How Helm treats the chart's CRDs.
   * @default - Create
   */
  readonly crds?: CrdsPolicy;
  /**
   * Number of retries after a failed installation; -1 for unlimited.
   * @default 0
   */
  readonly retries?: number;
}

/** How a release is upgraded. */
export interface HelmUpgrade {
  /**
   * How Helm treats the chart's CRDs.
   * @default - Skip
   */
  readonly crds?: CrdsPolicy;
  /**
   * Number of retries after a failed upgrade; -1 for unlimited.
   * @default 0
   */
  readonly retries?: number;
  /**
   * Whether objects that a failed upgrade created are deleted.
   * @default false
   */
  readonly cleanupOnFail?: boolean;
}

/** Values from a ConfigMap or Secret of the release's namespace. */
export interface HelmValuesSource {
  /** Name of the ConfigMap or Secret. */
  readonly name: string;
  /**
   * Whether the source is a ConfigMap or a Secret.
   * @default SubstituteKind.CONFIG_MAP
   */
  readonly kind?: SubstituteKind;
  /**
   * The key with the values.
   * @default values.yaml
   */
  readonly valuesKey?: string;
  /**
   * Path in the values at which the key's content is set, e.g. `image.tag`.
   * @default - the key holds YAML, which is merged into the values
   */
  readonly targetPath?: string;
  /**
   * Whether the release proceeds if the ConfigMap or Secret is missing.
   * @default false
   */
  readonly optional?: boolean;
}

/** Properties of a Flux HelmRelease. Durations are spelt as in Go: `90s`, `5m`, `1h30m`. */
export interface HelmReleaseProps {
  /**
   * Kubernetes metadata.
   * @default - a name made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;
  /** Interval at which Flux reconciles the release. */
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
   * Namespace in which Helm stores the state of the release.
   * @default - that of the HelmRelease
   */
  readonly storageNamespace?: string;
  /**
   * HelmReleases that must be ready first.
   * @default - none
   */
  readonly dependsOn?: FluxDependency[];
  /**
   * Timeout of a single Helm action.
   * @default 5m
   */
  readonly timeout?: string;
  /**
   * Settings for the installation.
   * @default - Helm's defaults
   */
  readonly install?: HelmInstall;
  /**
   * Settings for upgrades.
   * @default - Helm's defaults
   */
  readonly upgrade?: HelmUpgrade;
  /**
   * Further sources of values; later ones take precedence, and `values` takes precedence over all.
   * @default - none
   */
  readonly valuesFrom?: HelmValuesSource[];
  /**
   * Values of the chart.
   * @default - those of the chart
   */
  readonly values?: { [key: string]: any };
  /**
   * How Flux treats differences between the cluster and the release.
   * @default - Flux ignores them
   */
  readonly driftDetection?: DriftDetectionMode;
  /**
   * Service account that Flux impersonates.
   * @default - Flux's own
   */
  readonly serviceAccountName?: string;
  /**
   * Whether Flux suspends reconciliation of the release.
   * @default false
   */
  readonly suspend?: boolean;
}

/**
 * A Flux HelmRelease: a chart that Flux installs and keeps up to date.
 * @see https://fluxcd.io/flux/components/helm/helmreleases/
 */
export class HelmRelease extends ApiObject {
  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the chart and its values
   * @throws when a prop is missing or malformed: one error that lists all problems
   */
  public constructor(scope: Construct, id: string, props: HelmReleaseProps) {
    super(scope, id, {
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      ...(props.metadata && { metadata: props.metadata }),
      spec: specOf(scope, id, props),
    });
  }

  /** Reference for the `dependsOn` of other HelmReleases. */
  public get dependency(): FluxDependency {
    const { namespace } = this.metadata;
    return { name: this.name, ...(namespace === undefined ? {} : { namespace }) };
  }
}

function specOf(scope: Construct, id: string, props: HelmReleaseProps): object {
  const checks = new PropChecks(scope, id);
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
    install:
      install && omitUndefined({ createNamespace: install.createNamespace, crds: install.crds, remediation: retries(install.retries) }),
    upgrade: upgrade && omitUndefined({ crds: upgrade.crds, cleanupOnFail: upgrade.cleanupOnFail, remediation: retries(upgrade.retries) }),
    driftDetection: props.driftDetection && { mode: props.driftDetection },
    valuesFrom: someOf(props.valuesFrom?.map((source) => omitUndefined({ ...source, kind: source.kind ?? SubstituteKind.CONFIG_MAP }))),
    values: props.values,
    serviceAccountName: props.serviceAccountName,
    suspend: props.suspend,
  });
}

function checkChart(checks: PropChecks, { chart, chartRef }: HelmReleaseProps): void {
  if (!chart === !chartRef) {
    checks.add('chart', `${chart ? 'is given together with chartRef' : 'required'}. Give either chart or chartRef.`);
  }
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
