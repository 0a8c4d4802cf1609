/**
 * The placeholder that `plan` writes for an unknown value: of a ConfigMap that does not exist yet, of a Secret, made of the object's uid,
 * the subscription of a credential, or a variable of the files (`<${TEAM}>`).
 */
const PLACEHOLDER = /<(?:(configmap|secret|random|subscription):([^<>]*)|((?:\$[{(A-Z]|\{\{|#\{|__)[^<>]*))>/g;
/** Stands for the subscription of the operator's own credential. */
export const UNKNOWN_SUBSCRIPTION = '<subscription:>';

/** The placeholders in a value, texts inside of it included. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === 'string') return value.match(PLACEHOLDER) ?? [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...placeholdersIn(key), ...placeholdersIn(inner)]);
}

/** `key principalId of ConfigMap outputs` */
export function describePlaceholder(placeholder: string): string {
  const [, kind, rest = '', variable] = new RegExp(PLACEHOLDER.source).exec(placeholder)!;
  if (variable !== undefined) return `the variable ${variable}`;
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
