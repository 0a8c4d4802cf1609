import type { PropagationKind } from '../../azure/credential-propagation';
import { Catalog } from '../../catalog/catalog';
import { WEBHOOK_SECRET, webhookConfigurations } from '../../catalog/webhook-configurations';
import { CrdInstallation } from '../bundled-controller-props';
import { WorkloadIdentityMode } from '../controller-settings';
import type { KindInUse } from '../kinds-in-use';
import { LEASE, WORKLOAD_SERVICE_ACCOUNT } from '../names';
import { servedVersions, type PlanForKinds } from '../plan';

/** A rule of `rbac.authorization.k8s.io/v1`. */
export interface Rule {
  readonly apiGroups: string[];
  readonly resources: string[];
  readonly verbs: string[];
  readonly resourceNames?: string[];
}

/** The RBAC rules of the controller. */
export interface Grants {
  /** Rules for cluster-scoped objects. */
  readonly cluster: readonly Rule[];
  /** Rules in the watched namespaces. */
  readonly watched: readonly Rule[];
  /** Rules in the controller's own namespace. */
  readonly own: readonly Rule[];
}

/**
 * The least privileges of the controller: each verb stands for a request that the controller sends. test/operator/least-privilege.test.ts
 * removes each verb and checks which function breaks.
 */
