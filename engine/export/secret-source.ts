import { isRecord } from '../../src/util/records';

/** The source of a value of `operatorSpec.secrets` according to the catalog. */
export type SecretSource =
  | { readonly from: 'call'; readonly call: string; readonly path: readonly PathStep[] }
  | { readonly from: 'status'; readonly path: readonly string[] }
  | { readonly from: 'id' };

interface PathStep {
  readonly member: string;
  /** `x[k=v]`: the element whose `k` equals `v`; `x[0]`: by index. */
  readonly element?: { readonly index: number } | { readonly key: string; readonly value: string };
}

/**
 * The result of looking up a value. `nowhere`: its container (a list entry, an object) does not exist, so there is nothing to export.
 * `missing`: the container exists without the value, which is an error if a destination needs it.
 */
export type Found = { readonly value: string } | 'missing' | 'nowhere';

/** Parses a source in the notation of catalog/README.md. */
export function parseSource(text: string): SecretSource {
  const colon = text.indexOf(':');
  const [from, path] = [text.slice(0, colon), text.slice(colon + 1)];
  if (text === 'id:subscriptions') return { from: 'id' };
  if (from === 'status') return { from: 'status', path: path.split('.') };
  if (colon < 1 || path === '') {
    throw new Error(`catalog: the secret source ${text} is none of <call>:<path>, status:<path> and id:subscriptions`);
  }
  return { from: 'call', call: from, path: path.split('/').map(parseStep) };
}

/** Finds a value in the answer of a call. */
export function findInAnswer(answer: unknown, path: readonly PathStep[]): Found {
  let value = answer;
  for (const [position, { member, element }] of path.entries()) {
    if (!isRecord(value)) return position === 0 ? 'missing' : 'nowhere';
    value = value[member];
    if (element === undefined) continue;
    if (!Array.isArray(value)) return 'missing';
    if ('index' in element) {
      value = value[element.index];
      if (value === undefined) return 'missing';
    } else {
      value = value.find((candidate) => isRecord(candidate) && matches(candidate[element.key], element.value));
      if (value === undefined) return 'nowhere';
    }
  }
  return asFound(value);
}

/** Finds a value in the status, by dotted path. */
export function findInStatus(status: unknown, path: readonly string[]): Found {
  let value = status;
  for (const [position, name] of path.entries()) {
    if (!isRecord(value)) return position === 0 ? 'missing' : 'nowhere';
    value = value[name];
  }
  return asFound(value);
}

function asFound(value: unknown): Found {
  if (typeof value === 'number' || typeof value === 'boolean') return { value: String(value) };
  return typeof value === 'string' && value !== '' ? { value } : 'missing';
}

function matches(value: unknown, wanted: string): boolean {
  return wanted === 'null' ? value === undefined || value === null : value === wanted;
}

function parseStep(text: string): PathStep {
  const match = /^([^[\]]+)(?:\[(?:(\d+)|([^=\]]+)=([^\]]*))\])?$/.exec(text);
  const [, member, index, key, value = ''] = match ?? [];
  if (member === undefined) throw new Error(`catalog: the path segment ${text} of a secret source cannot be read`);
  if (index !== undefined) return { member, element: { index: Number(index) } };
  return key === undefined ? { member } : { member, element: { key, value } };
}
