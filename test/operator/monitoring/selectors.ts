/** A metric with label matchers in PromQL. */
export interface Selector {
  readonly text: string;
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

interface LabelledSeries {
  readonly metric: string;
  readonly labels: ReadonlyMap<string, string>;
}

export function selectorsOf(expr: string): Selector[] {
  return [...expr.matchAll(/([a-zA-Z_][\w]*)\{([^{}]*)\}/g)].map(([text, metric, matchers]) => ({
    text,
    metric: metric!,
    matchers: [...matchers!.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label, operator, value]) => (
      { label: label!, operator: operator!, value: value! }
    )),
  }));
}

/** A label that a series does not have counts as absent, although Prometheus takes it for an empty text. */
export function matches({ metric, matchers }: Selector, series: LabelledSeries): boolean {
  return series.metric === metric && matchers.every(({ label, operator, value }) => {
    const found = series.labels.get(label);
    if (found === undefined) return false;
    const isEqual = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(found) : found === value;
    return isEqual !== operator.startsWith('!');
  });
}

export function labelsOf(series: string): Map<string, string> {
  return new Map([...series.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value]) => [label!, value!]));
}

/** The labels of `by (…)`. */
export function groupedLabels(expr: string): string[] {
  return [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(', '));
}

/** The numbers with which quantiles are compared. */
export function thresholdsOf(expr: string): number[] {
  const [, threshold] = /^histogram_quantile\(.* > ([\d.]+)$/.exec(expr) ?? [];
  return threshold === undefined ? [] : [Number(threshold)];
}

/** The bounds of the buckets of histograms. */
export function boundsOf(series: readonly LabelledSeries[]): number[] {
  return series.flatMap(({ labels }) => labels.get('le') ?? []).map(Number);
}
