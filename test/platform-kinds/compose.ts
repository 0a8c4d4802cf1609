import { App, Chart, Testing } from 'cdk8s';
import { ClaimError } from '../../src/platform-api';
import type { ApiDefinition, ClaimIssue, Composition, ReadName, SchemaResult } from '../../src/platform-api';
import { omitUndefined } from '../../src/util/records';

/** An object that a claim reads, or a claim. */
export interface ClaimObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly spec?: object;
  /** RFC 3339. */
  readonly createdAt?: string;
  /** RFC 3339: the object is being deleted. */
  readonly deletedAt?: string;
}

/** An object as `synth` writes it. */
export interface SynthesizedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly [member: string]: unknown };
  /** Of roles. */
  readonly rules?: readonly { readonly apiGroups: string[]; readonly resources: string[]; readonly verbs: string[] }[];
}

export interface Composed {
  readonly objects: readonly SynthesizedObject[];
  readonly composition: Composition;
  readonly issues?: readonly ClaimIssue[];
}

/** Checks and composes a claim as the composer does, in this process. */
export function composed(definitions: readonly ApiDefinition[], claim: ClaimObject, others: readonly ClaimObject[] = []): Composed {
  const definition = definitions.find(({ kind }) => kind === claim.kind)!;
  const { value, issues } = definition.schema['~standard'].validate(claim.spec ?? {}) as SchemaResult<never> & { value: never };
  if (issues) return { objects: [], composition: {}, issues: issues.map(({ path = [], message }) => ({ path: ['spec', ...path].join('.'), message })) };
  const read = ({ kind, name }: ReadName) => {
    const found = others.find((other) => other.kind === kind && other.name === name);
    const { createdAt, deletedAt } = found ?? {};
    return found && { apiVersion: 'v1', kind, metadata: { name, labels: {}, annotations: {}, ...omitUndefined({ creationTimestamp: createdAt, deletionTimestamp: deletedAt }) }, spec: found.spec };
  };
  const { name, namespace = '' } = claim;
  const app = new App();
  const chart = new Chart(app, name, namespace === '' ? {} : { namespace });
  try {
    const composition = definition.compose(chart, { name, namespace, uid: '7', labels: {}, annotations: {}, createdAt: new Date(claim.createdAt ?? 0), spec: value, read } as never);
    return { objects: Testing.synth(chart) as SynthesizedObject[], composition: composition ?? {} };
  } catch (error) {
    if (!(error instanceof ClaimError)) throw error;
    return { objects: [], composition: {}, issues: error.issues };
  }
}
