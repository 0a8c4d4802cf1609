import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { controllerName } from './reconcile/object-key';
import type { ReconcileReport } from './reconcile/reconciler-options';
import { WorkQueueMetrics } from './telemetry/work-queue-metrics';
import type { ArmRequestObservation } from '../engine/arm/arm-client';
import type { ExpressionObservation } from '../engine/export/cel';
import { KubernetesError } from '../engine/kubernetes/types';

/** One request to a webhook that was answered. */
export interface WebhookRequest {
  /** Its path. */
  readonly webhook: string;
  /** HTTP status. */
  readonly code: number;
  readonly seconds: number;
}

const WEBHOOK_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Mistakes in a program: what a panic is in Go. */
const PANICS = [TypeError, RangeError, ReferenceError];

/** The metrics that ASO has, under the same names (docs/spec/metrics.md#metrics), and a few of our own (`cdk8s_aso_*`). */
export class Metrics {
  public readonly registry = new Registry();
  public readonly queue = new WorkQueueMetrics(this.registry);
  private readonly answered = this.counter('azure_successful_requests_total', 'Requests to Azure that got any answer', [
    'resource',
    'requestType',
    'responseCode',
  ]);
  private readonly unanswered = this.counter('azure_failed_requests_total', 'Requests to Azure that got no answer', [
    'resource',
    'requestType',
  ]);
  private readonly seconds = this.histogram('azure_requests_time_seconds', 'Duration of a request to Azure', ['resource', 'requestType']);
  private readonly throttled = this.counter('cdk8s_aso_arm_throttled_total', 'Requests that Azure answered with 429', [
    'resource',
    'requestType',
  ]);
  private readonly remaining = this.gauge(
    'cdk8s_aso_arm_remaining_requests',
    'Requests that Azure has left for a subscription, as it last reported (x-ms-ratelimit-remaining-*)',
    ['subscription', 'quota'],
  );

  private readonly reconciles = this.counter('controller_runtime_reconcile_total', 'Reconciliations by result', ['controller', 'result']);
  private readonly errors = this.counter('controller_runtime_reconcile_errors_total', 'Reconciliations that ended in an error', [
    'controller',
  ]);
  private readonly outdated = this.counter(
    'cdk8s_aso_outdated_reconciles_total',
    'Reconciliations that ended in an error since the object had been changed or deleted meanwhile; they are errors, too',
    ['controller'],
  );
  private readonly terminal = this.counter(
    'controller_runtime_terminal_reconcile_errors_total',
    'Reconciliations whose failure is not retried before a change',
    ['controller'],
  );
  private readonly panics = this.counter('controller_runtime_reconcile_panics_total', 'Reconciliations that ended in an internal error', [
    'controller',
  ]);

  private readonly restRequests = this.counter('rest_client_requests_total', 'Requests to the Kubernetes API', ['code', 'method', 'host']);
  private readonly restBytes = this.counter(
    'cdk8s_aso_kubernetes_bytes_total',
    'Bytes of the bodies of requests to the Kubernetes API and of their answers, watches included',
    ['direction'],
  );

  private readonly leader = this.gauge('leader_election_master_status', '1 where this process leads', ['name']);

  private readonly webhooks = this.counter('controller_runtime_webhook_requests_total', 'Requests to webhooks', ['webhook', 'code']);
  private readonly webhooksInFlight = this.gauge(
    'controller_runtime_webhook_requests_in_flight',
    'Requests to webhooks that are not answered yet',
    ['webhook'],
  );
  private readonly webhookPanics = this.counter(
    'controller_runtime_webhook_panics_total',
    'Requests to webhooks that ended by a mistake of the program',
    [],
  );
  private readonly webhookSeconds = this.histogram(
    'controller_runtime_webhook_latency_seconds',
    'Duration of a request to a webhook',
    ['webhook'],
    WEBHOOK_BUCKETS,
  );

  private readonly certificateReads = this.counter('certwatcher_read_certificate_total', 'Looks at a certificate directory', []);
  private readonly certificateErrors = this.counter(
    'certwatcher_read_certificate_errors_total',
    'Looks at a certificate directory without a usable certificate',
    [],
  );

  private readonly cel = {
    environmentHit: this.counter('cel_env_cache_hits_total', 'CEL environments of a kind that were there', ['resource']),
    environmentMiss: this.counter('cel_env_cache_misses_total', 'CEL environments of a kind that had to be made', ['resource']),
    programHit: this.counter('cel_program_cache_hits_total', 'CEL programs that were there', ['resource']),
    programMiss: this.counter('cel_program_cache_misses_total', 'CEL programs that had to be compiled', ['resource']),
  } as const;

