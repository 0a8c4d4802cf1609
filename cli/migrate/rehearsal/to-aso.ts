import { rehearseInstallation } from './installation';
import { Tries, unlessGone, unlessOvertaken, unlessThere } from './tries';
import { systemClock } from '../../../engine/clock';
import type { RestClient } from '../../../engine/kubernetes';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { counted } from '../../../src/util/words';
import { atATime } from '../../cluster/at-a-time';
import { CONFIG_MAPS, DEPLOYMENTS } from '../../cluster/resource-types';
import { note, type Finding } from '../finding';
import { MIGRATION } from '../journal';
import { isCrd, type MigratedKind } from '../migrated-kinds';
import type { InstalledObject } from '../steps/remove-aso';
import { withMode } from '../steps/stop-watchers';
import { returnedCrd } from '../to-aso/return-crds';

const AT_A_TIME = 8;

export interface ReturnOptions {
  readonly client: RestClient;
  readonly namespace: string;
  readonly deployment: KubernetesObject;
  readonly kinds: readonly MigratedKind[];
  readonly install: readonly KubernetesObject[];
  readonly removed: readonly InstalledObject[];
}

/** Sends the writes of the way back as dry runs. Those of objects need ASO's webhooks, which are not there yet. Nothing is stored. */
export async function rehearseToAso({ client: writer, namespace, deployment, kinds, install, removed }: ReturnOptions): Promise<Finding[]> {
  const tries = new Tries(systemClock);
  const client = writer.asDryRun();
  await tries.write('begin', `the ConfigMap ${namespace}/${MIGRATION}`, () => unlessThere(() => client.create(CONFIG_MAPS, {
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: MIGRATION, namespace }, data: { journal: '{}' },
  })));
  const { name } = deployment.metadata;
  await tries.write('stop-watchers', `the Deployment ${namespace}/${name}`, () => unlessOvertaken(async () => {
    const current = await client.get(DEPLOYMENTS, name, namespace);
    if (current) await client.replace(DEPLOYMENTS, withMode(current));
  }));
  for (const { type, name: of } of removed) {
    await tries.write('remove-controller', `the deletion of the ${type.kind} ${of}`, () => unlessGone(() => (
      client.delete(type, of, type.namespaced ? namespace : undefined))));
  }
  const given = new Map(install.filter(isCrd).map((crd) => [crd.metadata.name, crd]));
  await atATime(kinds, AT_A_TIME, ({ crd }) => tries.write('return-crds', `the CRD ${crd}`, () => unlessOvertaken(async () => {
    const [current, wanted] = [await client.get(CRD_KIND, crd), given.get(crd)];
    if (current && wanted) await client.replace(CRD_KIND, returnedCrd(current, wanted));
  })));
  await rehearseInstallation(tries, client, { namespace, install }, new Set(removed.map(({ type, name: of }) => `${type.kind} ${of}`)));
  return [...tries.findings, note('rehearsal', `${counted(tries.count, 'later write was tried as a dry run', 'later writes were tried as dry runs')}`)];
}
