import { stop, warning, type Finding } from './finding';
import type { InstalledObject } from './steps/remove-aso';
import type { KubernetesListWatch, KubernetesObject } from '../../engine/kubernetes/types';
import { HELM_RELEASE_NAME } from '../../src/azure/annotations';
import { firstOf } from '../../src/util/words';
import { listPages } from '../cluster/reader';
import { SECRETS } from '../cluster/resource-types';

const MOST_NAMED = 5;

/** Helm releases that are at work on what a migration replaces, or that own it beside the release of ASO. */
export async function helmFindings(
  client: Pick<KubernetesListWatch, 'list'>,
  namespace: string,
  release: string | undefined,
  crds: readonly KubernetesObject[],
  removed: readonly InstalledObject[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const records = await listPages(client, SECRETS, { namespace, labelSelector: 'owner=helm', metadataOnly: true });
  const pending = records.filter(({ metadata }) => metadata.labels?.status?.startsWith('pending-') && metadata.labels.name === release);
  if (pending.length > 0) findings.push(stop('deployers', `Helm is at work on the release ${namespace}/${release}, or was interrupted: ${String(pending[0]!.metadata.labels?.status)}`, `wait for its end, or helm rollback ${release} --namespace ${namespace}`));
  const others = byRelease(crds.map(({ metadata }) => ({ name: metadata.name, release: releaseOf(metadata) })), undefined);
  for (const [owner, names] of others) {
    findings.push(stop('deployers', `the Helm release ${owner} owns CRDs that are replaced: ${firstOf(names, MOST_NAMED)}; helm uninstall would delete them with all their objects, and an upgrade would bring ASO's back`, 'take them out of the release: helm.sh/resource-policy: keep, and remove the annotations meta.helm.sh/release-name and -namespace'));
  }
  const foreign = byRelease(removed.map(({ type, name, metadata }) => ({ name: `${type.kind} ${name}`, release: releaseOf(metadata) })), qualified(release, namespace));
  for (const [owner, names] of foreign) {
    findings.push(warning('deployers', `the Helm release ${owner} owns objects that go: ${firstOf(names, MOST_NAMED)}`, 'take them out of this release: its next upgrade would bring them back'));
  }
  return findings;
}

function releaseOf({ annotations = {}, namespace }: KubernetesObject['metadata']): string | undefined {
  return qualified(annotations[HELM_RELEASE_NAME], annotations['meta.helm.sh/release-namespace'] ?? namespace);
}

function qualified(release: string | undefined, namespace: string | undefined): string | undefined {
  return release === undefined || release === '' ? undefined : `${namespace ?? ''}/${release}`;
}

interface Owned {
  readonly name: string;
  readonly release: string | undefined;
}

/** Names by release, without those of none and of one release. */
function byRelease(objects: readonly Owned[], own: string | undefined): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { name, release } of objects) {
    if (release !== undefined && release !== own) found.set(release, [...(found.get(release) ?? []), name]);
  }
  return found;
}
