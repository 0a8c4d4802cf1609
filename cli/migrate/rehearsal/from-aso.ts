import { rehearseInstallation } from './installation';
import { rehearseObjects } from './objects';
import { Tries, unlessGone, unlessOvertaken, unlessThere } from './tries';
import { systemClock } from '../../../engine/clock';
import type { RestClient } from '../../../engine/kubernetes';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import type { Catalog } from '../../../src/catalog';
import { counted } from '../../../src/util/words';
import { atATime } from '../../cluster/at-a-time';
import { ADMISSION_POLICIES, ADMISSION_POLICY_BINDINGS, CONFIG_MAPS, DEPLOYMENTS } from '../../cluster/resource-types';
import type { ClusterState } from '../cluster-state';
import { note, type Finding } from '../finding';
import { MIGRATION } from '../journal';
import { isMoved, storedVersionsAfter } from '../migrated-kinds';
import { withStorage } from '../steps/move-storage';
import { exportsToCorrect, withOwners } from '../steps/owner-references';
import { BINDING, policy, policyRules } from '../steps/refuse-writes';
import type { InstalledObject } from '../steps/remove-aso';
import { replacedSpec } from '../steps/replace-crds';
import { withMode } from '../steps/stop-watchers';
import { isStorageVersion, versionsOf } from '../storage-versions';

const AT_A_TIME = 8;

export interface RehearsalOptions {
  readonly client: RestClient;
  readonly catalog: Catalog;
  /** The operator's namespace. */
  readonly namespace: string;
  readonly deployment: KubernetesObject;
  readonly state: ClusterState;
  readonly install: readonly KubernetesObject[];
  /** The objects of ASO that go. */
  readonly removed: readonly InstalledObject[];
  readonly now: () => number;
}

/**
 * Sends the writes of all steps as dry runs, as far as the state of the cluster allows it: a step that builds on an earlier one is tried
 * with what would not yet be there left out. Nothing is stored.
 */
export async function rehearseFromAso(options: RehearsalOptions): Promise<Finding[]> {
  const tries = new Tries(systemClock);
  const client = options.client.asDryRun();
  await rehearseBeginning(tries, client, options);
  await rehearseObjects(tries, client, options);
  await rehearseExports(tries, client, options);
  await rehearseCrds(tries, client, options);
  await rehearseRemoval(tries, client, options);
  await rehearseInstallation(tries, client, options, new Set(options.removed.map(({ type, name }) => `${type.kind} ${name}`)));
  return [...tries.findings, note('rehearsal', `${counted(tries.count, 'later write was tried as a dry run', 'later writes were tried as dry runs')}`)];
}

async function rehearseBeginning(tries: Tries, client: RestClient, { namespace, deployment, state }: RehearsalOptions): Promise<void> {
  const { name } = deployment.metadata;
  await tries.write('begin', `the ConfigMap ${namespace}/${MIGRATION}`, () => unlessThere(() => client.create(CONFIG_MAPS, {
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: MIGRATION, namespace }, data: { journal: '{}' },
  })));
  await tries.write('stop-watchers', `the Deployment ${namespace}/${name}`, () => unlessOvertaken(async () => {
    const current = await client.get(DEPLOYMENTS, name, namespace);
    if (current) await client.replace(DEPLOYMENTS, withMode(current));
  }));
  const rules = policyRules(state.crds.migrated, state.installed);
  if (rules.length === 0) return;
  await tries.write('refuse-writes', `the ValidatingAdmissionPolicy ${MIGRATION}`, () => unlessThere(() => client.create(ADMISSION_POLICIES, policy(rules))));
  await tries.write('refuse-writes', `the ValidatingAdmissionPolicyBinding ${MIGRATION}`, () => unlessThere(() => client.create(ADMISSION_POLICY_BINDINGS, BINDING)));
}

async function rehearseExports(tries: Tries, client: RestClient, { catalog, state }: RehearsalOptions): Promise<void> {
  const storedVersionOf = storedVersionsAfter(state.crds.migrated, catalog);
  for (const { type, objects } of await exportsToCorrect(client, storedVersionOf)) {
    await atATime(objects, AT_A_TIME, ({ metadata }) => tries.write('owner-references', `the ${type.kind} ${metadata.namespace}/${metadata.name}`, () => unlessOvertaken(() => (
      client.patch(type, metadata.name, metadata.namespace, withOwners(metadata, storedVersionOf), 'application/merge-patch+json')))));
  }
}

/** The old storage versions stay in what is tried: only when they are out of `status.storedVersions` does the API server let them go. */
async function rehearseCrds(tries: Tries, client: RestClient, { catalog, namespace, install, state }: RehearsalOptions): Promise<void> {
  const wanted = replacedSpec({ catalog, namespace, install });
  await atATime(state.crds.migrated, AT_A_TIME, async (kind) => {
    const what = `the CRD ${kind.crd}`;
    if (isMoved(kind)) {
      await tries.write('move-storage', what, () => unlessOvertaken(async () => {
        const crd = await client.get(CRD_KIND, kind.crd);
        const changed = crd && withStorage(crd, kind.to);
        if (changed) await client.replace(CRD_KIND, changed);
      }));
    }
    await tries.write('replace-crds', what, () => unlessOvertaken(async () => {
      const crd = await client.get(CRD_KIND, kind.crd);
      if (!crd) return;
      const replaced = { ...crd, spec: wanted(crd) };
      const names = versionsOf(replaced).map(({ name }) => name);
      const old = versionsOf(crd).filter(({ name }) => isStorageVersion(name) && !names.includes(name));
      const versions = [...versionsOf(replaced), ...old.map((version) => ({ ...version, served: false, storage: false }))];
      await client.replace(CRD_KIND, { ...replaced, spec: { ...replaced.spec, versions } });
    }));
  });
}

async function rehearseRemoval(tries: Tries, client: RestClient, { namespace, removed }: RehearsalOptions): Promise<void> {
  for (const { type, name } of removed) {
    await tries.write('remove-aso', `the deletion of the ${type.kind} ${name}`, () => unlessGone(() => (
      client.delete(type, name, type.namespaced ? namespace : undefined))));
  }
}
