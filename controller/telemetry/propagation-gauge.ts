import { Gauge, type Registry } from 'prom-client';

/** Number of targets of identities, by kind and state; alert on `refused`. Counted at each scrape. */
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
