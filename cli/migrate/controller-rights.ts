import { TARGET_NAMESPACES } from './asos-installation';
import type { KindObjects } from './cluster-state';
import { secretsOf, secretsWith, settingOf } from './controller-settings';
import { stop, type Finding } from './finding';
import { typeOf } from './migrated-kinds';
import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../engine/kubernetes/types';
import { isRecord, member } from '../../src/util/records';
import { rightTexts, type Right } from '../cluster/access-rights';
import { CLUSTER_ROLES, ROLES } from '../cluster/resource-types';

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs?: readonly string[];
}

/** Rules of an account, with the namespace in which they hold; undefined: in all. */
interface Granted {
  readonly namespace: string | undefined;
  readonly rules: readonly Rule[];
}

/**
 * Rights on the objects of the cluster that the roles of the manifests do not give the new controller. Roles of ASO have the same names,
 * and go with it: what the account may do today tells nothing.
 */
export async function controllerRightFindings(
  client: KubernetesClient, install: readonly KubernetesObject[], kinds: readonly KindObjects[], removed: ReadonlySet<string>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const deployment of install.filter(({ kind }) => kind === 'Deployment')) {
    const { namespace = '' } = deployment.metadata;
    const account = String(member(member(member(deployment.spec, 'template'), 'spec'), 'serviceAccountName') ?? 'default');
    const targets = await targetsOf(client, deployment, install);
    const granted = await grantedTo(client, install, { name: account, namespace }, removed);
    const missing = kinds.flatMap(({ kind, objects }): Right[] => {
      const namespaces = [...new Set(objects.map(({ metadata }) => metadata.namespace ?? ''))].filter((each) => targets.length === 0 || targets.includes(each));
      const type = typeOf(kind, kind.to);
      const needed: Right[] = namespaces.flatMap((at) => [
        { type, verbs: ['list', 'patch', 'watch'], namespace: at }, { type, subresource: 'status', verbs: ['update'], namespace: at },
      ]);
      return needed.flatMap((right) => {
        const verbs = right.verbs.filter((verb) => !isGranted(granted, right, verb));
        return verbs.length > 0 ? [{ ...right, verbs }] : [];
      });
    });
    for (const text of rightTexts(missing)) {
      findings.push(stop('rights', `the service account ${namespace}/${account} of --install may not ${text}`, 'add the kinds to the controller (kinds: …), or roles and bindings for them to --install'));
    }
  }
  return findings;
}

async function targetsOf(client: KubernetesClient, deployment: KubernetesObject, install: readonly KubernetesObject[]): Promise<string[]> {
  const secrets = secretsWith(install, secretsOf(client, deployment.metadata.namespace ?? ''));
  const text = await settingOf(deployment, TARGET_NAMESPACES, secrets);
  return text.split(',').map((part) => part.trim()).filter((part) => part !== '');
}

async function grantedTo(
  client: KubernetesClient,
  install: readonly KubernetesObject[],
  account: { readonly name: string; readonly namespace: string },
  removed: ReadonlySet<string>,
): Promise<Granted[]> {
  const granted: Granted[] = [];
  for (const binding of install.filter(({ kind }) => kind === 'ClusterRoleBinding' || kind === 'RoleBinding')) {
    const { subjects, roleRef } = binding as { readonly subjects?: unknown; readonly roleRef?: unknown };
    const isBound = Array.isArray(subjects) && subjects.some((each) => (
      member(each, 'kind') === 'ServiceAccount' && member(each, 'name') === account.name && member(each, 'namespace') === account.namespace));
    if (!isBound) continue;
    const [kind, name] = [String(member(roleRef, 'kind')), String(member(roleRef, 'name'))];
    const namespace = binding.kind === 'RoleBinding' ? binding.metadata.namespace : undefined;
    const role = install.find((each) => each.kind === kind && each.metadata.name === name && (kind === 'ClusterRole' || each.metadata.namespace === namespace))
      ?? (removed.has(`${kind} ${name}`) ? undefined : await roleInCluster(client, kind, name, namespace));
    const { rules } = (role ?? {}) as { readonly rules?: unknown };
    if (Array.isArray(rules)) granted.push({ namespace, rules: rules.filter(isRecord) });
  }
  return granted;
}

async function roleInCluster(
  client: KubernetesClient, kind: string, name: string, namespace: string | undefined,
): Promise<KubernetesObject | undefined> {
  try {
    return await (kind === 'ClusterRole' ? client.get(CLUSTER_ROLES, name) : client.get(ROLES, name, namespace));
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 403) return undefined;
    throw error;
  }
}

function isGranted(granted: readonly Granted[], { type, subresource, namespace }: Right, verb: string): boolean {
  const resource = subresource === undefined ? type.plural : `${type.plural}/${subresource}`;
  const has = (values: readonly string[] | undefined, ...wanted: string[]) => values?.some((value) => value === '*' || wanted.includes(value)) ?? false;
  return granted.some((each) => (each.namespace === undefined || each.namespace === namespace) && each.rules.some((rule) => (
    has(rule.apiGroups, type.group) && has(rule.resources, resource, subresource === undefined ? resource : `*/${subresource}`) && has(rule.verbs, verb) && !rule.resourceNames)));
}
