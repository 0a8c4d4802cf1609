import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ApiFacts } from '../../composer/definition/api-facts';
import { crdManifest } from '../../composer/definition/crd-manifest';
import type { ClaimObject } from '../../composer/render/jobs';
import type { FindObject } from '../../composer/render/object-reads';
import type { Renderer } from '../../composer/render/renderer';
import type { ComposeProblem, ComposeResult, RenderedClaim, SpecIssue } from '../../composer/render/types';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { prune, withDefaults } from '../../sandbox/kubernetes/schema/fields';
import { validate } from '../../sandbox/kubernetes/schema/validate';
import type { JsonSchema } from '../../src/catalog/crd-types';
import { runRules, type Finding } from '../../src/core/rules/run-rules';
import { versionNameOf } from '../../src/object-id';
import { omitUndefined } from '../../src/util/records';

/** The result for a claim, as the cluster would have it. */
export interface CheckedClaim {
  readonly claim: ClaimObject;
  readonly result: ComposeResult;
  /** Findings of the rules about the composed objects. */
  readonly findings: readonly Finding[];
  /** Older versions from which the spec does not come back as it was. */
  readonly conversions: readonly string[];
}

/** The time of creation of claims from files: any, but always the same. */
const CREATED = '2026-01-01T00:00:00Z';

/**
 * Checks and composes a claim as API server and composer would.
 * @param find the objects that it may read
 */
export async function checkClaim(object: KubernetesObject, facts: ApiFacts, renderer: Renderer, find: FindObject): Promise<CheckedClaim> {
  const claim = claimOf(object, facts);
  const { spec, issues } = admitted(claim, facts);
  if (issues.length > 0) return { claim, result: { problem: { reason: 'InvalidSpec', issues }, reads: [] }, findings: [], conversions: [] };
  const stored = { ...claim, spec };
  const result = await renderer.compose(stored, { twice: true, find });
  if (!result.rendered) return { claim, result, findings: [], conversions: [] };
  const { findings } = runRules(result.rendered.objects.map(({ manifest }) => manifest), { defaultNamespace: claim.metadata.namespace ?? 'default' });
  return { claim, result, findings, conversions: await conversionProblems(stored, facts, renderer) };
}

/** The claim with what the API server adds, of its name only: the same in each run. */
export function claimOf({ apiVersion, kind, metadata, spec }: KubernetesObject, { namespaced }: ApiFacts): ClaimObject {
  const { name, labels, annotations, creationTimestamp = CREATED } = metadata;
  const namespace = namespaced ? metadata.namespace ?? 'default' : undefined;
  const uid = metadata.uid ?? uidOf(`${namespace ?? ''}/${name}`);
  const named = omitUndefined({ name, namespace, uid, creationTimestamp, labels, annotations });
  return { apiVersion, kind, metadata: named, spec };
}

/** A UUID that is made of a text. */
function uidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}

/** The claim as the API server would store it, or what it would refuse as kubectl sends it: with unknown fields, too. */
export function admitted(claim: ClaimObject, facts: ApiFacts): { readonly spec: unknown; readonly issues: readonly SpecIssue[] } {
  const { spec, unknown, issues } = storedForm(claim, facts);
  return { spec, issues: [...unknown.map((path) => ({ path, message: 'unknown field' })), ...issues] };
}

/** A claim by the schema of its kind. */
export interface StoredForm {
  /** With defaults, without unknown fields. */
  readonly spec: unknown;
  /** Paths of fields that the API server would drop. */
  readonly unknown: readonly string[];
  /** Why the API server would refuse it. */
  readonly issues: readonly SpecIssue[];
}

/** The claim as the API server would answer it, once the CRD is the one of the definition. */
export function storedForm(claim: Pick<ClaimObject, 'apiVersion' | 'spec'>, facts: ApiFacts): StoredForm {
  const version = versionNameOf(claim);
  const { versions } = (crdManifest(facts).manifest as unknown as { readonly spec: { readonly versions: readonly CrdVersion[] } }).spec;
  const schema = versions.find(({ name }) => name === version)!.schema.openAPIV3Schema;
  const { value, unknown } = prune(schema, { spec: claim.spec });
  const defaulted = withDefaults(schema, value) as { readonly spec?: unknown };
  const issues = validate(schema, defaulted).map(({ field, text }) => {
    const prefix = `${field}: `;
    return { path: field, message: text.startsWith(prefix) ? text.slice(prefix.length) : text };
  });
  return { spec: defaulted.spec, unknown, issues };
}

interface CrdVersion {
  readonly name: string;
  readonly schema: { readonly openAPIV3Schema: JsonSchema };
}

/** A spec has to be the same after it was converted to an older version and back. */
async function conversionProblems(
  { apiVersion, spec }: ClaimObject, { group, kind, versions }: ApiFacts, renderer: Renderer,
): Promise<string[]> {
  const [{ name: newest }, ...older] = versions;
  const written = versionNameOf({ apiVersion });
  const convert = async (from: string, to: string, value: unknown) =>
    (await renderer.convert({ group, kind, from, to, specs: [value] }))[0]!;
  const problems: string[] = [];
  const first = await convert(written, newest, spec);
  if (first.problem) return [`${written}: ${problemText(first.problem)}`];
  for (const { name } of older) {
    const there = await convert(newest, name, first.spec);
    const back = there.problem ? there : await convert(name, newest, there.spec);
    if (back.problem) {
      problems.push(`${name}: ${problemText(back.problem)}`);
    } else if (!isDeepStrictEqual(back.spec, first.spec)) {
      problems.push(`${name}: the spec ${JSON.stringify(first.spec)} is another one when it comes back: ${JSON.stringify(back.spec)}`);
    }
  }
  return problems;
}

/** A problem in a line. */
export function problemText(problem: ComposeProblem): string {
  if (problem.reason === 'InvalidSpec') return `InvalidSpec: ${problem.issues.map(({ path, message }) => `${path}: ${message}`).join('; ')}`;
  return `${problem.reason}: ${problem.message}`;
}

/** The documents of an expected file for a claim: its status, or why it was refused, and its objects. */
export function expectedDocuments({ claim: { apiVersion, kind, metadata }, result }: CheckedClaim): unknown[] {
  const { name, namespace } = metadata;
  const status = result.rendered ? statusOf(result.rendered) : { problem: withoutStack(result.problem) };
  const head = { apiVersion, kind, metadata: omitUndefined({ name, namespace }), ...(Object.keys(status).length > 0 && { status }) };
  return [head, ...(result.rendered?.objects ?? []).map(({ manifest }) => manifest)];
}

function statusOf({ outputs, links }: RenderedClaim): object {
  return { ...(Object.keys(outputs).length > 0 && { outputs }), ...(Object.keys(links).length > 0 && { links }) };
}

function withoutStack(problem: ComposeProblem): object {
  return Object.fromEntries(Object.entries(problem).filter(([name]) => name !== 'stack'));
}
