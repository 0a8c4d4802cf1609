/** ARM types whose names have `/` in the service and `~` in ARM ids. */
const WITH_TILDE: ReadonlySet<string> = new Set(['microsoft.servicebus/namespaces/queues', 'microsoft.servicebus/namespaces/topics']);

/**
 * The fix of a name that cannot be a segment of an ARM id, as an imperative.
 * @see https://learn.microsoft.com/archive/blogs/servicebus/azure-service-bus-azure-resource-manager-and-this-character
 */
export function segmentFix(armType: string, name: string): string {
  return name.includes('/') && WITH_TILDE.has(armType.toLowerCase())
    ? `write '${name.replace(/\//g, '~')}': Azure Resource Manager has ~ where Service Bus has /`
    : 'give the last segment of the ARM id only, as Azure shows it';
}
