import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { appliedFolder } from './applied-folder';
import { ChartDependencies } from './chart-dependencies';
import { FluxHealth, type FluxHealthOptions } from './flux-health';
import type { FluxDependency, FluxReference } from './flux-object';
import { Kustomization } from './kustomization';
import { listAtSynth } from './prop-checks';

const WHERE = 'ChartKustomizations';

/** Properties of Kustomizations for the charts of an app. Durations are spelt as in Go: `90s`, `5m`, `1h30m`. */
export interface ChartKustomizationsProps {
  /** Namespace of the Kustomizations. */
  readonly namespace: string;
  /** The source of the manifests: a `GitRepository`, `OCIRepository`, `Bucket` or `ExternalArtifact`. */
  readonly sourceRef: FluxReference;
  /** Folder of the source into which the app is synthesized, e.g. `./dist`. */
  readonly path: string;
  /**
   * The charts that Flux applies.
   * @default - all charts of the app except that of this construct
   */
  readonly charts?: Chart[];
  /**
   * Interval at which Flux applies the manifests again.
   * @default 10m
   */
  readonly interval?: string;
  /**
   * Interval at which Flux retries after a failure.
   * @default 1m
   */
  readonly retryInterval?: string;
  /**
   * Timeout of waiting for the objects of a chart: the longest time that Azure may take.
   * @default 30m
   */
  readonly timeout?: string;
  /**
   * Whether Flux deletes objects that are no longer in the source, and thereby, unless a policy keeps them, resources in Azure.
   * @default true
   */
  readonly prune?: boolean;
  /**
   * Kustomizations that must be ready before all of these, e.g. that of the operator.
   * @default - none
   */
  readonly dependsOn?: FluxDependency[];
  /**
   * Choices for the health of objects.
   * @default - Flux waits while the operator retries
   */
  readonly health?: FluxHealthOptions;
}

/**
 * A Flux Kustomization for each chart of an app: it waits until the resources are ready, and depends on the charts whose resources its own
 * resources have as owners, reference, or read values of. The app needs `YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE`.
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/#dependencies
 */
export class ChartKustomizations extends Construct {
  private readonly kustomizations = new Map<Chart, Kustomization>();
  /** Computed by the validation, with which each synth begins. */
  private dependencies?: ChartDependencies;

  /**
   * @param scope the scope: a chart that none of these Kustomizations applies
   * @param id name of the construct in its scope
   * @param props namespace and source
   * @throws when a prop is missing or malformed; synthesis fails when charts wait for each other
   */
  public constructor(scope: Construct, id: string, props: ChartKustomizationsProps) {
    super(scope, id);
    const app = App.of(this);
    const own = Chart.of(this);
    const charts = props.charts ?? app.charts.filter((chart) => chart !== own);
    if (charts.includes(own)) {
      throw new Error(`[${this.node.path}] ${WHERE}: charts: has '${own.node.path}', the chart of the Kustomizations, which whatever installs Flux applies. Leave it out.`);
    }
    const before = (chart: Chart) => (this.dependencies ??= new ChartDependencies(app, charts)).before(chart);
    for (const chart of charts) this.kustomizations.set(chart, this.kustomizationFor(chart, props, () => before(chart)));
    this.node.addValidation({
      validate: () => {
        this.dependencies = new ChartDependencies(app, charts);
        return this.dependencies.cycles.map((cycle) => `${WHERE}: these charts wait for each other: ${cycle}. Move objects so that one can be applied first.`);
      },
    });
  }

  /**
   * The Kustomization that applies a chart.
   * @param chart one of the charts
   * @throws when it is none of them
   */
  public kustomizationOf(chart: Chart): Kustomization {
    const found = this.kustomizations.get(chart);
    if (!found) throw new Error(`[${this.node.path}] ${WHERE}.kustomizationOf: '${chart.node.path}' is none of the charts.`);
    return found;
  }

  private kustomizationFor(chart: Chart, props: ChartKustomizationsProps, before: () => Chart[]): Kustomization {
    const dependsOn = () => [...(props.dependsOn ?? []), ...before().map((other) => this.kustomizationOf(other).dependency)];
    return new Kustomization(this, nameOf(chart), {
      metadata: { name: nameOf(chart), namespace: props.namespace },
      interval: props.interval ?? '10m',
      retryInterval: props.retryInterval ?? '1m',
      timeout: props.timeout ?? '30m',
      sourceRef: props.sourceRef,
      path: appliedFolder(chart, props.path, WHERE),
      ...(props.prune !== undefined && { prune: props.prune }),
      wait: true,
      dependsOn: listAtSynth(dependsOn),
      healthCheckExprs: listAtSynth(() => FluxHealth.expressionsIn(chart, props.health)),
    });
  }
}

function nameOf(chart: Chart): string {
  return chart.node.path.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
