import { isDnsSubdomain } from '../azure/dns-name';

const KEY = /^[-._a-zA-Z0-9]{1,253}$/;

/** The format of object names, for messages. */
export const KUBERNETES_NAME_RULE = 'lower-case letters, digits, \'-\' and \'.\', a letter or digit first and last, at most 253';

/**
 * Whether a text is a valid name of an object.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names
 */
export function isKubernetesName(text: unknown): boolean {
  return typeof text === 'string' && isDnsSubdomain(text);
}

/**
 * Whether a text is a valid key of a ConfigMap or Secret.
 * @see https://kubernetes.io/docs/concepts/configuration/configmap/#configmap-object
 */
export function isDataKey(text: unknown): boolean {
  return typeof text === 'string' && KEY.test(text) && text !== '.' && text !== '..';
}
