import { Gauge, type Registry } from 'prom-client';

/** How many targets of identities there are by kind and by what became of them: `refused` is what to alert on. Counted when somebody asks. */
export function propagationGauge(registry: Registry, states: () => readonly { readonly kind: string; readonly state: string }[]): void {
  new Gauge({
    name: 'cdk8s_aso_credential_feeds',
    help: 'Secrets, ServiceAccounts and ConfigMaps that identities are fed to, by kind and state (fed, waiting, refused, kept)',
    labelNames: ['kind', 'state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const labels of states()) this.inc(labels);
    },
  });
}
