import type { ApiFacts, ComposedKindFacts } from './api-facts';
import { groupBy } from '../../src/util/group-by';
import type { Struct } from '../../src/util/records';
import { webhookSecret } from '../webhooks/webhook-names';

export interface RightsOptions {
  /** Name of the composer: of its ServiceAccount, its roles and their bindings. */
  readonly name: string;
  /** Namespace of the composer. */
  readonly namespace: string;
  /** Whether the composer reviews claims before they are stored. */
  readonly admission?: boolean;
  /** Whether cert-manager makes the certificate of the webhooks, and writes its authority. */
  readonly certManager?: boolean;
}

/** The rights of a composer, or the kinds whose plural nothing knows. */
export interface ComposerRights {
  readonly manifests: readonly Struct[];
  /** Entries of `composes` and `reads` without a plural. */
  readonly unknown: readonly (ComposedKindFacts & { readonly member: 'composes' | 'reads' })[];
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const API = 'rbac.authorization.k8s.io';
const ADMINISTRATIVE: readonly string[] = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'];

/** ServiceAccount, roles and bindings for exactly what the definitions compose and read. */
export function composerRights(definitions: readonly ApiFacts[], options: RightsOptions): ComposerRights {
  const { name, namespace, admission = false, certManager = false } = options;
  const composed = definitions.flatMap(({ composes }) => composes);
  const read = definitions.flatMap(({ reads }) => reads);
  const unknown = (['composes', 'reads'] as const).flatMap((member) => definitions.flatMap((definition) => definition[member])
    .filter(({ plural }) => plural === undefined).map((one) => ({ ...one, member })));
  const several = convertedCrds(definitions);
  const converted = certManager ? [] : several;
  const writesReviews = admission && !certManager;
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': 'composer' };
  // Two composers of one name, in two namespaces, do not share their cluster role.
  const metadata = (inNamespace: boolean) => (inNamespace ? { name, namespace, labels } : { name: `${name}.${namespace}`, labels });
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const role = (kind: 'ClusterRole' | 'Role', rules: readonly Rule[]): Struct[] => [
    { apiVersion: `${API}/v1`, kind, metadata: metadata(kind === 'Role'), rules },
    {
      apiVersion: `${API}/v1`,
      kind: `${kind}Binding`,
      metadata: metadata(kind === 'Role'),
      roleRef: { apiGroup: API, kind, name: metadata(kind === 'Role').name },
      subjects,
    },
  ];
  const manifests = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(true) },
    ...role('ClusterRole', [
      ...byGroup(definitions).flatMap(([group, plurals]) => [
        rule(group, plurals, ['get', 'list', 'watch', 'patch']),
        rule(group, plurals.map((plural) => `${plural}/status`), ['update']),
      ]),
      ...byGroup(composed).map(([group, plurals]) => rule(group, plurals, ['get', 'list', 'watch', 'create', 'patch', 'delete'])),
      ...byGroup(read).map(([group, plurals]) => rule(group, plurals, ['get', 'list', 'watch'])),
      ...definitions.flatMap(({ rights = [] }) => rights),
      ...(definitions.some(({ configMapOutputs }) => configMapOutputs) ? [rule('', ['configmaps'], ['get'])] : []),
      rule('', ['events'], ['create', 'patch']),
      rule('apiextensions.k8s.io', ['customresourcedefinitions'], ['get', 'list', 'watch']),
      ...(converted.length > 0 ? [rule('apiextensions.k8s.io', ['customresourcedefinitions'], ['patch'], converted)] : []),
      ...(several.length > 0 ? [rule('apiextensions.k8s.io', ['customresourcedefinitions/status'], ['update'], several)] : []),
      ...(writesReviews ? [
        rule('admissionregistration.k8s.io', ['validatingwebhookconfigurations'], ['list']),
        rule('admissionregistration.k8s.io', ['validatingwebhookconfigurations'], ['patch'], [`${name}.${namespace}`]),
      ] : []),
    ]),
    ...role('Role', [
      rule('coordination.k8s.io', ['leases'], ['get', 'create', 'update']),
      ...(converted.length > 0 || writesReviews ? [rule('', ['secrets'], ['create']), rule('', ['secrets'], ['get', 'update'], [webhookSecret(name)])] : []),
    ]),
  ];
  return { manifests, unknown };
}

/** CRDs with several versions, between which the composer converts. */
export function convertedCrds(definitions: readonly ApiFacts[]): readonly string[] {
  return definitions.filter(({ versions }) => versions.length > 1).map(({ plural, group }) => `${plural}.${group}`);
}

/**
 * Kinds with which the API server asks for the rights that they give: a role gives none that its author does not have. Without those of
 * definitions that name these rights.
 */
export function administrativeKinds(definitions: readonly ApiFacts[]): readonly string[] {
  const composed = definitions.filter(({ rights }) => !rights).flatMap(({ composes }) => composes);
  const kinds = composed.filter(({ group, kind }) => group === API && ADMINISTRATIVE.includes(kind));
  return [...new Set(kinds.map(({ kind }) => kind))];
}

function byGroup(kinds: readonly { readonly group: string; readonly plural?: string }[]): [string, string[]][] {
  const known = kinds.flatMap(({ group, plural }) => (plural === undefined ? [] : [{ group, plural }]));
  return [...groupBy(known, ({ group }) => group)].sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, own]) => [group, [...new Set(own.map(({ plural }) => plural))].sort()]);
}

function rule(group: string, resources: readonly string[], verbs: readonly string[], resourceNames?: readonly string[]): Rule {
  return { apiGroups: [group], resources, verbs, ...(resourceNames && { resourceNames }) };
}