  private readonly compilation = this.histogram('cel_compilation_time_seconds', 'Duration of the compilation of a CEL expression', [
    'resource',
  ]);

  /**
   * Adds Node's metrics of the process (`process_*`, `nodejs_*`). They observe the garbage collector and the event loop until the process
   * ends, so call this once in each process.
   */
  public collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  public armRequest({ method, resource, status, seconds, subscriptionId, remaining = {} }: ArmRequestObservation): void {
    for (const [quota, left] of Object.entries(remaining)) this.remaining.set({ subscription: subscriptionId ?? '', quota }, left);
    // Paths without an ARM ID (tenant-wide lists, unusual operations) would each make a label of their own.
    if (resource === 'unknown') return;
    const labels = { resource, requestType: method };
    if (status === undefined) this.unanswered.inc(labels);
    else this.answered.inc({ ...labels, responseCode: String(status) });
    if (status === 429) this.throttled.inc(labels);
    this.seconds.observe(labels, seconds);
  }

  /** A kind is served from now on: its series begin with 0, so that a first error is an increase. */
  public kindServed(group: string, kind: string, workers: number): void {
    const controller = controllerName(group, kind);
    this.queue.add(group, kind, workers);
    for (const result of ['success', 'requeue', 'requeue_after', 'error']) this.reconciles.inc({ controller, result }, 0);
    for (const counter of [this.errors, this.outdated, this.terminal, this.panics]) counter.inc({ controller }, 0);
  }

  public reconciled(report: ReconcileReport): void {
    const { key, result } = report;
    const controller = controllerName(key.group, key.kind);
    const label = resultOf(report);
    this.reconciles.inc({ controller, result: label });
    if (label !== 'success') this.queue.retry(controller);
    if (result.kind === 'failure' && result.failure.severity === 'Error') this.terminal.inc({ controller });
  }

  public reconcileError(group: string, kind: string, error: unknown): void {
    const controller = controllerName(group, kind);
    this.reconciles.inc({ controller, result: 'error' });
    this.errors.inc({ controller });
    if (error instanceof KubernetesError && (error.status === 404 || error.status === 409)) this.outdated.inc({ controller });
    this.queue.retry(controller);
    if (PANICS.some((type) => error instanceof type)) this.panics.inc({ controller });
  }

  public kubernetesRequest(
    { method, host, status }: { readonly method: string; readonly host: string; readonly status?: number | undefined },
  ): void {
    this.restRequests.inc({ code: status === undefined ? '<error>' : String(status), method, host });
  }

  public kubernetesBytes(direction: 'sent' | 'received', bytes: number): void {
    this.restBytes.inc({ direction }, bytes);
  }

  public leading(name: string, leads: boolean): void {
    this.leader.set({ name }, leads ? 1 : 0);
  }

  /** A webhook request arrived; `webhook` reports its end. */
  public webhookBegan(webhook: string): void {
    this.webhooksInFlight.inc({ webhook });
  }

  /** A webhook request that `webhookBegan` reported was answered. */
  public webhook({ webhook, code, seconds }: WebhookRequest): void {
    this.webhooks.inc({ webhook, code: String(code) });
    this.webhookSeconds.observe({ webhook }, seconds);
    this.webhooksInFlight.dec({ webhook });
    if (code === 500) this.webhookPanics.inc();
  }

  public certificateRead(worked: boolean): void {
    this.certificateReads.inc();
    if (!worked) this.certificateErrors.inc();
  }

  public expression({ resource, environment, program, seconds }: ExpressionObservation): void {
    if (environment) this.cel[environment === 'hit' ? 'environmentHit' : 'environmentMiss'].inc({ resource });
    this.cel[program === 'hit' ? 'programHit' : 'programMiss'].inc({ resource });
    if (seconds !== undefined) this.compilation.observe({ resource }, seconds);
  }

  private counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  private histogram(name: string, help: string, labelNames: string[], buckets?: number[]): Histogram {
    return new Histogram({ name, help, labelNames, registers: [this.registry], ...(buckets ? { buckets } : {}) });
  }
}

/** The label `result` that controller-runtime gives the same reconcile of ASO (docs/spec/errors.md#results). */
function resultOf({ result, nextIn }: ReconcileReport): 'success' | 'requeue' | 'requeue_after' {
  switch (result.kind) {
    case 'done':
      return 'success';
    case 'success':
      return nextIn === undefined ? 'success' : 'requeue_after';
    case 'requeue':
      return result.delay ? 'requeue_after' : 'requeue';
    case 'failure':
      return result.failure.severity === 'Error' ? 'success' : 'requeue_after';
  }
}
