/**
 * The largest bundle in a ConfigMap, in bytes: 1 MiB without the names and labels.
 * @see https://kubernetes.io/docs/concepts/configuration/configmap/#motivation
 */
export const LARGEST_CONFIG_MAP = 1_048_576 - 4096;

/** `97 KiB` */
export function sizeOf(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`;
}