export function grantsOf(plan: PlanForKinds): Grants {
  const { hasWatchers } = plan;
  return {
    cluster: [
      // The controller reads the policy annotation of namespaces.
      ...(hasWatchers ? [
        rule('', ['namespaces'], ['list', 'watch']),
        // The controller removes the finalizer of a namespace's guard rails when the Namespace is gone.
        rule('admissionregistration.k8s.io', ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'], ['list', 'watch', 'patch']),
      ] : []),
      ...crdRules(plan),
      ...ownCertificateRules(plan),
      ...(plan.metrics.enabled && plan.metrics.secure ? [
        rule('authentication.k8s.io', ['tokenreviews'], ['create']),
        rule('authorization.k8s.io', ['subjectaccessreviews'], ['create']),
      ] : []),
    ],
    watched: hasWatchers ? watchedRules(plan) : [],
    own: [
      ...(hasWatchers ? [
        // RBAC cannot restrict create by resource name.
        rule('coordination.k8s.io', ['leases'], ['create']),
        // Each start of a replica has a Lease with a name of its own.
        ...(plan.props.shards
          ? [rule('coordination.k8s.io', ['leases'], ['get', 'list', 'update', 'delete'])]
          : [rule('coordination.k8s.io', ['leases'], ['get', 'update'], [LEASE])]),
      ] : []),
      ...(plan.webhooks === 'own' ? [
        rule('', ['secrets'], ['create']),
        rule('', ['secrets'], ['get', 'update'], [WEBHOOK_SECRET]),
      ] : []),
    ],
  };
}

function watchedRules(plan: PlanForKinds): Rule[] {
  const { settings = {}, ownerReferencesPermissionEnforcement: enforced = false } = plan.props;
  // The controller deletes propagated objects itself: owner references do not work across namespaces.
  const removing = (kind: PropagationKind) => (enforced || plan.propagation.has(kind) ? ['delete'] : []);
  return [
    ...kindRules(plan, enforced ? ['delete'] : []),
    // The controller creates and replaces exports, and reads them again after a conflict.
    rule('', ['configmaps'], ['get', 'list', 'watch', 'create', 'update', ...removing('ConfigMap')]),
    // The controller sets the finalizer of credentials in use with a patch.
    rule(
      '',
      ['secrets'],
      ['get', 'list', 'watch', 'create', 'update', ...(settings.protectCredentials === false ? [] : ['patch']), ...removing('Secret')],
    ),
    ...(plan.propagation.has('ServiceAccount') ? [rule('', ['serviceaccounts'], ['list', 'watch', 'patch'])] : []),
    rule('', ['events'], ['create', 'patch']),
    ...(settings.workloadIdentityMode === WorkloadIdentityMode.STRICT
      ? [rule('', ['serviceaccounts/token'], ['create'], [WORKLOAD_SERVICE_ACCOUNT])]
      : []),
  ];
}

function kindRules(plan: PlanForKinds, more: string[]): Rule[] {
  // The controller gets a single object only in the version that it was applied in, if that is not the watched version.
  const several = new Set([...plan.kinds.values()].filter((inUse) => mayHaveSeveralVersions(plan, inUse)).map(({ kind }) => kind.crdName));
  return [...byGroup(plan.kinds)].flatMap(([group, plurals]) => {
    const read = plurals.filter((plural) => several.has(`${plural}.${group}`));
    return [
      rule(group, plurals, ['list', 'watch', 'patch', ...more]),
      ...(read.length > 0 ? [rule(group, read, ['get'])] : []),
      rule(group, plurals.map((plural) => `${plural}/status`), ['update']),
    ];
  });
}

function mayHaveSeveralVersions(plan: PlanForKinds, inUse: KindInUse): boolean {
  return (plan.crds === CrdInstallation.MANIFESTS ? servedVersions(plan, inUse) : inUse.kind.versionNames).length > 1;
}

/** Plurals by API group. */
export function byGroup(kinds: PlanForKinds['kinds']): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { kind } of [...kinds.values()].sort((a, b) => (a.kind.crdName < b.kind.crdName ? -1 : 1))) {
    groups.set(kind.group, [...(groups.get(kind.group) ?? []), kind.facts.plural]);
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function crdRules({ crds, webhooks, hasWatchers }: PlanForKinds): Rule[] {
  const installs = crds === CrdInstallation.CONTROLLER;
  // The controller lists CRDs to find the served kinds, outdated CRDs, and the CRDs whose caBundle it has to set.
  const verbs = [
    ...(hasWatchers || installs || webhooks === 'own' ? ['list'] : []),
    ...(hasWatchers ? ['watch'] : []),
    ...(installs ? ['create'] : []),
  ];
  const everywhere = verbs.length > 0 ? [rule('apiextensions.k8s.io', ['customresourcedefinitions'], verbs)] : [];
  if (!installs) return everywhere;
  // The controller also updates installed CRDs of Azure kinds that are not in use here; CRDs of other projects are out of its reach.
  const names = Catalog.default().allKinds.map(({ crdName }) => crdName).sort();
  return [
    ...everywhere,
    rule('apiextensions.k8s.io', ['customresourcedefinitions'], ['get', 'update'], names),
    ...(hasWatchers ? [rule('apiextensions.k8s.io', ['customresourcedefinitions/status'], ['patch'], names)] : []),
  ];
}

/** Rules to set the caBundle for the controller's own certificate in webhook configurations and CRDs. */
function ownCertificateRules(plan: PlanForKinds): Rule[] {
  if (plan.webhooks !== 'own') return [];
  const kinds = [...plan.kinds.values()];
  const configurations = webhookConfigurations(
    kinds.map(({ kind }) => kind),
    { namespace: plan.namespace },
  );
  const named = (kind: string) =>
    configurations.filter((configuration) => configuration.kind === kind).map(({ metadata }) => metadata.name);
  const converted =
    plan.crds === CrdInstallation.CONTROLLER
      ? Catalog.default()
        .allKinds.filter(({ versionNames }) => versionNames.length > 1)
        .map(({ crdName }) => crdName)
      : kinds.filter((inUse) => servedVersions(plan, inUse).length > 1).map(({ kind }) => kind.crdName);
  return [
    rule('admissionregistration.k8s.io', ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'], ['list']),
    rule('admissionregistration.k8s.io', ['mutatingwebhookconfigurations'], ['patch'], named('MutatingWebhookConfiguration')),
    rule('admissionregistration.k8s.io', ['validatingwebhookconfigurations'], ['patch'], named('ValidatingWebhookConfiguration')),
    // The right to list implies the right to read: the controller searches all CRDs for its own service. It may patch only those that have
    // it.
    rule('apiextensions.k8s.io', ['customresourcedefinitions'], ['get']),
    ...(converted.length > 0 ? [rule('apiextensions.k8s.io', ['customresourcedefinitions'], ['patch'], converted.sort())] : []),
  ];
}

function rule(group: string, resources: string[], verbs: string[], resourceNames?: string[]): Rule {
  return { apiGroups: [group], resources, verbs, ...(resourceNames && { resourceNames }) };
}
