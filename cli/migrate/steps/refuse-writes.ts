import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { counted } from '../../../src/util/words';
import { ADMISSION_POLICIES, ADMISSION_POLICY_BINDINGS } from '../../cluster/resource-types';
import { MIGRATION } from '../journal';
import type { MigratedKind } from '../migrated-kinds';
import { waitUntil, type MigrationContext, type MigrationStep } from '../migration-context';
import { policyProbes, refusedVersions, sendProbe } from '../policy-probe';

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
    const { client, clock, connection, namespace, journal: { state: { kinds } } } = context;
    const crds = new Map<string, KubernetesObject>();
    for (const { crd } of kinds) {
      const found = await client.get(CRD_KIND, crd);
      if (found) crds.set(crd, found);
    }
    const rules = policyRules(kinds, crds);
    if (rules.length === 0) return 'all kinds have one version';
    await put(context, ADMISSION_POLICIES, policy(rules));
    await put(context, ADMISSION_POLICY_BINDINGS, BINDING);
    const probes = policyProbes(kinds, (name) => crds.get(name));
    await waitUntil(context, SECONDS, async () => {
      let last = '';
      for (const probe of probes) {
        const answer = await sendProbe(connection, namespace, probe);
        if (answer.isRefusedByPolicy) return undefined;
        last = answer.message;
        if (answer.isUsable) break;
      }
      return `the API server does not know the policy yet: ${last}`;
    });
    await clock.sleep(SETTLE_MS);
    return `${counted(rules.length, 'kind')}, by the ValidatingAdmissionPolicy ${MIGRATION}`;
  },
};

/** The rules of the policy, one for each kind with a version that is not stored. */
export function policyRules(kinds: readonly MigratedKind[], crds: ReadonlyMap<string, KubernetesObject>): readonly object[] {
  return kinds.flatMap((kind) => {
    const crd = crds.get(kind.crd);
    const apiVersions = crd ? refusedVersions(kind, crd) : [];
    return apiVersions.length > 0 ? [ruleOf(kind, apiVersions)] : [];
  });
}

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

export function policy(resourceRules: readonly object[]): KubernetesObject {
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

export const BINDING: KubernetesObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: MIGRATION },
  spec: { policyName: MIGRATION, validationActions: ['Deny'] },
};

async function put({ client }: MigrationContext, type: ResourceType, object: KubernetesObject): Promise<void> {
  const before = await client.get(type, object.metadata.name);
  await (before ? client.replace(type, { ...before, spec: object.spec! }) : client.create(type, object));
}
