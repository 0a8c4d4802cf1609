import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { KubernetesObject } from '../../engine/kubernetes';
import type { JobObservation } from '../../engine/workers/worker-pool';
import type { WebhookObserver } from '../webhooks/start-webhooks';

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
  /** Requests of the API server, and what came of them. */
  public readonly webhooks: WebhookObserver;
  private readonly writes = this.counter('cdk8s_aso_composer_writes_total', 'Writes of composed objects', ['kind', 'verb']);

  public constructor() {
    this.webhooks = webhookMetrics(this.registry);
  }

  /** Memory, CPU and event loop of this process. */
  public collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

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

function webhookMetrics(registry: Registry): WebhookObserver {
  const registers = [registry];
  const requests = new Counter({
    name: 'cdk8s_aso_composer_webhook_requests_total', help: 'Requests of the API server to webhooks by HTTP status', labelNames: ['webhook', 'code'], registers,
  });
  const seconds = new Histogram({
    name: 'cdk8s_aso_composer_webhook_seconds', help: 'Duration of a request to a webhook', labelNames: ['webhook'], buckets: SECONDS, registers,
  });
  const inFlight = new Gauge({
    name: 'cdk8s_aso_composer_webhook_requests_in_flight', help: 'Requests to webhooks that are not answered yet', labelNames: ['webhook'], registers,
  });
  const reviews = new Counter({
    name: 'cdk8s_aso_composer_reviews_total',
    help: 'Reviews of claims by result: allowed, not checked, or the reason of the refusal',
    labelNames: ['kind', 'result'],
    registers,
  });
  const reads = new Counter({
    name: 'cdk8s_aso_composer_certificate_reads_total', help: 'Reads of the directory of --webhook-cert-dir', labelNames: ['outcome'], registers,
  });
  return {
    began: (webhook) => inFlight.inc({ webhook }),
    answered: ({ webhook, code, seconds: duration }) => {
      requests.inc({ webhook, code: String(code) });
      seconds.observe({ webhook }, duration);
      inFlight.dec({ webhook });
    },
    reviewed: (kind, result) => reviews.inc({ kind, result }),
    certificateRead: (worked) => reads.inc({ outcome: worked ? 'done' : 'failed' }),
  };
}

function statusOf({ status }: KubernetesObject, type: string): string {
  return status?.conditions?.find((one) => one.type === type)?.status ?? 'Unknown';
}
