import { Gauge, type Registry } from 'prom-client';

/** How many targets of identities there are by kind and by what became of them: `refused` is what to alert on. Counted at each scrape. */
export function propagationGauge(registry: Registry, states: () => readonly { readonly kind: string; readonly state: string }[]): void {
  new Gauge({
    name: 'cdk8s_aso_credential_propagation_targets',
    help: 'Targets of credential propagation by kind (Secret, ServiceAccount, ConfigMap) and state (propagated, waiting, refused, kept)',
    labelNames: ['kind', 'state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const labels of states()) this.inc(labels);
    },
  });
}
