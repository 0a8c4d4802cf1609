import type { Refusal, SandboxCluster } from './cluster';
import type { KubernetesObject } from '../../engine/kubernetes';
import { versionOf } from '../../engine/resolve/kind-of';
import { parsePath, spellPath, validateSpec, type Violation } from '../../src/catalog/validate-spec';
import { groupOf } from '../../src/object-id';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { counted, firstOf, plural } from '../../src/util/words';
import { describeObject, namespaceOf, type Manifest } from '../manifests/manifests';
import type { Problem } from '../output/problem';

const MAX_NAMED = 5;

/** The result of applying the files. */
export interface Applied {
  readonly applied: readonly Manifest[];
  /** Objects that the cluster does not have, with the reason for each. */
  readonly refused: readonly { readonly manifest: Manifest; readonly reason: string; readonly message: string }[];
  readonly problems: readonly Problem[];
  /** Objects of other tools, of kinds that the sandbox does not serve. */
  readonly leftOut: readonly Manifest[];
}

/** Applies everything that can be applied: namespaces first, then what others read, then the rest. */
export async function applyManifests(cluster: SandboxCluster, manifests: readonly Manifest[]): Promise<Applied> {
  const applied: Manifest[] = [];
  const refused: { manifest: Manifest; reason: string; message: string }[] = [];
  const problems: Problem[] = [];
  const namespaces = await makeMissingNamespaces(cluster, manifests);
  problems.push(...namespaces);
  const leftOut: Manifest[] = [];
  for (const manifest of inOrder(manifests)) {
    const { object } = manifest;
    const type = cluster.typeOf(object);
    if (!type && !mayBeInCatalog(groupOf(object))) {
      leftOut.push(manifest);
      continue;
    }
    const refusals = type ? await cluster.apply(type, object) : [unserved(object)];
    const [first] = refusals;
    if (!first) {
      applied.push(manifest);
      continue;
    }
    refused.push({
      manifest,
      reason: first.reason,
      message: refusals.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; '),
    });
    problems.push(...problemsOf(manifest, refusals));
  }
  return { applied, refused, problems, leftOut };
}

const EARLY = ['Namespace', 'CustomResourceDefinition', 'Secret', 'ConfigMap'];

/** Everything before what may need it; otherwise as the files have it. */
export function inOrder(manifests: readonly Manifest[]): Manifest[] {
  const rank = ({ object }: Manifest) => {
    const early = EARLY.indexOf(object.kind);
    return early < 0 || mayBeInCatalog(groupOf(object)) ? EARLY.length : early;
  };
  // The sort is stable.
  return [...manifests].sort((a, b) => rank(a) - rank(b));
}

/** Namespaces that objects are in and that no file makes. */
async function makeMissingNamespaces(cluster: SandboxCluster, manifests: readonly Manifest[]): Promise<Problem[]> {
  const made = new Set(
    manifests.filter(({ object }) => object.kind === 'Namespace' && groupOf(object) === '').map(({ object }) => object.metadata.name),
  );
  const wanted = new Map<string, Manifest>();
  for (const manifest of manifests) {
    const { object } = manifest;
    const namespace = namespaceOf(object);
    if (cluster.typeOf(object)?.namespaced && !made.has(namespace) && !wanted.has(namespace)) wanted.set(namespace, manifest);
  }
  const problems: Problem[] = [];
  for (const [name, manifest] of wanted) {
    const namespace: KubernetesObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    const refusals = await cluster.apply(cluster.typeOf(namespace)!, namespace);
    for (const { message } of refusals) {
      const { file, line, object } = manifest;
      problems.push({
        file,
        line,
        object: describeObject(object),
        field: 'metadata.namespace',
        message,
        fix: 'give a name that a namespace can have',
      });
    }
  }
  return problems;
}

function unserved(object: KubernetesObject): Refusal {
  return { reason: 'NotFound', message: `no matches for kind "${object.kind}" in version "${object.apiVersion}"` };
}

/** One line about the objects that were left out. */
export function leftOutText(leftOut: readonly Manifest[]): string {
  const kinds = [...new Set(leftOut.map(({ object }) => object.kind))];
  const { length } = leftOut;
  return `${counted(length, 'object')} of kinds that the sandbox does not serve ${plural(length, 'is', 'are')} left out: ${firstOf(kinds, MAX_NAMED)}`;
}

/** The server's refusals, each with what to write instead where our own reading of the schema knows it. */
function problemsOf(manifest: Manifest, refusals: readonly Refusal[]): Problem[] {
  const { object, file } = manifest;
  const version = versionOf(object);
  const violations = version ? validateSpec(object.spec, version) : [];
  return refusals.map(({ field, message, reason }) => {
    const violation = field === undefined ? violations[0] : violations.find((candidate) => spellPath(candidate.path) === field);
    return {
      file,
      line: field === undefined ? manifest.line : manifest.lineOf(parsePath(field)),
      object: describeObject(object),
      field,
      message,
      fix: violation?.fix ?? fixFor(object, reason, violations),
    };
  });
}

function fixFor(object: KubernetesObject, reason: string, violations: readonly Violation[]): string {
  const [violation] = violations;
  if (violation) return violation.fix;
  if (reason === 'NotFound' && mayBeInCatalog(groupOf(object))) return 'use a kind and version of the catalog (docs/api)';
  if (reason === 'Invalid' || reason === 'BadRequest') return 'correct the field; the reference of the kind has the allowed values';
  return 'correct the object';
}
