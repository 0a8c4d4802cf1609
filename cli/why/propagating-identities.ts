import type { Inspection } from '../../engine/inspect';
import { isRefused } from '../../engine/kubernetes/cache-state';
import { PROPAGATE_TO } from '../../src/azure/annotations';
import { propagationTargets } from '../../src/azure/credential-propagation';
import { readParts, type ReadParts } from '../cluster/inspected-cluster';
import { listPages, type ClusterReader } from '../cluster/reader';

const IDENTITY = { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity' };

/**
 * The parts, with those of the namespaces whose identities would write a credential that is missing here: nothing in the namespace itself
 * shows them.
 */
export async function withPropagatingNamespaces(reader: ClusterReader, parts: ReadParts, { causes }: Inspection): Promise<ReadParts> {
  const missing = new Set(causes.filter(({ code }) => code === 'CredentialMissing').map(({ object: { namespace, name } }) => `${namespace}/${name}`));
  const type = parts.types.find(({ group, kind }) => group === IDENTITY.group && kind === IDENTITY.kind);
  if (missing.size === 0 || !type) return parts;
  const identities = await listPages(reader, type).catch((error: unknown) => {
    if (isRefused(error)) return [];
    throw error;
  });
  const namespaces = new Set(identities.filter(({ metadata: { annotations } }) => {
    const { entries } = propagationTargets(annotations?.[PROPAGATE_TO] ?? '');
    return entries.some(({ kind, namespace, name }) => kind === 'Secret' && missing.has(`${namespace}/${name}`));
  }).map(({ metadata: { namespace = '' } }) => namespace));
  const known = new Set(parts.namespaces.map(({ metadata: { name } }) => name));
  let all = parts;
  for (const namespace of namespaces) {
    if (known.has(namespace)) continue;
    const more = await readParts(reader, { namespace });
    all = {
      ...all,
      objects: [...all.objects, ...more.objects],
      namespaces: [...all.namespaces, ...more.namespaces],
      unread: [...all.unread, ...more.unread],
    };
  }
  return all;
}
