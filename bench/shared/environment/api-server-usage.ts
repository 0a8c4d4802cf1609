import type { Connection } from '../../../engine/kubernetes';

/** The memory, processor time and storage that a kube-apiserver has used so far. */
export interface ApiServerUsage {
  readonly residentMiB: number;
  readonly cpuSeconds: number;
  /** Size of etcd's database: what is in use and what is free. */
  readonly storageMiB: number;
}

/** @see https://kubernetes.io/docs/reference/instrumentation/metrics/ */
export async function apiServerUsage(connection: Connection): Promise<ApiServerUsage> {
  const { status, text } = await connection.request({ method: 'GET', path: '/metrics' });
  if (status !== 200) throw new Error(`the API server answered ${status} to GET /metrics`);
  const sum = (name: string) => {
    const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value));
    if (values.length === 0) throw new Error(`the metrics of the API server have no ${name}`);
    return values.reduce((total, value) => total + value, 0);
  };
  return {
    residentMiB: sum('process_resident_memory_bytes') / 1024 ** 2,
    cpuSeconds: sum('process_cpu_seconds_total'),
    storageMiB: sum('apiserver_storage_size_bytes') / 1024 ** 2,
  };
}
