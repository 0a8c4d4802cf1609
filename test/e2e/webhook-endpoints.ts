import { networkInterfaces } from 'node:os';

/** An address of this machine that an endpoint may have. */
export const address = Object.values(networkInterfaces()).flat().find((one) => one?.family === 'IPv4' && !one.internal)?.address;
/** Of the composer. */
export const NAMESPACE = 'cdk8s-aso-composer';

/** The Service of a composer's webhooks, with this machine as its endpoint. The API server needs `--enable-aggregator-routing`. */
export function endpointsOf(port: number): object[] {
  const name = 'composer-webhooks';
  const metadata = { name, namespace: NAMESPACE };
  const ports = [{ name: 'webhooks', port, protocol: 'TCP' }];
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ name: 'webhooks', port: 443, protocol: 'TCP', targetPort: port }] } },
    { apiVersion: 'v1', kind: 'Endpoints', metadata, subsets: [{ addresses: [{ ip: address }], ports }] },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': name } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports,
    },
  ];
}
