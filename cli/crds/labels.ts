import { ASO_PREFIX } from '../../src/azure/annotations';
import { isLabelValue, isQualifiedName } from '../../src/azure/qualified-name';
import { CRD_NAME_LABEL, CRD_VERSION_LABEL } from '../../src/catalog/crd';
import { oneLine } from '../output/problem';
import { UsageError } from '../output/usage-error';

/**
 * Parses labels as `--crd-labels` of Azure Service Operator does: `key=value`, separated by `,` or `;`.
 *
 * @throws UsageError with the operator's message
 */
export function parseLabels(texts: readonly string[]): Record<string, string> {
  const labels = new Map<string, string>();
  for (const entry of texts.flatMap((text) => text.split(/[,;]/)).map((text) => text.trim()).filter(Boolean)) {
    const [key, value] = keyAndValue(entry);
    if (labels.has(key)) throw new UsageError(`label "${key}" was specified more than once`);
    labels.set(key, value);
  }
  return Object.fromEntries(labels);
}

function keyAndValue(entry: string): [key: string, value: string] {
  const equals = entry.indexOf('=');
  const key = entry.slice(0, Math.max(0, equals)).trim();
  const value = entry.slice(equals + 1).trim();
  if (key === '') throw new UsageError(`label "${oneLine(entry)}" must be in key=value form`);
  if (key === CRD_NAME_LABEL || key === CRD_VERSION_LABEL || key.startsWith(ASO_PREFIX)) {
    throw new UsageError(`label "${key}" is reserved for use by Azure Service Operator and cannot be overridden`);
  }
  if (!isQualifiedName(key)) {
    throw new UsageError(
      `invalid label key "${oneLine(key)}": write at most 63 letters, digits, -, _ and ., if need be after a DNS name and a slash`,
    );
  }
  if (!isLabelValue(value)) {
    throw new UsageError(
      `invalid value for label "${key}": write at most 63 letters, digits, -, _ and ., with a letter or digit at both ends`,
    );
  }
  return [key, value];
}
