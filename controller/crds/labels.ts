import { SettingsError } from '../settings';

const PREFIX = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAME = /^(?=.{1,63}$)[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const RESERVED = /^(app\.kubernetes\.io\/(name|version)$|serviceoperator\.azure\.com\/)/;

/** The labels of `--crd-labels`: `key=value`, separated by commas or semicolons. @throws SettingsError */
export function crdLabels(text: string): Readonly<Record<string, string>> {
  const labels = new Map<string, string>();
  for (const entry of text.split(/[,;]/).map((part) => part.trim()).filter(Boolean)) {
    const split = entry.indexOf('=');
    const key = entry.slice(0, Math.max(split, 0)).trim();
    if (split < 0 || key === '') throw refusal(`label "${entry}" must be in key=value form`);
    const value = entry.slice(split + 1).trim();
    const wrong = problemOfKey(key);
    if (wrong) throw refusal(`invalid label key "${key}": ${wrong}`);
    if (value !== '' && !NAME.test(value)) {
      throw refusal(`invalid value for label "${key}": a value has at most 63 letters, digits, '-', '_' and '.', and begins and ends with a letter or digit`);
    }
    if (labels.has(key)) throw refusal(`label "${key}" was specified more than once`);
    if (RESERVED.test(key)) throw refusal(`label "${key}" is reserved for use by Azure Service Operator and cannot be overridden`);
    labels.set(key, value);
  }
  return Object.fromEntries(labels);
}

function problemOfKey(key: string): string | undefined {
  const parts = key.split('/');
  if (parts.length > 2) return 'a key has one / at most';
  const [name = '', prefix] = [...parts].reverse();
  if (!NAME.test(name)) return 'the name has at most 63 letters, digits, -, _ and ., and begins and ends with a letter or digit';
  return prefix !== undefined && !PREFIX.test(prefix) ? 'the part before the / is a DNS name in lower case' : undefined;
}

function refusal(message: string): SettingsError {
  return new SettingsError(`--crd-labels: ${message}`);
}
