/** Name and namespace of a composer. */
export interface ComposerName {
  readonly name: string;
  readonly namespace: string;
}

/** The labels of all objects of a composer; its pods are selected by them. */
export function labelsOf(name: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': 'composer' };
}

/** {@link labelsOf} as a selector of lists. */
export function selectorOf(name: string): string {
  return Object.entries(labelsOf(name)).map(([key, value]) => `${key}=${value}`).join(',');
}

/** `name.namespace`, for objects without a namespace: two composers of one name do not share them. */
export function clusterScopedName({ name, namespace }: ComposerName): string {
  return `${name}.${namespace}`;
}

/** The composer as CRDs name it, in the annotation `aso.cdk8s.io/definition`. */
export function ownerName({ name, namespace }: ComposerName): string {
  return `${namespace}/${name}`;
}

/** The ConfigMap of a bundle: each revision has its own, which never changes. */
export function bundleName(name: string, revision: string): string {
  return `${name}-${revision}`;
}

/** The Service of a composer's metrics: at most 63 characters. */
export function metricsService(name: string): string {
  return `${name.slice(0, 63 - '-metrics'.length)}-metrics`;
}

/** Pods of the namespace have to be as the composer's: https://kubernetes.io/docs/concepts/security/pod-security-standards/ */
export const RESTRICTED: Readonly<Record<string, string>> = { 'pod-security.kubernetes.io/enforce': 'restricted' };
