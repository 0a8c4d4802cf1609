import { stop, type Finding } from './finding';
import { KubernetesError, type Discovery, type KubernetesObject } from '../../engine/kubernetes/types';
import type { Right } from '../cluster/access-rights';
import { discoveredTypes } from '../cluster/discovered-types';

export interface InstallRights {
  readonly rights: readonly Right[];
  /** Kinds that the cluster does not serve. */
  readonly findings: readonly Finding[];
}

/** The rights to apply manifests: to find out in the middle of a migration would be too late. */
export async function installRights(
  client: { discovery(): Promise<Discovery> }, install: readonly KubernetesObject[],
): Promise<InstallRights> {
  const types = await discoveredTypes(client);
  const rights = new Map<string, Right>();
  const findings = new Map<string, Finding>();
  for (const object of install) {
    const { apiVersion, kind, metadata: { namespace } } = object;
    const key = `${apiVersion} ${kind} ${namespace ?? ''}`;
    try {
      const type = types(object);
      rights.set(key, { type, verbs: ['create', 'patch'], ...(type.namespaced && namespace !== undefined && { namespace }) });
    } catch (error) {
      if (!(error instanceof KubernetesError)) throw error;
      findings.set(key, stop('install', `the manifests have a ${kind}, and ${error.message}`, 'install what serves it first, or leave it out'));
    }
  }
  return { rights: [...rights.values()], findings: [...findings.values()] };
}
