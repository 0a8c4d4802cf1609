import { stop, type Finding } from './finding';
import { MIGRATION } from './journal';
import { messageIn } from './message-in';
import { typeOf, type MigratedKind } from './migrated-kinds';
import { minimalValue } from './minimal-value';
import { isStorageVersion, schemaOf, versionsOf } from './storage-versions';
import type { Connection } from '../../engine/kubernetes';
import { collectionPath } from '../../engine/kubernetes/resource-path';
import type { KubernetesObject } from '../../engine/kubernetes/types';

type Sender = Pick<Connection, 'request'>;

/** A creation that the policy of a migration refuses. The API server looks at the schema before it looks at policies. */
export interface PolicyProbe {
  readonly kind: MigratedKind;
  readonly version: string;
  readonly spec: unknown;
}

/** The versions of a kind that are not stored after the migration, ASO's storage versions first: no webhook of ASO looks at them. */
export function refusedVersions({ to }: MigratedKind, crd: KubernetesObject): string[] {
  const names = versionsOf(crd).filter(({ name, served }) => served && name !== to).map(({ name }) => name);
  return [...names.filter(isStorageVersion), ...names.filter((name) => !isStorageVersion(name))];
}

/** One probe for each kind that has a version to refuse. */
export function policyProbes(kinds: readonly MigratedKind[], crdOf: (name: string) => KubernetesObject | undefined): PolicyProbe[] {
  return kinds.flatMap((kind) => {
    const crd = crdOf(kind.crd);
    const [version] = crd ? refusedVersions(kind, crd) : [];
    if (!crd || version === undefined) return [];
    return [{ kind, version, spec: minimalValue(schemaOf(crd, version)?.properties?.spec ?? {}) }];
  });
}

/** Sends a probe as a dry run. */
export async function sendProbe(sender: Sender, namespace: string, { kind, version, spec }: PolicyProbe): Promise<ProbeAnswer> {
  const type = typeOf(kind, version);
  const object = { apiVersion: `${type.group}/${type.version}`, kind: type.kind, metadata: { name: MIGRATION, namespace }, spec };
  const { status, text } = await sender.request({
    method: 'POST', path: collectionPath(type, namespace), query: { dryRun: 'All' }, body: JSON.stringify(object),
  });
  return {
    isRefusedByPolicy: isRefusedByPolicy(text),
    isUsable: status < 300 || status === 403,
    message: status < 300 ? 'it takes what the policy refuses' : messageIn(text),
  };
}

/** Whether an answer of the API server is the refusal of the policy. */
export function isRefusedByPolicy(text: string): boolean {
  return text.includes(`ValidatingAdmissionPolicy '${MIGRATION}'`);
}

/** The answer of the API server to a probe. */
export interface ProbeAnswer {
  readonly isRefusedByPolicy: boolean;
  /** Whether it gets as far as to the policies: neither its schema nor a webhook stands in the way. */
  readonly isUsable: boolean;
  readonly message: string;
}

/** Whether a later step can find out that the API server knows the policy. */
export async function probeFindings(sender: Sender, namespace: string, probes: readonly PolicyProbe[]): Promise<Finding[]> {
  let last = '';
  for (const probe of probes) {
    const answer = await sendProbe(sender, namespace, probe);
    if (answer.isUsable) return [];
    last = `${probe.kind.kind} in ${probe.version}: ${answer.message}`;
  }
  if (probes.length === 0) return [];
  return [stop('policies', `the API server takes no dry run by which the migration sees that its admission policy works: ${last}`, 'see why the API server refuses it: the schema of the CRD, or an admission webhook')];
}
