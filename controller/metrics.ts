import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ArmRequestObservation } from './azure/arm-client';
import { controllerName } from './reconcile/object-key';
import type { PassReport } from './reconcile/reconciler';

/** The metrics that ASO has, under the same names (settings-and-metrics.md 5). */
export class Metrics {
  public readonly registry = new Registry();
  private readonly answered = this.counter('azure_successful_requests_total', 'Requests to Azure that got any answer', ['resource', 'requestType', 'responseCode']);
  private readonly unanswered = this.counter('azure_failed_requests_total', 'Requests to Azure that got no answer', ['resource', 'requestType']);
  private readonly seconds = new Histogram({
    name: 'azure_requests_time_seconds', help: 'Duration of a request to Azure', labelNames: ['resource', 'requestType'], registers: [this.registry],
  });

  private readonly passes = this.counter('controller_runtime_reconcile_total', 'Passes by how they ended', ['controller', 'result']);
  private readonly errors = this.counter('controller_runtime_reconcile_errors_total', 'Passes that ended without a result', ['controller']);

  /** `load`: read when the metrics are. */
  public constructor(load: () => { readonly waiting: number; readonly delayed: number; readonly running: number }) {
    const { registry } = this;
    new Gauge({ name: 'workqueue_depth', help: 'Objects that wait for a worker', registers: [registry], collect() { this.set(load().waiting); } });
    new Gauge({ name: 'workqueue_delayed', help: 'Objects that wait for their time', registers: [registry], collect() { this.set(load().delayed); } });
    new Gauge({ name: 'controller_runtime_active_workers', help: 'Passes that run', registers: [registry], collect() { this.set(load().running); } });
    collectDefaultMetrics({ register: registry });
  }

  public armRequest({ method, resource, status, seconds }: ArmRequestObservation): void {
    // What is no ARM id (tenant-wide lists, operations of unusual form) would make a label of its own for each.
    if (resource === 'unknown') return;
    if (status === undefined) this.unanswered.inc({ resource, requestType: method });
    else this.answered.inc({ resource, requestType: method, responseCode: String(status) });
    this.seconds.observe({ resource, requestType: method }, seconds);
  }

  public pass({ key, result }: PassReport): void {
    this.passes.inc({ controller: controllerName(key.group, key.kind), result: RESULTS[result.kind] });
  }

  public passError(group: string, kind: string): void {
    const controller = controllerName(group, kind);
    this.passes.inc({ controller, result: 'error' });
    this.errors.inc({ controller });
  }

  private counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}

const RESULTS = { done: 'success', success: 'success', requeue: 'requeue', failure: 'requeue_after' } as const;
