/**
 * An RFC 1123 label, as Kubernetes requires for namespaces and host labels: at most 63 lower-case letters, digits and '-'.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names
 */
export const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Labels separated by dots, of any total length: most places allow 253 characters. */
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * Whether a text is an RFC 1123 subdomain, as Kubernetes requires for the names of most objects.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names
 */
export function isDnsSubdomain(text: string, longest = 253): boolean {
  return text.length <= longest && SUBDOMAIN.test(text);
}
