import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { grantsOf, type Rule } from './rules';
import { userRules } from './user-rules';
import { clusterName, LABELS } from '../names';
import type { PlanForKinds } from '../plan';

const RBAC = 'rbac.authorization.k8s.io';
const MANAGER = 'azureserviceoperator-manager-role';

/** Creates the roles of the controller and of the cluster's users, and their bindings. */
export function makeRoles(scope: Construct, plan: PlanForKinds): void {
  const { cluster, watched, own } = grantsOf(plan);
  const everywhere = plan.targetNamespaces.length === 0;
  makeClusterRole(scope, plan, [...cluster, ...(everywhere ? watched : [])]);
  // Duplicate namespaces are reported at synth.
  for (const namespace of new Set(plan.targetNamespaces)) {
    makeRole(scope, plan, `manager-${namespace}`, namespace, clusterName(MANAGER, plan.namespace), watched);
  }
  makeRole(scope, plan, 'own-namespace', plan.namespace, 'azureserviceoperator-leader-election-role', own);
  if (plan.props.userRoles ?? true) makeUserRoles(scope, plan);
  if (plan.metrics.enabled && plan.metrics.secure) {
    makeUrlReader(scope, plan, 'metrics', ['/metrics', ...(plan.metrics.profiling ? ['/debug/pprof/*'] : [])]);
    if (plan.metrics.ui) makeUrlReader(scope, plan, 'ui', ['/ui']);
  }
}

function makeClusterRole(scope: Construct, plan: PlanForKinds, rules: Rule[]): void {
  if (rules.length === 0) return;
  const name = clusterName(MANAGER, plan.namespace);
  new k8s.KubeClusterRole(scope, 'manager-role', { metadata: { name, labels: LABELS }, rules });
  new k8s.KubeClusterRoleBinding(scope, 'manager-binding', {
    metadata: { name: name.replace('-role', '-rolebinding'), labels: LABELS },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
    subjects: [subjectOf(plan)],
  });
}

function makeRole(scope: Construct, plan: PlanForKinds, id: string, namespace: string, name: string, rules: readonly Rule[]): void {
  if (rules.length === 0) return;
  new k8s.KubeRole(scope, `${id}-role`, { metadata: { name, namespace, labels: LABELS }, rules: [...rules] });
  new k8s.KubeRoleBinding(scope, `${id}-binding`, {
    metadata: { name: name.replace('-role', '-rolebinding'), namespace, labels: LABELS },
    roleRef: { apiGroup: RBAC, kind: 'Role', name },
    subjects: [subjectOf(plan)],
  });
}

function makeUserRoles(scope: Construct, plan: PlanForKinds): void {
  for (const [role, rules] of userRules(plan.kinds)) {
    new k8s.KubeClusterRole(scope, `user-${role}`, {
      metadata: {
        name: clusterName(`azureserviceoperator-${role}`, plan.namespace),
        labels: { ...LABELS, [`${RBAC}/aggregate-to-${role}`]: 'true' },
      },
      rules,
    });
  }
}

/** The ClusterRole for the scraper's service account, or for those who may see the page. The user binds it. */
function makeUrlReader(scope: Construct, plan: PlanForKinds, what: 'metrics' | 'ui', urls: string[]): void {
  new k8s.KubeClusterRole(scope, `${what}-reader`, {
    metadata: { name: clusterName(`azureserviceoperator-${what}-reader`, plan.namespace), labels: LABELS },
    rules: [{ nonResourceUrLs: urls, verbs: ['get'] }],
  });
}

function subjectOf({ serviceAccount, namespace }: PlanForKinds): k8s.Subject {
  return { kind: 'ServiceAccount', name: serviceAccount, namespace };
}
