import { stop, type Finding } from './finding';
import { messageIn } from './message-in';
import type { Connection } from '../../engine/kubernetes';
import { objectPath } from '../../engine/kubernetes/resource-path';
import type { Discovery, KubernetesObject } from '../../engine/kubernetes/types';
import type { Right } from '../cluster/access-rights';
import { applyRights } from '../cluster/apply-rights';
import { discoveredTypes } from '../cluster/discovered-types';

const RBAC_GROUP = 'rbac.authorization.k8s.io/';

export interface InstallRights {
  readonly rights: readonly Right[];
  /** Kinds that the cluster does not serve. */
  readonly findings: readonly Finding[];
}

/** The rights to apply manifests: to find out in the middle of a migration would be too late. */
export async function installRights(
  client: { discovery(): Promise<Discovery> }, install: readonly KubernetesObject[],
): Promise<InstallRights> {
  const { rights, unserved } = await applyRights(client, install);
  const findings = unserved.map(({ kind, message }) =>
    stop('install', `the manifests have a ${kind}, and ${message}`, 'install what serves it first, or leave it out'));
  return { rights, findings };
}

/**
 * Roles that this user may write, and not with these rules: the API server refuses those that grant more than the user has
 * (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping). A dry run changes nothing.
 */
export async function grantFindings(
  connection: Pick<Connection, 'request'>, client: { discovery(): Promise<Discovery> }, install: readonly KubernetesObject[],
): Promise<Finding[]> {
  const roles = install.filter(({ apiVersion }) => apiVersion.startsWith(RBAC_GROUP));
  if (roles.length === 0) return [];
  const types = await discoveredTypes(client);
  const findings: Finding[] = [];
  for (const object of roles) {
    const { kind, metadata: { name, namespace } } = object;
    const { status, text } = await connection.request({
      method: 'PATCH',
      path: objectPath(types(object), name, namespace),
      query: { dryRun: 'All', fieldManager: 'kubectl', force: 'true' },
      contentType: 'application/apply-patch+yaml',
      body: JSON.stringify(object),
    });
    if (status === 403) findings.push(stop('rights', `this user may not apply the ${kind} ${name} of --install: ${messageIn(text)}`, 'use a kubeconfig with the rights of a cluster administrator'));
  }
  return findings;
}
