import { TARGET_NAMESPACES } from './asos-installation';
import type { KindObjects } from './cluster-state';
import { secretsOf, secretsWith, settingOf } from './controller-settings';
import { stop, warning, type Finding } from './finding';
import { grantsAfter, type GrantedRules, type RoleReader } from './granted-rules';
import { typeOf } from './migrated-kinds';
import type { KubernetesClient, KubernetesObject } from '../../engine/kubernetes/types';
import { member } from '../../src/util/records';
import { listed } from '../../src/util/words';
import { rightTexts, type Right } from '../cluster/access-rights';

/**
 * Rights on the objects of the cluster that neither the roles of the manifests nor those that stay in the cluster give the new controller.
 * Roles of ASO have the same names, and go with it: what the account may do today tells nothing.
 */
export async function controllerRightFindings(
  client: KubernetesClient & RoleReader, install: readonly KubernetesObject[], kinds: readonly KindObjects[], removed: ReadonlySet<string>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const deployment of install.filter(({ kind }) => kind === 'Deployment')) {
    const { namespace = '' } = deployment.metadata;
    const account = String(member(member(member(deployment.spec, 'template'), 'spec'), 'serviceAccountName') ?? 'default');
    const targets = await targetsOf(client, deployment, install);
    const { granted, unjudged } = await grantsAfter(client, install, { name: account, namespace }, removed);
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
      const message = `the service account ${namespace}/${account} of --install may not ${text}`;
      findings.push(unjudged.length === 0
        ? stop('rights', message, 'add the kinds to the controller (kinds: …), or roles and bindings for them to --install')
        : warning('rights', `${message}, unless it is granted by ${listed(unjudged)}`, 'see whether it is; else add the kinds to the controller (kinds: …)'));
    }
  }
  return findings;
}

async function targetsOf(client: KubernetesClient, deployment: KubernetesObject, install: readonly KubernetesObject[]): Promise<string[]> {
  const secrets = secretsWith(install, secretsOf(client, deployment.metadata.namespace ?? ''));
  const text = await settingOf(deployment, TARGET_NAMESPACES, secrets);
  return text.split(',').map((part) => part.trim()).filter((part) => part !== '');
}

function isGranted(granted: readonly GrantedRules[], { type, subresource, namespace }: Right, verb: string): boolean {
  const resource = subresource === undefined ? type.plural : `${type.plural}/${subresource}`;
  const has = (values: readonly string[] | undefined, ...wanted: string[]) => values?.some((value) => value === '*' || wanted.includes(value)) ?? false;
  return granted.some((each) => (each.namespace === undefined || each.namespace === namespace) && each.rules.some((rule) => (
    has(rule.apiGroups, type.group) && has(rule.resources, resource, subresource === undefined ? resource : `*/${subresource}`) && has(rule.verbs, verb) && (rule.resourceNames ?? []).length === 0)));
}
