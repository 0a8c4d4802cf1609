import { KubernetesError, type KubernetesClient, type KubernetesListWatch, type KubernetesObject, type ResourceType } from '../../engine/kubernetes/types';
import { isRecord, member } from '../../src/util/records';
import { listPages } from '../cluster/reader';
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, ROLE_BINDINGS, ROLES } from '../cluster/resource-types';

export interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs?: readonly string[];
}

/** Rules of an account, with the namespace in which they hold; undefined: in all. */
export interface GrantedRules {
  readonly namespace: string | undefined;
  readonly rules: readonly Rule[];
}

export interface Grants {
  readonly granted: readonly GrantedRules[];
  /** Bindings and roles that may grant more, and cannot be judged. */
  readonly unjudged: readonly string[];
}

export interface Account {
  readonly name: string;
  readonly namespace: string;
}

export type RoleReader = Pick<KubernetesClient, 'get'> & Pick<KubernetesListWatch, 'list'>;

/**
 * The rules that a service account of the manifests has when they are applied and the old controller is gone: those of the manifests, and
 * those of the cluster that stay (https://kubernetes.io/docs/reference/access-authn-authz/rbac/).
 * @param removed objects of the old controller, by kind and name: `ClusterRole azureserviceoperator-manager-role`
 */
export async function grantsAfter(
  client: RoleReader, install: readonly KubernetesObject[], account: Account, removed: ReadonlySet<string>,
): Promise<Grants> {
  const roles = new RolesAfter(client, install, account.namespace, removed);
  const granted: GrantedRules[] = [];
  for (const type of [CLUSTER_ROLE_BINDINGS, ROLE_BINDINGS]) {
    for (const binding of await roles.all(type)) {
      if (!isBound(binding, account)) continue;
      const namespace = type.namespaced ? binding.metadata.namespace : undefined;
      granted.push({ namespace, rules: await roles.rulesOf((binding as { readonly roleRef?: unknown }).roleRef, namespace) });
    }
  }
  return { granted, unjudged: [...roles.unjudged].sort() };
}

/** Whether a binding names an account: itself, its user, or a group that each service account is in. */
function isBound(binding: KubernetesObject, { name, namespace }: Account): boolean {
  const { subjects } = binding as { readonly subjects?: unknown };
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return Array.isArray(subjects) && subjects.some((subject) => {
    const called = member(subject, 'name');
    switch (member(subject, 'kind')) {
      case 'ServiceAccount': return called === name && member(subject, 'namespace') === namespace;
      case 'User': return called === `system:serviceaccount:${namespace}:${name}`;
      case 'Group': return groups.some((group) => group === called);
      default: return false;
    }
  });
}

/** Roles and bindings as they are after the installation. */
class RolesAfter {
  public readonly unjudged = new Set<string>();
  private clusterRoles: Promise<readonly KubernetesObject[]> | undefined;

  public constructor(
    private readonly client: RoleReader,
    private readonly install: readonly KubernetesObject[],
    /** That of the old controller, too. */
    private readonly namespace: string,
    private readonly removed: ReadonlySet<string>,
  ) {}

  public async all(type: ResourceType): Promise<readonly KubernetesObject[]> {
    const own = this.install.filter(({ kind }) => kind === type.kind);
    const there = await this.ifAllowed(`the ${type.kind}s of the cluster`, () => listPages(this.client, type)) ?? [];
    const isReplaced = ({ metadata }: KubernetesObject) => (
      own.some((each) => each.metadata.name === metadata.name && (!type.namespaced || each.metadata.namespace === metadata.namespace)));
    return [...own, ...there.filter((object) => !this.goes(type, object.metadata) && !isReplaced(object))];
  }

  public async rulesOf(reference: unknown, namespace: string | undefined): Promise<readonly Rule[]> {
    const [kind, name] = [String(member(reference, 'kind')), String(member(reference, 'name'))];
    if (kind === 'ClusterRole') {
      const found = (await this.allClusterRoles()).find(({ metadata }) => metadata.name === name);
      return found ? this.withAggregated(found, new Set()) : [];
    }
    const own = this.install.find((each) => each.kind === kind && each.metadata.name === name && each.metadata.namespace === namespace);
    if (own) return rulesIn(own);
    if (this.goes(ROLES, { name, ...(namespace !== undefined && { namespace }) })) return [];
    const there = await this.ifAllowed(`the Role ${namespace}/${name}`, () => this.client.get(ROLES, name, namespace));
    return there ? rulesIn(there) : [];
  }

  private allClusterRoles(): Promise<readonly KubernetesObject[]> {
    return this.clusterRoles ??= this.all(CLUSTER_ROLES);
  }

  /** The rules of an aggregated role are those of the roles that it selects. */
  private async withAggregated(role: KubernetesObject, seen: Set<string>): Promise<readonly Rule[]> {
    seen.add(role.metadata.name);
    const selectors = member(member(role, 'aggregationRule'), 'clusterRoleSelectors');
    if (!Array.isArray(selectors)) return rulesIn(role);
    if (selectors.some((selector) => member(selector, 'matchExpressions') !== undefined)) {
      this.unjudged.add(`the ClusterRole ${role.metadata.name}, which selects others by expressions`);
    }
    const rules: Rule[] = [];
    for (const other of await this.allClusterRoles()) {
      const isSelected = selectors.some((selector) => selects(selector, other.metadata.labels ?? {}));
      if (isSelected && !seen.has(other.metadata.name)) rules.push(...await this.withAggregated(other, seen));
    }
    return rules;
  }

  private goes({ kind, namespaced }: ResourceType, { name, namespace }: { readonly name: string; readonly namespace?: string }): boolean {
    return this.removed.has(`${kind} ${name}`) && (!namespaced || namespace === this.namespace);
  }

  private async ifAllowed<T>(what: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 403) throw error;
      this.unjudged.add(`${what}, which this user may not read`);
      return undefined;
    }
  }
}

function rulesIn(role: KubernetesObject): readonly Rule[] {
  const { rules } = role as { readonly rules?: unknown };
  return Array.isArray(rules) ? rules.filter(isRecord) : [];
}

/** By labels; expressions are not judged. */
function selects(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  if (member(selector, 'matchExpressions') !== undefined) return false;
  const wanted = member(selector, 'matchLabels');
  return Object.entries(isRecord(wanted) ? wanted : {}).every(([key, value]) => labels[key] === value);
}
