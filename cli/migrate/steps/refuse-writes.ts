import { collectionPath } from '../../../engine/kubernetes/resource-path';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { counted } from '../../../src/util/words';
import { ADMISSION_POLICIES, ADMISSION_POLICY_BINDINGS } from '../../cluster/resource-types';
import { MIGRATION } from '../journal';
import { typeOf, type MigratedKind } from '../migrated-kinds';
import { waitUntil, type MigrationContext, type MigrationStep } from '../migration-context';
import { versionsOf } from '../storage-versions';

const SECONDS = 60;
/** Each API server notices a new policy by itself; only one of them answers the probe. */
const SETTLE_MS = 2_000;

/**
 * Until this package's webhook converts, a write in another version than the stored one would lose the members that only its version has.
 * Writes in the stored version, and deletions, go on.
 */
export const REFUSE_WRITES: MigrationStep = {
  id: 'refuse-writes',
  title: 'Refuse writes in versions that are not stored',
  async run(context) {
    const { client, clock, journal: { state: { kinds } } } = context;
    const rules = [];
    for (const kind of kinds) {
      const crd = await client.get(CRD_KIND, kind.crd);
      const apiVersions = (crd ? versionsOf(crd) : []).map(({ name }) => name).filter((name) => name !== kind.to);
      if (apiVersions.length > 0) rules.push(ruleOf(kind, apiVersions));
    }
    await put(context, ADMISSION_POLICIES, policy(rules));
    await put(context, ADMISSION_POLICY_BINDINGS, BINDING);
    const [probe] = kinds;
    if (probe) {
      await waitUntil(context, SECONDS, async () => ((await isRefused(context, probe)) ? undefined : 'the API server does not know the policy yet'));
      await clock.sleep(SETTLE_MS);
    }
    return `${counted(kinds.length, 'kind')}, by the ValidatingAdmissionPolicy ${MIGRATION}`;
  },
};

/** Writes are taken again. */
export async function allowWrites({ client }: Pick<MigrationContext, 'client'>): Promise<void> {
  await client.delete(ADMISSION_POLICY_BINDINGS, MIGRATION).catch(ignoreAbsent);
  await client.delete(ADMISSION_POLICIES, MIGRATION).catch(ignoreAbsent);
}

function ignoreAbsent(error: unknown): void {
  if (!(error instanceof KubernetesError) || error.status !== 404) throw error;
}

function ruleOf({ group, plural }: MigratedKind, apiVersions: readonly string[]): object {
  return { apiGroups: [group], apiVersions, operations: ['CREATE', 'UPDATE'], resources: [plural, `${plural}/status`] };
}

function policy(resourceRules: readonly object[]): KubernetesObject {
  const message = 'cdk8s-aso migrates this cluster from ASO, and this version of the kind is not the stored one: try again in some minutes';
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: MIGRATION },
    spec: {
      failurePolicy: 'Fail',
      // Equivalent would refuse writes in the stored version as well.
      matchConstraints: { matchPolicy: 'Exact', resourceRules },
      validations: [{ expression: 'false', message }],
    },
  };
}

const BINDING: KubernetesObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: MIGRATION },
  spec: { policyName: MIGRATION, validationActions: ['Deny'] },
};

async function put({ client }: MigrationContext, type: ResourceType, object: KubernetesObject): Promise<void> {
  const before = await client.get(type, object.metadata.name);
  await (before ? client.replace(type, { ...before, spec: object.spec! }) : client.create(type, object));
}

/** A dry run in ASO's storage version, whose schema demands nothing. */
async function isRefused({ connection, namespace }: MigrationContext, kind: MigratedKind): Promise<boolean> {
  const type = typeOf(kind, kind.from);
  const object = { apiVersion: `${type.group}/${type.version}`, kind: type.kind, metadata: { name: MIGRATION, namespace }, spec: {} };
  const { text } = await connection.request({
    method: 'POST', path: collectionPath(type, namespace), query: { dryRun: 'All' }, body: JSON.stringify(object),
  });
  return isRefusedByPolicy(text);
}

/** Whether an answer of the API server is the refusal of this policy. */
export function isRefusedByPolicy(text: string): boolean {
  return text.includes(`ValidatingAdmissionPolicy '${MIGRATION}'`);
}
