import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { WorkQueueObserver } from '../../runtime/work-queue';
import type { ObjectId } from '../../src/object-id';
import { controllerName, sharedKeyOf } from '../reconcile/object-key';

/** Bucket bounds of client-go, in seconds: 10 ns to 1000 s by tens, without the shortest, which do not occur here. */
const BUCKETS = [1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];
/** Bucket bounds of controller-runtime, in seconds. */
const RECONCILE_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const LABELS = ['controller', 'name'];

/** `workqueue_*` and the times of reconciles. The one queue is reported as one queue for each kind, as in controller-runtime. */
export class WorkQueueMetrics implements WorkQueueObserver<ObjectId> {
  private readonly waiting = new Map<string, { readonly controller: string; readonly since: number }>();
  private readonly running = new Map<string, { readonly controller: string; readonly since: number }>();
  private readonly known = new Set<string>();
  private readonly adds: Counter;
  private readonly retries: Counter;
  private readonly queueSeconds: Histogram;
  private readonly workSeconds: Histogram;
  private readonly reconcileSeconds: Histogram;
  private readonly most: Gauge;

  public constructor(registry: Registry) {
    const counter = (name: string, help: string) => new Counter({ name, help, labelNames: LABELS, registers: [registry] });
    const seconds = (name: string, help: string, labelNames = LABELS, buckets = BUCKETS) =>
      new Histogram({ name, help, labelNames, buckets, registers: [registry] });
    this.adds = counter('workqueue_adds_total', 'Objects put into the queue');
    this.retries = counter('workqueue_retries_total', 'Objects put into the queue again after a failure');
    this.queueSeconds = seconds('workqueue_queue_duration_seconds', 'How long objects waited for a worker');
    this.workSeconds = seconds('workqueue_work_duration_seconds', 'How long workers took');
    this.reconcileSeconds = seconds('controller_runtime_reconcile_time_seconds', 'Duration of a reconcile', ['controller'], RECONCILE_BUCKETS);
    this.most = new Gauge({
      name: 'controller_runtime_max_concurrent_reconciles',
      help: 'Reconciles at a time of one kind',
      labelNames: ['controller'],
      registers: [registry],
    });
    this.addGauges(registry);
  }

  /** A kind is served from now on: its series begin with 0. */
  public add(group: string, kind: string, workers: number): void {
    const controller = controllerName(group, kind);
    this.known.add(controller);
    this.most.set({ controller }, workers);
    this.adds.inc(labelsOf(controller), 0);
    this.retries.inc(labelsOf(controller), 0);
  }

  public onAdded(key: ObjectId): void {
    const controller = controllerName(key.group, key.kind);
    this.waiting.set(sharedKeyOf(key), { controller, since: performance.now() });
    this.adds.inc(labelsOf(controller));
  }

  public onDropped(key: ObjectId): void {
    this.waiting.delete(sharedKeyOf(key));
  }

  public onStarted(key: ObjectId): void {
    const controller = controllerName(key.group, key.kind);
    const waited = this.waiting.get(sharedKeyOf(key));
    this.waiting.delete(sharedKeyOf(key));
    this.running.set(sharedKeyOf(key), { controller, since: performance.now() });
    this.queueSeconds.observe(labelsOf(controller), waited ? age(waited.since) : 0);
  }

  public onEnded(key: ObjectId): void {
    const ran = this.running.get(sharedKeyOf(key));
    this.running.delete(sharedKeyOf(key));
    if (!ran) return;
    this.workSeconds.observe(labelsOf(ran.controller), age(ran.since));
    this.reconcileSeconds.observe({ controller: ran.controller }, age(ran.since));
  }

  public retry(controller: string): void {
    this.retries.inc(labelsOf(controller));
  }

  /** Gauges of waiting and running reconciles, counted at each scrape. */
  private addGauges(registry: Registry): void {
    this.gauge(registry, 'workqueue_depth', 'Objects that wait for a worker', LABELS, () => sums(this.waiting, () => 1));
    this.gauge(registry, 'controller_runtime_active_workers', 'Reconciles that run', ['controller'], () => sums(this.running, () => 1));
    this.gauge(registry, 'workqueue_unfinished_work_seconds', 'Age of all reconciles that run, together', LABELS, () =>
      sums(this.running, (since) => age(since)),
    );
    this.gauge(registry, 'workqueue_longest_running_processor_seconds', 'Age of the oldest reconcile that runs', LABELS, () =>
      sums(this.running, (since) => age(since), Math.max),
    );
  }

  private gauge(registry: Registry, name: string, help: string, labelNames: string[], values: () => ReadonlyMap<string, number>): void {
    const { known } = this;
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        const found = values();
        for (const controller of new Set([...known, ...found.keys()])) {
          this.set(labelNames.length === 2 ? labelsOf(controller) : { controller }, found.get(controller) ?? 0);
        }
      },
    });
  }
}

function labelsOf(controller: string): { controller: string; name: string } {
  return { controller, name: controller };
}

function age(since: number): number {
  return (performance.now() - since) / 1000;
}

function sums(
  entries: ReadonlyMap<string, { readonly controller: string; readonly since: number }>, valueOf: (since: number) => number,
  join: (a: number, b: number) => number = (a, b) => a + b,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { controller, since } of entries.values()) found.set(controller, join(found.get(controller) ?? 0, valueOf(since)));
  return found;
}
