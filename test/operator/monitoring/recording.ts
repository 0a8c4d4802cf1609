import type { Series } from './promtool';

/** Labels that Prometheus adds to every series of a pod that it scrapes through the ServiceMonitor. */
export const targetOf = (pod: string) => (
  `job="azureserviceoperator-controller-manager-metrics-service",namespace="azureserviceoperator-system",pod="${pod}"`
);

/** Values by series, of one scrape of all pods. */
export type Sample = ReadonlyMap<string, number>;

/** Samples `(from, to]` of a recording, played in a loop until so many minutes are over; without minutes: once. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly minutes?: number;
}

/** The text format of Prometheus: values by series, without those that are no number, and the type of each metric. */
export function parse(text: string, target: string): { readonly values: Map<string, number>; readonly types: Map<string, string> } {
  const values = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, metric, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (metric !== undefined) types.set(metric, type!);
    if (line === '' || line.startsWith('#')) continue;
    const [, name, labels, value] = /^([a-z_A-Z0-9:]+)(?:\{(.*)\})? (\S+)$/.exec(line)!;
    if (Number.isFinite(Number(value))) values.set(`${name}{${labels ? `${labels},` : ''}${target}}`, Number(value));
  }
  return { values, types };
}

/** Scrapes controllers again and again, as Prometheus does. */
export class Recording {
  public readonly samples: Sample[] = [];
  /** Milliseconds until a pod counts as down: Prometheus's default. */
  public timeoutMs = 10_000;
  private readonly targets = new Map<string, number>();
  private readonly types = new Map<string, string>();
  private running: Promise<void> | undefined;
  private ended = false;

  public constructor(private readonly intervalMs: number) {}

  public add(pod: string, port: number): void {
    this.targets.set(pod, port);
    this.running ??= this.run();
  }

  public remove(pod: string): void {
    this.targets.delete(pod);
  }

  /** The number of the last sample. */
  public get now(): number {
    return this.samples.length - 1;
  }

  /** Waits for more samples, and answers the number of the last one. */
  public async next(count: number): Promise<number> {
    const wanted = this.now + count;
    while (this.now < wanted) await new Promise((resolve) => setTimeout(resolve, 20));
    return this.now;
  }

  /** Whether every scrape of a stretch was answered in time by all pods. */
  public isWhole({ from, to }: Stretch): boolean {
    return this.samples.slice(from + 1, to + 1).every((sample) => [...sample].every(([name, value]) => metricOf(name) !== 'up' || value === 1));
  }

  public async stop(): Promise<void> {
    this.ended = true;
    await this.running;
  }

  /** Every series that was ever seen. */
  public get series(): ReadonlySet<string> {
    return new Set(this.samples.flatMap((sample) => [...sample.keys()]));
  }

  /** The series of some metrics, with the stretches one after the other. */
  public played(stretches: readonly Stretch[], metrics: ReadonlySet<string>, scrapesPerMinute: number): Series[] {
    const indices = stretches.flatMap(({ from, to, minutes }) => (
      Array.from({ length: minutes === undefined ? to - from : minutes * scrapesPerMinute }, (_, at) => from + 1 + at % (to - from))
    ));
    const names = new Set(indices.flatMap((index) => [...this.samples[index]!.keys()]));
    return [...names].filter((name) => metrics.has(metricOf(name))).map((name) => {
      const values = this.isCounter(name) ? this.counted(name, indices) : indices.map((index) => this.samples[index]!.get(name));
      return { series: name, values: notation(values) };
    });
  }

  /** A counter goes on by what it did between two scrapes, however often these are played. */
  private counted(name: string, indices: readonly number[]): (number | undefined)[] {
    let total: number | undefined;
    return indices.map((index) => {
      const value = this.samples[index]!.get(name);
      if (value === undefined) return undefined;
      let last = index - 1;
      while (last >= 0 && !this.samples[last]!.has(name)) last -= 1;
      const before = this.samples[last]?.get(name);
      const step = before === undefined ? 0 : value - before;
      // A smaller value is a new process.
      total = total === undefined || step < 0 ? value : total + step;
      return total;
    });
  }

  private isCounter(name: string): boolean {
    const metric = metricOf(name);
    const type = this.types.get(metric) ?? this.types.get(metric.replace(/_(?:bucket|sum|count)$/, ''));
    return type === 'counter' || type === 'histogram';
  }

  private async run(): Promise<void> {
    while (!this.ended) {
      const began = performance.now();
      const found = await Promise.all([...this.targets].map(([pod, port]) => this.scrape(pod, port)));
      // Before the first answer there is nothing to compare with.
      if (this.samples.length > 0 || found.some((values) => values.size > 1)) {
        this.samples.push(new Map(found.flatMap((values) => [...values])));
      }
      // At the next multiple of the interval, as Prometheus does.
      await new Promise((resolve) => setTimeout(resolve, this.intervalMs - (performance.now() - began) % this.intervalMs));
    }
  }

  private async scrape(pod: string, port: number): Promise<Sample> {
    const target = targetOf(pod);
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(this.timeoutMs) });
      const { values, types } = parse(await answer.text(), target);
      types.forEach((type, metric) => this.types.set(metric, type));
      return values.set(`up{${target}}`, 1);
    } catch {
      return new Map([[`up{${target}}`, 0]]);
    }
  }
}

export function metricOf(series: string): string {
  return series.slice(0, series.indexOf('{'));
}

/** Values in promtool's notation: `1+2x3` for equal steps, `stale` where a series ends, `_` while there is none. */
function notation(values: readonly (number | undefined)[]): string {
  const texts: string[] = [];
  for (let at = 0; at < values.length;) {
    const value = values[at];
    if (value === undefined) {
      texts.push(at > 0 && values[at - 1] !== undefined ? 'stale' : '_');
      at += 1;
      continue;
    }
    const next = values[at + 1];
    const step = next === undefined ? 0 : next - value;
    let end = at;
    while (values[end + 1] !== undefined && values[end + 1] === value + step * (end + 1 - at)) end += 1;
    texts.push(end === at ? String(value) : `${value}${step < 0 ? '' : '+'}${step}x${end - at}`);
    at = end + 1;
  }
  return texts.join(' ');
}
