import { isDnsSubdomain } from './dns-name';

/** As many characters as a name, or the value of a label, has. */
export const MAX_NAME = 63;

const NAME = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

/**
 * Whether Kubernetes takes the text as the key of a label, or the name of a finalizer: a name of at most 63 characters, if need be behind a
 * DNS name and a slash.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set
 */
export function isQualifiedName(text: string): boolean {
  const [prefix, name, ...more] = text.includes('/') ? text.split('/') : [undefined, text];
  if (more.length > 0 || name === undefined || (prefix !== undefined && !isDnsSubdomain(prefix))) return false;
  return name.length <= MAX_NAME && NAME.test(name);
}

/** Whether Kubernetes takes the text as the key of an annotation: the prefix may have capitals. */
export function isAnnotationKey(text: string): boolean {
  return isQualifiedName(text.toLowerCase());
}

/** Whether Kubernetes takes the text as the value of a label. */
export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= MAX_NAME && NAME.test(text));
}
