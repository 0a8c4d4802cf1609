import { variablePlaceholdersIn, variablesIn } from '../../manifests/later/variables';

/**
 * The placeholder that `plan` writes for an unknown value: of a ConfigMap that does not exist yet, of a Secret, made of the object's uid,
 * or the subscription of a credential. Variables of the files have placeholders besides these.
 */
const PLACEHOLDER = /<(configmap|secret|random|subscription):([^<>]*)>/g;
/** Stands for the subscription of the operator's own credential. */
export const UNKNOWN_SUBSCRIPTION = '<subscription:>';

/** The placeholders in a value, texts inside of it included. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === 'string') {
    const values = Array.from(value.matchAll(PLACEHOLDER), ({ 0: text, index: from }) => ({ text, from }));
    return [...values, ...variablePlaceholdersIn(value)].sort((a, b) => a.from - b.from).map(({ text }) => text);
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...placeholdersIn(key), ...placeholdersIn(inner)]);
}

/** `key principalId of ConfigMap outputs` */
export function describePlaceholder(placeholder: string): string {
  const [, kind, rest = ''] = new RegExp(PLACEHOLDER.source).exec(placeholder) ?? [];
  if (kind === undefined) return `the variable ${variablesIn(placeholder)[0]?.text ?? placeholder}`;
  if (kind === 'random') return 'the uid that the cluster gives the object';
  if (kind === 'subscription') return describeSubscription(rest);
  const slash = rest.indexOf('/');
  const store = kind === 'configmap' ? 'ConfigMap' : 'Secret';
  return slash < 0 ? `${store} ${rest}` : `key ${rest.slice(slash + 1)} of ${store} ${rest.slice(0, slash)}`;
}

/** `rest`: NAMESPACE.NAME of a Secret; a namespace has no dot. */
function describeSubscription(rest: string): string {
  if (rest === '') return 'the subscription of the operator\'s own credential (--subscription)';
  return `the subscription of the credential ${rest.replace('.', '/')}, which the files do not tell`;
}

export function isSecretPlaceholder(placeholder: string): boolean {
  return placeholder.startsWith('<secret:');
}
