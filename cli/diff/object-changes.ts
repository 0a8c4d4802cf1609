import { accessChanges } from './access-rules';
import { advice } from './advice';
import type { ObjectChange, PropertyChange } from './changes';
import { credentialSecrets } from './credential-changes';
import { valueChanges } from './property-changes';
import type { Comparison } from './resource-changes';
import { nameOf, type AzureItem, type Synth, type SynthObject } from './synth';
import { CREDENTIAL_FROM, isState, KUBECTL_LAST_APPLIED, RECONCILE_POLICY } from '../../src/azure/annotations';
import { struct } from '../../src/util/records';
import { encodeSecretValue } from '../../src/util/secret-data';
import { asText } from '../../src/util/words';

/** Kinds that restrict users and programs: kind → pattern of its API groups. */
const GUARD_RAILS: ReadonlyMap<string, RegExp> = new Map([
  ['Role', /^rbac\.authorization\.k8s\.io$/],
  ['ClusterRole', /^rbac\.authorization\.k8s\.io$/],
  ['RoleBinding', /^rbac\.authorization\.k8s\.io$/],
  ['ClusterRoleBinding', /^rbac\.authorization\.k8s\.io$/],
  ['ValidatingAdmissionPolicy', /^admissionregistration\.k8s\.io$/],
  ['ValidatingAdmissionPolicyBinding', /^admissionregistration\.k8s\.io$/],
  ['MutatingAdmissionPolicy', /^admissionregistration\.k8s\.io$/],
  ['MutatingAdmissionPolicyBinding', /^admissionregistration\.k8s\.io$/],
  ['ValidatingWebhookConfiguration', /^admissionregistration\.k8s\.io$/],
  ['ResourceQuota', /^$/],
  ['LimitRange', /^$/],
  ['NetworkPolicy', /./],
]);

/** Metadata fields that the API server sets. */
const OF_THE_CLUSTER: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'deletionTimestamp',
  'selfLink',
]);
/** Annotations that are reported with the resource. */
const REPORTED_APART: ReadonlySet<string> = new Set([RECONCILE_POLICY, CREDENTIAL_FROM]);
const IDENTITY = /^azure\.workload\.identity\//;
/** Annotations that kubectl and the operator set, and that every export of a cluster contains. */
const isMachineMade = (annotation: string) => annotation === KUBECTL_LAST_APPLIED || isState(annotation);

export interface ObjectChanges {
  readonly guardRails: readonly ObjectChange[];
  readonly others: readonly ObjectChange[];
}

/** Changes of objects that are not Azure resources, and of the parts of Azure objects that only matter in the cluster. */
export function objectChanges(comparison: Comparison): ObjectChanges {
  const { old, next, pairing } = comparison;
  const credentials = credentialSecrets([old, next]);
  const plain = (side: Synth) => new Map(side.others.filter(({ key }) => !credentials.has(key)).map((object) => [object.key, object]));
  const [before, after] = [plain(old), plain(next)];
  const guardRails: ObjectChange[] = [];
  const others: ObjectChange[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const found = changeOf(before.get(key), after.get(key), old);
    if (found) (isGuardRail(found) ? guardRails : others).push(found);
  }
  others.push(...pairing.both.flatMap(([was, is]) => markChanges(was, is)));
  return { guardRails, others };
}

function changeOf(was: SynthObject | undefined, is: SynthObject | undefined, old: Synth): ObjectChange | undefined {
  const object = (is ?? was)!;
  if (!was) return { change: 'added', ...nameOf(object), properties: accessChanges(undefined, object) ?? [], advice: [] };
  if (!is) {
    const isNamespace =
      object.group === '' && object.kind === 'Namespace' && old.azure.some(({ inNamespace }) => inNamespace === object.name);
    return {
      change: 'removed',
      ...nameOf(object),
      properties: accessChanges(object, undefined) ?? [],
      advice: isNamespace ? [advice.namespaceGoes(object.name)] : [],
    };
  }
  const properties = propertiesOf(was, is);
  const isRefused = is.kind.endsWith('RoleBinding') && properties.some(({ path }) => path.startsWith('roleRef'));
  return properties.length === 0
    ? undefined
    : { change: 'changed', ...nameOf(object), properties, advice: isRefused ? [advice.bindingRefused()] : [] };
}

function propertiesOf(was: SynthObject, is: SynthObject): PropertyChange[] {
  const access = accessChanges(was, is);
  const reported = access ? ['rules', 'subjects'] : [];
  if (is.kind === 'Secret' && is.group === '') {
    return [...hiddenChanges(was, is), ...valueChanges(written(was, ['data', 'stringData']), written(is, ['data', 'stringData']))];
  }
  return [...(access ?? []), ...valueChanges(written(was, reported), written(is, reported))];
}

/** For a Secret, only the keys whose values differ. */
function hiddenChanges(was: SynthObject, is: SynthObject): PropertyChange[] {
  const [before, after] = [encoded(was), encoded(is)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    .filter((key) => before[key] !== after[key])
    .map((key) => ({ path: `data[${key}]`, secret: 'value' }));
}

function encoded({ object: { data, stringData } }: SynthObject): Record<string, string> {
  const plain = Object.entries(struct(stringData) ?? {}).map(([key, value]) => [key, encodeSecretValue(asText(value))]);
  return { ...struct(data), ...Object.fromEntries(plain) } as Record<string, string>;
}

/** The fields of an object that the user wrote. */
function written({ object }: SynthObject, without: readonly string[] = []): Record<string, unknown> {
  const { status: _status, metadata, ...rest } = object as unknown as Record<string, unknown>;
  const kept = Object.entries(rest).filter(([key]) => !without.includes(key));
  return {
    ...Object.fromEntries(kept),
    metadata: Object.fromEntries(
      Object.entries(struct(metadata) ?? {})
        .filter(([key]) => !OF_THE_CLUSTER.has(key))
        .map(([key, value]) => [key, key === 'annotations' ? withoutIdentity(value) : value]),
    ),
  };
}

function withoutIdentity(annotations: unknown): Record<string, unknown> | undefined {
  const kept = Object.entries(struct(annotations) ?? {}).filter(([key]) => !IDENTITY.test(key) && !isMachineMade(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Changes of the labels and annotations of Azure objects. */
function markChanges(was: AzureItem, is: AzureItem): ObjectChange[] {
  const marks = ({ object: { metadata: { labels, annotations } } }: AzureItem) => ({
    ...(labels ? { labels } : {}),
    annotations: Object.fromEntries(
      Object.entries(annotations ?? {}).filter(([key]) => !REPORTED_APART.has(key) && !isMachineMade(key)),
    ),
  });
  const properties = valueChanges(marks(was), marks(is), 'metadata');
  return properties.length === 0 ? [] : [{ change: 'changed', ...nameOf(is), properties, advice: [] }];
}

function isGuardRail({ group, kind, properties }: ObjectChange): boolean {
  if (GUARD_RAILS.get(kind)?.test(group) === true) return true;
  return group === '' && kind === 'Namespace' && properties.some(({ path }) => path.includes('pod-security.kubernetes.io/'));
}
