import { stringify } from 'yaml';
import type { KubernetesObject } from '../engine/kubernetes/types';
import { redactTokens } from '../engine/redact';
import { BACKUP_POLLER_TOKEN, KUBECTL_LAST_APPLIED, POLLER_TOKEN } from '../src/azure/annotations';
import { visibleLines } from '../src/azure/visible-text';
import { isRecord } from '../src/util/records';

const REDACTED = '***';
/** Tokens of operations hold URLs with signatures; kubectl's copy of the object has all that the object had. */
const WITHHELD: ReadonlySet<string> = new Set([POLLER_TOKEN, BACKUP_POLLER_TOKEN, KUBECTL_LAST_APPLIED]);
/** Members whose text is a secret. Azure's secrets are references to Kubernetes Secrets; a free-form map may hold anything. */
const SECRET_MEMBER = /(?:password|passphrase|secret|token|connectionstring|accountkey|sharedkey|privatekey|apikey)$/i;
const LONGEST = 500_000;
const DEEPEST = 64;

/** The object as YAML without its secrets and without `managedFields`. */
export function objectYaml(object: KubernetesObject): string {
  const { managedFields, ...metadata } = object.metadata as KubernetesObject['metadata'] & { readonly managedFields?: unknown };
  const text = visibleLines(stringify(withoutSecrets({ ...object, metadata }), { lineWidth: 0, aliasDuplicateObjects: false }));
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n# … the rest is left out: the object is longer than ${LONGEST / 1000} KB\n` : text;
}

/** The value without texts that are secrets by their form, or by the name of their member. */
export function withoutSecrets(value: unknown, member = '', depth = 0): unknown {
  if (typeof value === 'string') return isWithheld(member) ? REDACTED : redactTokens(value);
  if (depth > DEEPEST) return '…';
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, member, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecrets(item, key, depth + 1)]));
}

function isWithheld(member: string): boolean {
  return WITHHELD.has(member) || SECRET_MEMBER.test(member);
}
