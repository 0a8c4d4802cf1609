import type { Clock } from '../../../engine/clock';
import type { RestClient } from '../../../engine/kubernetes';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { listed, plural } from '../../../src/util/words';
import { serverSideChange, sortedJson } from '../../cluster/server-side-change';
import { crdConflict } from '../crd-owner';
import { droppedVersionProblem } from '../dropped-versions';
import type { ComposerName } from '../installation/names';

/** The CRDs of a definition, by what the cluster has of them. */
export interface CrdState {
  /** Why nothing may be done: CRDs of others, and versions in which claims are stored. */
  readonly conflicts: readonly string[];
  readonly missing: readonly KubernetesObject[];
  readonly changed: readonly KubernetesObject[];
}

const LONGEST_WAIT_MS = 30_000;
const LOOK_MS = 200;

/** @throws KubernetesError where the cluster refuses a CRD, or does not answer */
export async function crdState(
  client: RestClient, crds: readonly KubernetesObject[], composer: ComposerName, mayWrite: boolean,
): Promise<CrdState> {
  const found = await Promise.all(crds.map(async (crd) => ({ crd, live: await client.get(CRD_KIND, crd.metadata.name) })));
  const conflicts = found.flatMap(({ crd, live }) => crdConflict(live, composer) ?? droppedVersionProblem(crd, live) ?? []);
  const missing = found.filter(({ live }) => !live).map(({ crd }) => crd);
  const changed: KubernetesObject[] = [];
  if (conflicts.length > 0) return { conflicts, missing, changed };
  for (const { crd, live } of found) {
    if (!live) continue;
    // Without the right to change it, only a manifest that is in the cluster as it is counts as the same.
    const { state } = mayWrite
      ? await serverSideChange({ client, dryRun: client.asDryRun() }, CRD_KIND, crd, live)
      : { state: schemaOf(live) === schemaOf(crd) ? 'same' : 'changed' };
    if (state !== 'same') changed.push(crd);
  }
  return { conflicts, missing, changed };
}

/** Applies CRDs, and waits until the API server serves their kinds. @throws KubernetesError; Error where it does not serve them in time */
export async function applyCrds(client: RestClient, crds: readonly KubernetesObject[], clock: Pick<Clock, 'now' | 'sleep'>): Promise<void> {
  for (const crd of crds) await client.patch(CRD_KIND, crd.metadata.name, undefined, crd, 'application/apply-patch+yaml');
  const until = clock.now() + LONGEST_WAIT_MS;
  for (let left = crds.map(({ metadata }) => metadata.name); ;) {
    const live = await Promise.all(left.map((name) => client.get(CRD_KIND, name)));
    left = left.filter((_, index) => !isEstablished(live[index]));
    if (left.length === 0) return;
    if (clock.now() > until) {
      throw new Error(`the API server does not serve ${listed(left)} after ${LONGEST_WAIT_MS / 1000} s: `
      + `see the conditions of the ${plural(left.length, 'CRD')}`);
    }
    await clock.sleep(LOOK_MS);
  }
}

function isEstablished(crd: KubernetesObject | undefined): boolean {
  return crd?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
}

function schemaOf({ spec }: KubernetesObject): string {
  const { versions } = spec as { readonly versions: readonly { readonly name: string; readonly schema: unknown }[] };
  return sortedJson(versions.map(({ name, schema }) => [name, schema]));
}
