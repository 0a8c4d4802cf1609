/** A controller's requests to the API server so far, by its metrics; watches included. */
export interface KubernetesTraffic {
  /** By method, and by code where it is no success. */
  readonly requests: ReadonlyMap<string, number>;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** @param metrics what the controller serves under `/metrics` */
export function kubernetesTraffic(metrics: string): KubernetesTraffic {
  const requests = new Map<string, number>();
  for (const [, code, method, count] of metrics.matchAll(/^rest_client_requests_total\{code="([^"]*)",method="([^"]*)"[^}]*\} (\S+)$/gm)) {
    const name = Number(code) < 300 ? method! : `${method} ${code}`;
    requests.set(name, (requests.get(name) ?? 0) + Number(count));
  }
  const bytes = (direction: string) =>
    Number(new RegExp(`^cdk8s_aso_kubernetes_bytes_total\\{direction="${direction}"\\} (\\S+)$`, 'm').exec(metrics)?.[1] ?? 0);
  return { requests, sentBytes: bytes('sent'), receivedBytes: bytes('received') };
}

/** The traffic of several controllers together. */
export function sumOfTraffic(all: readonly KubernetesTraffic[]): KubernetesTraffic {
  const requests = new Map<string, number>();
  for (const [name, count] of all.flatMap((one) => [...one.requests])) requests.set(name, (requests.get(name) ?? 0) + count);
  const sum = (value: (one: KubernetesTraffic) => number) => all.reduce((total, one) => total + value(one), 0);
  return { requests, sentBytes: sum(({ sentBytes }) => sentBytes), receivedBytes: sum(({ receivedBytes }) => receivedBytes) };
}

export function trafficBetween(before: KubernetesTraffic, after: KubernetesTraffic): KubernetesTraffic {
  return {
    requests: new Map([...after.requests].map(([name, count]) => [name, count - (before.requests.get(name) ?? 0)])),
    sentBytes: after.sentBytes - before.sentBytes,
    receivedBytes: after.receivedBytes - before.receivedBytes,
  };
}

/** @param objects among which the traffic is divided */
export function trafficRows(traffic: KubernetesTraffic, objects: number): { what: string; value: number | string }[] {
  const { requests, sentBytes, receivedBytes } = traffic;
  const rounded = (value: number, digits: number) => Number((value / objects).toFixed(digits));
  const counts = [...requests].filter(([, count]) => count > 0);
  return [
    { what: 'API server: requests per object to Ready', value: rounded(counts.reduce((sum, [, count]) => sum + count, 0), 2) },
    { what: '… by method', value: counts.map(([name, count]) => `${rounded(count, 2)} ${name}`).join(', ') },
    { what: 'API server: KiB sent per object', value: rounded(sentBytes / 1024, 1) },
    { what: 'API server: KiB received per object, watches included', value: rounded(receivedBytes / 1024, 1) },
  ];
}
