/**
 * A name of RFC 1123, as Kubernetes wants it for namespaces and labels of hosts: at most 63 lower-case letters, digits and '-'.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names
 */
export const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Labels with dots between them, without a look at the length: most places allow 253 characters. */
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * Whether a text is a subdomain of RFC 1123, as Kubernetes wants it for the names of most objects.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names
 */
export function isDnsSubdomain(text: string, longest = 253): boolean {
  return text.length <= longest && SUBDOMAIN.test(text);
}
