import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { KubernetesObject } from '../../engine/kubernetes';
import type { JobObservation } from '../../engine/workers/worker-pool';

/** Values that the gauges ask for when they are read. */
export interface ComposerState {
  readonly claims: () => readonly KubernetesObject[];
  readonly depth: () => number;
  readonly rolloutLeft: () => number;
  readonly isRolloutPaused: () => boolean;
  readonly isLeading: () => boolean;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The metrics of a composer. */
export class ComposerMetrics {
  public readonly registry = new Registry();
  private readonly seconds = new Histogram({
    name: 'cdk8s_aso_composer_reconcile_seconds', help: 'Duration of a reconcile of a claim', labelNames: ['kind'], buckets: SECONDS, registers: [this.registry],
  });
  private readonly reconciles = this.counter('cdk8s_aso_composer_reconciles_total', 'Reconciles of claims by result: done, error, or the reason of Synced', [
    'kind', 'result',
  ]);
  private readonly composeSeconds = new Histogram({
    name: 'cdk8s_aso_composer_compose_seconds', help: 'Duration of compose in its thread', buckets: SECONDS, registers: [this.registry],
  });
  private readonly composes = this.counter('cdk8s_aso_composer_composes_total', 'Runs of compose by outcome', ['outcome']);
  private readonly writes = this.counter('cdk8s_aso_composer_writes_total', 'Writes of composed objects', ['kind', 'verb']);

  public reconciled(kind: string, seconds: number, result: string): void {
    this.seconds.observe({ kind }, seconds);
    this.reconciles.inc({ kind, result });
  }

  public composed({ job, outcome, seconds }: JobObservation): void {
    if (job !== 'compose') return;
    this.composeSeconds.observe(seconds);
    this.composes.inc({ outcome });
  }

  public written(verb: string, kind: string): void {
    this.writes.inc({ kind, verb });
  }

  /** Gauges, which are asked for when they are read. */
  public watch(state: ComposerState): void {
    const { registry } = this;
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(value());
        },
      });
    new Gauge({
      name: 'cdk8s_aso_composer_claims',
      help: 'Claims by the status of their conditions',
      labelNames: ['kind', 'synced', 'ready'],
      registers: [registry],
      collect() {
        this.reset();
        for (const claim of state.claims()) this.inc({ kind: claim.kind, synced: statusOf(claim, 'Synced'), ready: statusOf(claim, 'Ready') });
      },
    });
    gauge('cdk8s_aso_composer_waiting_claims', 'Claims that wait to be reconciled', state.depth);
    gauge('cdk8s_aso_composer_rollout_left_claims', 'Claims of an earlier revision of the definition', state.rolloutLeft);
    gauge('cdk8s_aso_composer_rollout_paused', '1 while a rollout stands still at a claim that fails', () => Number(state.isRolloutPaused()));
    gauge('cdk8s_aso_composer_leading', '1 where this process works on claims', () => Number(state.isLeading()));
  }

  private counter(name: string, help: string, labelNames: readonly string[]): Counter {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }
}

function statusOf({ status }: KubernetesObject, type: string): string {
  return status?.conditions?.find((one) => one.type === type)?.status ?? 'Unknown';
}
