import { DNS_LABEL, isDnsSubdomain } from './dns-name';

/**
 * The annotations for propagating a credential from an identity to another namespace: the identity names its targets, the Namespace names
 * the identities that it accepts. The library writes these annotations, the controller reads them.
 */


/** Kinds of objects to which an identity's ids can be propagated. */
export const PROPAGATION_KINDS = ['Secret', 'ServiceAccount', 'ConfigMap'] as const;
export type PropagationKind = (typeof PROPAGATION_KINDS)[number];

export interface PropagationTarget {
  readonly kind: PropagationKind;
  readonly namespace: string;
  readonly name: string;
}

/** The identities whose ids a namespace accepts. */
export interface PropagationSource {
  readonly namespace: string;
  /** Absent for all identities of the namespace. */
  readonly name?: string;
}

/** The entries of a comma-separated list, and the problems of invalid parts. */
export interface PropagationList<T> {
  readonly entries: readonly T[];
  readonly problems: readonly string[];
}


/**
 * The targets of the annotation `aso.cdk8s.io/propagate-credentials-to`, each once. Never throws: valid parts count, invalid ones are
 * reported.
 */
export function propagationTargets(text: string): PropagationList<PropagationTarget> {
  return listed(text, targetOf, propagationTargetText);
}

/** The sources of the annotation `aso.cdk8s.io/accepts-credentials-from`, each once. */
export function propagationSources(text: string): PropagationList<PropagationSource> {
  return listed(text, sourceOf, ({ namespace, name }) => (name === undefined ? namespace : `${namespace}/${name}`));
}

/** The target as text: `Secret/team-a/aso-credential` */
export function propagationTargetText({ kind, namespace, name }: PropagationTarget): string {
  return `${kind}/${namespace}/${name}`;
}

/** Whether a namespace with these sources accepts the ids of an identity. */
export function acceptsPropagation(
  sources: readonly PropagationSource[],
  identity: { readonly namespace: string; readonly name: string },
): boolean {
  return sources.some(({ namespace, name }) => namespace === identity.namespace && (name === undefined || name === identity.name));
}

function listed<T>(text: string, entryOf: (part: string) => T | string, textOf: (entry: T) => string): PropagationList<T> {
  const entries = new Map<string, T>();
  const problems: string[] = [];
  for (const part of text.split(',').map((one) => one.trim()).filter((one) => one !== '')) {
    const entry = entryOf(part);
    if (typeof entry === 'string') problems.push(`"${part}" ${entry}`);
    else entries.set(textOf(entry), entry);
  }
  return { entries: [...entries.values()], problems };
}

/** The target, or the problem. */
function targetOf(part: string): PropagationTarget | string {
  const [kind = '', namespace, name, ...more] = part.split('/');
  const known = PROPAGATION_KINDS.find((one) => one.toLowerCase() === kind.toLowerCase());
  if (!known || known !== kind) {
    return known
      ? `names the kind ${kind}: write ${known}`
      : 'is no target: write Secret/<namespace>/<name>, ServiceAccount/<namespace>/<name> or ConfigMap/<namespace>/<name>';
  }
  if (namespace === undefined || name === undefined || more.length > 0) return `has not three parts: write ${kind}/<namespace>/<name>`;
  if (!DNS_LABEL.test(namespace)) {
    return `names the namespace "${namespace}", which Kubernetes does not take: write at most 63 lower-case letters, digits and "-"`;
  }
  if (!isName(name)) return `names "${name}", which Kubernetes does not take: write lower-case letters, digits, "-" and "."`;
  return { kind: known, namespace, name };
}

function sourceOf(part: string): PropagationSource | string {
  const [namespace = '', name, ...more] = part.split('/');
  if (!DNS_LABEL.test(namespace) || more.length > 0 || (name !== undefined && !isName(name))) {
    return 'is no source: write <namespace>/<identity>, or <namespace> for all identities of it';
  }
  return { namespace, ...(name === undefined ? {} : { name }) };
}

function isName(text: string): boolean {
  return isDnsSubdomain(text);
}
