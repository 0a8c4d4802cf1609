import { Metrics } from '../../../controller/metrics';

/** Events that metrics count in tests, and samples of metrics. */

export const KEY = { group: 'storage.azure.com', kind: 'StorageAccount', namespace: 'default', name: 'a' };
export const CONTROLLER = 'storageazurecom_storageaccount';
export const ARM = { resource: 'Microsoft.Storage/storageAccounts', requestType: 'PUT' };
export const request = { method: 'PUT' as const, resource: ARM.resource, path: '/', seconds: 0.2 };

/** A series, the event that changes it, its labels and its value then. */
export type MetricCase = readonly [
  series: string, act: (metrics: Metrics) => void, labels: Readonly<Record<string, string>>, value: number | 'positive',
];

export function after(act: (metrics: Metrics) => void): Metrics {
  const metrics = new Metrics();
  act(metrics);
  return metrics;
}

/** Checks the value after the event; before it there is nothing, or a zero. */
export async function expectCounted([series, act, labels, value]: MetricCase): Promise<void> {
  const found = await sample(after(act), series, labels);
  if (value === 'positive') expect(found).toBeGreaterThan(0);
  else expect(found).toBe(value);
  if (!series.startsWith('process_')) expect((await sample(after(() => undefined), series, labels)) ?? 0).toBe(0);
}

async function sample(metrics: Metrics, series: string, labels: Readonly<Record<string, string>>): Promise<number | undefined> {
  const lines = (await metrics.registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith(`${series}{`) || line.startsWith(`${series} `));
  const fits = lines.find((line) => Object.entries(labels).every(([label, text]) => line.includes(`${label}="${text}"`)));
  return fits === undefined ? undefined : Number(fits.slice(fits.lastIndexOf(' ') + 1));
}
