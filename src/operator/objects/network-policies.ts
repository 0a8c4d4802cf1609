import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { LABELS, PORTS } from '../names';
import type { Plan, PlanForKinds } from '../plan';

const ANYWHERE = '0.0.0.0/0';
/** Ports of the database servers in which the controller creates users and databases over the servers' own protocols. */
const DATABASE_PORTS: readonly (readonly [group: string, kind: string, port: number])[] = [
  ['databases.aso.cdk8s.io', 'DatabaseAccess', 1433],
  ['databases.aso.cdk8s.io', 'DatabaseAccess', 3306],
  ['databases.aso.cdk8s.io', 'DatabaseAccess', 5432],
  ['dbformysql.azure.com', 'User', 3306],
  ['dbforpostgresql.azure.com', 'User', 5432],
  ['sql.azure.com', 'User', 1433],
];

/** Allows ingress to the health, webhook and metrics ports only. A policy cannot name the API server, which calls the webhooks. */
export function makeIngressPolicy(scope: Construct, plan: Plan): void {
  if (!policies(plan)) return;
  const { webhookClientCidrs: cidrs } = plan.props.network ?? {};
  const hasWebhooks = plan.webhooks !== 'none';
  const ports = [PORTS.health, ...(hasWebhooks && !cidrs ? [PORTS.webhooks] : []), ...(plan.metrics.enabled ? [PORTS.metrics] : [])];
  const webhooks = hasWebhooks && cidrs ? [{ from: cidrs.map((cidr) => ({ ipBlock: { cidr } })), ports: [tcp(PORTS.webhooks)] }] : [];
  new k8s.KubeNetworkPolicy(scope, 'ingress-policy', {
    metadata: { name: 'azure-service-operator-allow-ingress', namespace: plan.namespace, labels: LABELS },
    spec: {
      podSelector: { matchLabels: LABELS },
      policyTypes: ['Ingress'],
      ingress: [{ ports: ports.map((port) => tcp(port)) }, ...webhooks],
    },
  });
}

export function makeEgressPolicy(scope: Construct, plan: PlanForKinds): void {
  if (!policies(plan)) return;
  const { apiServerPort = 6443, apiServerCidr = ANYWHERE } = plan.props.network ?? {};
  const names = new Set([...plan.kinds.values()].map(({ kind }) => `${kind.group}/${kind.kind}`));
  const databases =
    plan.hasWatchers && plan.props.settings?.databaseUsers !== false
      ? DATABASE_PORTS.filter(([group, kind]) => names.has(`${group}/${kind}`))
      : [];
  new k8s.KubeNetworkPolicy(scope, 'egress-policy', {
    metadata: { name: 'azure-service-operator-allow-egress', namespace: plan.namespace, labels: LABELS },
    spec: {
      podSelector: { matchLabels: LABELS },
      policyTypes: ['Egress'],
      egress: [
        { ports: [{ protocol: 'UDP', port: k8s.IntOrString.fromNumber(53) }, tcp(53)] },
        { ports: [tcp(443)] },
        { to: [{ ipBlock: { cidr: apiServerCidr } }], ports: [tcp(apiServerPort)] },
        ...[...new Set(databases.map(([, , port]) => port))].map((port) => ({ ports: [tcp(port)] })),
      ],
    },
  });
}

function policies({ props }: Plan): boolean {
  return props.network?.policies ?? true;
}

function tcp(port: number): k8s.NetworkPolicyPort {
  return { protocol: 'TCP', port: k8s.IntOrString.fromNumber(port) };
}
