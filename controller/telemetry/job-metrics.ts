import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { JobObservation, WorkerPool } from '../../engine/workers/worker-pool';

/** Series that begin with 0, so that a first job that is stopped is an increase. */
const TASKS = ['certificate', 'exports', 'expressions'];
const OUTCOMES: readonly JobObservation['outcome'][] = ['done', 'failed', 'refused', 'deadline', 'memory', 'crash'];
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** The work of tenants that worker threads do (see `workers/worker-pool.ts`). */
export class JobMetrics {
  private readonly jobs: Counter;
  private readonly seconds: Histogram;
  private readonly waited: Histogram;

  public constructor(registry: Registry, pool: Pick<WorkerPool, 'threads' | 'queued'>) {
    const registers = [registry];
    this.jobs = new Counter({
      name: 'cdk8s_aso_worker_jobs_total', help: 'Jobs of worker threads by how they ended', labelNames: ['task', 'outcome'], registers,
    });
    for (const task of TASKS) for (const outcome of OUTCOMES) this.jobs.inc({ task, outcome }, 0);
    this.seconds = new Histogram({
      name: 'cdk8s_aso_worker_job_seconds',
      help: 'Duration of a job in a worker thread',
      labelNames: ['task'],
      buckets: BUCKETS,
      registers,
    });
    this.waited = new Histogram({
      name: 'cdk8s_aso_worker_job_wait_seconds',
      help: 'Time that a job waited for a worker thread',
      labelNames: ['task'],
      buckets: BUCKETS,
      registers,
    });
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    gauge('cdk8s_aso_worker_threads', 'Worker threads that run', () => pool.threads);
    gauge('cdk8s_aso_worker_queue_length', 'Jobs that wait for a worker thread', () => pool.queued);
  }

  public job({ job, outcome, seconds, waitedSeconds }: JobObservation): void {
    // Not `job`: that is the label by which Prometheus names what it scrapes.
    this.jobs.inc({ task: job, outcome });
    if (outcome === 'refused') return;
    this.seconds.observe({ task: job }, seconds);
    this.waited.observe({ task: job }, waitedSeconds);
  }
}
