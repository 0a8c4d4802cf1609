import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import type { Right } from '../../cluster/access-rights';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/**
 * The rights of a composer's roles as questions about this user, who is the composer on a desk.
 * @param installsCrds whether it creates and changes CRDs, too
 */
export function deskRights(roles: readonly KubernetesObject[], installsCrds: boolean): Right[] {
  const rights = roles.filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role').flatMap((role) => {
    const { namespace } = role.metadata;
    const { rules } = role as unknown as { readonly rules: readonly Rule[] };
    return rules.flatMap(({ apiGroups: [group = ''], resources, verbs }) => resources.map((resource): Right => {
      const [plural = '', subresource] = resource.split('/');
      const type = { group, version: '*', plural, kind: '', namespaced: group !== CRD_KIND.group };
      return { type, verbs, ...(subresource !== undefined && { subresource }), ...(namespace !== undefined && { namespace }) };
    }));
  });
  return [...rights, ...(installsCrds ? [{ type: CRD_KIND, verbs: ['create', 'patch'] }] : [])];
}
