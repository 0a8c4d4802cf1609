import { ConfigMapValue } from '../config-map-value';
import { Output } from '../output';
import type { AzureResourceReference, IAzureResourceRef } from '../resource-reference';
import { SecretMap, SecretOutput, SecretValue } from '../secret-value';
import { Conversion, Convert, formatValue } from './conversion';
import { keyProblem, nameProblem } from './stores';

/** The reference that a value of the props contains; undefined if it contains none. */
export function referenceOf(value: unknown): AzureResourceReference | undefined {
  const reference = typeof value === 'object' && value !== null ? (value as Partial<IAzureResourceRef>).azureResourceRef : undefined;
  return typeof reference === 'object' && reference !== null ? reference : undefined;
}

/** `ResourceReference` and `WellKnownResourceReference` of the CRD. */
export function referenceConvert(wellKnown: boolean): Convert {
  return (value, run) => {
    const reference = referenceOf(value);
    if (!reference) return notAReference(value, run);
    if (reference.wellKnownName !== undefined) {
      if (wellKnown) return { wellKnownName: reference.wellKnownName };
      run.problem(`takes no well-known name ('${reference.wellKnownName}'). Give the construct, or AzureReference.fromArmId(id).`);
      return undefined;
    }
    run.link('reference', reference);
    if (reference.name === undefined) return { armId: reference.armId };
    return { group: reference.group, kind: reference.kind, name: reference.name };
  };
}

export function notAReference(value: unknown, run: Conversion): undefined {
  const hint =
    typeof value === 'string' && value.startsWith('/')
      ? 'Write AzureReference.fromArmId(id)'
      : "Give the construct, or what its class's fromName or fromArmId gives";
  run.problem(`is ${formatValue(value)}, but has to be a reference to a resource. ${hint}.`);
  return undefined;
}

/** `ConfigMapReference` of the CRD. */
export const configMapConvert: Convert = (value, run) => {
  if (!(value instanceof ConfigMapValue)) {
    run.problem(`is ${formatValue(value)}, but has to be an output of a resource (x.outputs.y) or ConfigMapValue.fromConfigMap(name, key).`);
    return undefined;
  }
  if (value instanceof Output) run.outputLink(value.producer);
  const problem = nameProblem('ConfigMap', value.configMapName) ?? keyProblem('ConfigMap', value.key);
  if (problem !== undefined) run.problem(problem);
  return { name: value.configMapName, key: value.key };
};

/** `SecretReference` of the CRD. Messages never contain the value: a secret passed here by mistake must not appear in a log. */
export const secretConvert: Convert = (value, run) => {
  if (!(value instanceof SecretValue)) {
    run.problem('has to be a reference to a secret, SecretValue.fromSecret(name, key): secret values never stand in a manifest.');
    return undefined;
  }
  if (value instanceof SecretOutput) run.outputLink(value.producer);
  const problem = nameProblem('Secret', value.secretName) ?? keyProblem('Secret', value.key);
  if (problem !== undefined) run.problem(problem);
  return { name: value.secretName, key: value.key };
};

/** `SecretMapReference` of the CRD. */
export const secretMapConvert: Convert = (value, run) => {
  if (!(value instanceof SecretMap)) {
    run.problem('has to be a reference to a whole Secret, SecretMap.fromSecret(name): secret values never stand in a manifest.');
    return undefined;
  }
  const problem = nameProblem('Secret', value.secretName);
  if (problem !== undefined) run.problem(problem);
  return { name: value.secretName };
};
