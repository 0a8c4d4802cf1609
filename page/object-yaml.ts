import type { KubernetesObject } from '../engine/kubernetes/types';
import { redactTokens } from '../engine/redact';
import { formatYaml } from '../engine/yaml/format-yaml';
import { BACKUP_POLLER_TOKEN, KUBECTL_LAST_APPLIED, POLLER_TOKEN } from '../src/azure/annotations';
import { isRecord } from '../src/util/records';

const REDACTED = '***';
/** Tokens of operations hold URLs with signatures; the copies of kubectl and kapp have all that the object had. */
const WITHHELD: ReadonlySet<string> = new Set([POLLER_TOKEN, BACKUP_POLLER_TOKEN, KUBECTL_LAST_APPLIED, 'kapp.k14s.io/original']);
/**
 * Members whose text is a secret, without the characters between their words. Azure's secrets are references to Kubernetes Secrets; a
 * free-form map, and a list of names with values, may hold anything.
 */
const SECRET_MEMBER =
  /(?:password|passwd|passphrase|pwd|secret|token|connectionstring|(?:account|access|shared|private|api|primary|secondary|storage)key)s?$/i;
const BETWEEN_WORDS = /[-_.\s]+/g;
const LONGEST = 500_000;
/** A longer list takes more time than its text is worth. */
const MOST_VALUES = 20_000;
const DEEPEST = 64;

/** The object as YAML without its secrets and without `managedFields`. */
export function objectYaml(object: KubernetesObject): string {
  const { managedFields, ...metadata } = object.metadata as KubernetesObject['metadata'] & { readonly managedFields?: unknown };
  const limit = { valuesLeft: MOST_VALUES };
  const shown = withoutSecrets({ ...object, metadata }, '', limit);
  const text = formatYaml(shown);
  if (text.length > LONGEST) return `${text.slice(0, LONGEST)}\n# … the rest is left out: the object is longer than ${LONGEST / 1000} KB\n`;
  return limit.valuesLeft >= 0 ? text : `${text}# … values are left out: the object has more than ${MOST_VALUES}\n`;
}

interface Limit {
  valuesLeft: number;
}

/** The value without texts that are secrets by their form, or by the name of their member. */
export function withoutSecrets(value: unknown, member = '', limit: Limit = { valuesLeft: Infinity }, depth = 0): unknown {
  if (typeof value === 'string') return isWithheld(member) ? REDACTED : redactTokens(value);
  if (typeof value === 'number') return isWithheld(member) ? REDACTED : value;
  if (depth > DEEPEST) return '…';
  if (Array.isArray(value)) return within(limit, value).map((item) => withoutSecrets(item, member, limit, depth + 1));
  if (!isRecord(value)) return value;
  const named = nameOf(value);
  return Object.fromEntries(within(limit, Object.entries(value)).map(([key, item]) => (
    [key, withoutSecrets(item, key === 'value' && named !== undefined ? named : key, limit, depth + 1)]
  )));
}

/** As many as the limit still allows; below zero, values were left out. */
function within<T>(limit: Limit, items: readonly T[]): readonly T[] {
  const taken = items.slice(0, Math.max(0, limit.valuesLeft));
  limit.valuesLeft = taken.length < items.length ? -1 : limit.valuesLeft - items.length;
  return taken;
}

/** The name of a setting or an environment variable: `{ name: DB_PASSWORD, value: … }`. */
function nameOf({ name, key }: Readonly<Record<string, unknown>>): string | undefined {
  return [name, key].find((one): one is string => typeof one === 'string');
}

function isWithheld(member: string): boolean {
  return WITHHELD.has(member) || SECRET_MEMBER.test(member.replace(BETWEEN_WORDS, ''));
}
