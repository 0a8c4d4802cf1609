import { isRecord } from '../../../src/util/records';
import { type StoredObject } from '../objects';
import type { Store } from '../storage/store';

const RBAC = 'rbac.authorization.k8s.io';

export interface User {
  readonly username: string;
  readonly groups: readonly string[];
}

/** `spec` of an access review, without the user. */
export interface Wish {
  readonly resourceAttributes?: Readonly<Record<string, unknown>>;
  readonly nonResourceAttributes?: Readonly<Record<string, unknown>>;
}

/**
 * Whether the stored roles and bindings allow it, by the rules of https://kubernetes.io/docs/reference/access-authn-authz/rbac/; answers
 * the binding that does. Aggregated ClusterRoles have only the rules that are written in them.
 */
export function allowedBy(store: Store, user: User, wish: Wish): string | undefined {
  const namespace = text(wish.resourceAttributes?.namespace);
  const cluster = store.list(`clusterrolebindings.${RBAC}`);
  const local = namespace === '' ? [] : store.list(`rolebindings.${RBAC}`, namespace);
  const binding = [...cluster, ...local].find(
    (one) => list(one, 'subjects').some((subject) => isSubject(subject, user, one)) && rulesOf(store, one).some((rule) => fits(rule, wish)),
  );
  return binding && `${binding.kind} "${binding.metadata.name}"`;
}

function rulesOf(store: Store, binding: StoredObject): Record<string, unknown>[] {
  const { kind, name } = member(binding, 'roleRef');
  const role = kind === 'Role'
    ? store.get(`roles.${RBAC}`, binding.metadata.namespace ?? '', text(name))
    : store.get(`clusterroles.${RBAC}`, '', text(name));
  return role ? list(role, 'rules') : [];
}

function isSubject({ kind, name, namespace }: Record<string, unknown>, { username, groups }: User, binding: StoredObject): boolean {
  if (kind === 'User') return name === username;
  if (kind === 'Group') return groups.includes(text(name));
  return kind === 'ServiceAccount' && username === `system:serviceaccount:${text(namespace) || binding.metadata.namespace}:${text(name)}`;
}

function fits(rule: Record<string, unknown>, { resourceAttributes, nonResourceAttributes }: Wish): boolean {
  const has = (name: string, wanted: string) => texts(rule[name]).some((one) => one === '*' || one === wanted);
  if (nonResourceAttributes) {
    const path = text(nonResourceAttributes.path);
    const named = texts(rule.nonResourceURLs).some((one) => one === path || (one.endsWith('*') && path.startsWith(one.slice(0, -1))));
    return named && has('verbs', text(nonResourceAttributes.verb));
  }
  const { group, resource, subresource, name, verb } = resourceAttributes ?? {};
  const names = texts(rule.resourceNames);
  const what = text(subresource) === '' ? text(resource) : `${text(resource)}/${text(subresource)}`;
  const resources = has('resources', what) || (text(subresource) !== '' && texts(rule.resources).includes(`*/${text(subresource)}`));
  return has('verbs', text(verb)) && has('apiGroups', text(group)) && resources && (names.length === 0 || names.includes(text(name)));
}

function member(object: object, name: string): Record<string, unknown> {
  const value = (object as Record<string, unknown>)[name];
  return isRecord(value) ? value : {};
}

function list(object: object, name: string): Record<string, unknown>[] {
  const value = (object as Record<string, unknown>)[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
