import { stringify } from 'yaml';

/** A kubeconfig for a server that asks for no credential. Some clients talk plain HTTP only where they are told not to verify. */
export function kubeconfigFor(url: string): string {
  return stringify({
    'apiVersion': 'v1',
    'kind': 'Config',
    'clusters': [{ name: 'sandbox', cluster: { 'server': url, 'insecure-skip-tls-verify': true } }],
    'users': [{ name: 'sandbox', user: {} }],
    'contexts': [{ name: 'sandbox', context: { cluster: 'sandbox', user: 'sandbox', namespace: 'default' } }],
    'current-context': 'sandbox',
  });
}
