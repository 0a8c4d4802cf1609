import { localChange } from './local-change';
import type { RestClient } from '../../../engine/kubernetes';
import { causeOf, isRefused } from '../../../engine/kubernetes/cache-state';
import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { DEFINITION } from '../../../src/azure/annotations';
import { text } from '../../../src/util/records';
import { serverSideChange, type ServerSideChange } from '../../cluster/server-side-change';

/** The change of a CRD, and why the API server would refuse it. */
export interface CrdDiff {
  readonly name: string;
  readonly change?: ServerSideChange;
  readonly problem?: string;
  /** Why it is not compared. */
  readonly unread?: string;
}

/** @throws KubernetesError where the cluster does not answer */
export async function crdDiff(client: RestClient, crd: KubernetesObject): Promise<CrdDiff> {
  const { name } = crd.metadata;
  let live: KubernetesObject | undefined;
  try {
    live = await client.get(CRD_KIND, name);
  } catch (error) {
    if (!isRefused(error)) throw error;
    return { name, unread: `the CRD ${name} cannot be read, and is not compared: ${causeOf(error)}` };
  }
  // The owner stays as it is.
  const owner = live?.metadata.annotations?.[DEFINITION];
  const annotations = { ...crd.metadata.annotations, ...(owner !== undefined && { [DEFINITION]: owner }) };
  // So does the Service of its webhook.
  const [wanted, present] = [crd.spec?.conversion, live?.spec?.conversion];
  const conversion = wanted !== undefined && isWebhook(present) ? present : wanted;
  const spec = { ...crd.spec, ...(conversion !== undefined && { conversion }) };
  const manifest = { ...crd, metadata: { ...crd.metadata, ...(owner !== undefined && { annotations }) }, spec };
  try {
    return { name, change: await serverSideChange({ client, dryRun: client.asDryRun() }, CRD_KIND, manifest, live ?? null) };
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status === 0) throw error;
    if (error.status === 403) return { name, change: localChange(live, manifest) };
    return { name, problem: error.message };
  }
}

function isWebhook(conversion: unknown): boolean {
  return text(conversion, 'strategy') === 'Webhook';
}
