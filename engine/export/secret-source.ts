import { isRecord } from '../../src/util/records';

/** Where the catalog says that a value of `operatorSpec.secrets` comes from. */
export type SecretSource =
  | { readonly from: 'call'; readonly call: string; readonly path: readonly PathStep[] }
  | { readonly from: 'status'; readonly path: readonly string[] }
  | { readonly from: 'id' };

interface PathStep {
  readonly member: string;
  /** `x[k=v]`: the element whose `k` is `v`; `x[0]`: by index. */
  readonly element?: { readonly index: number } | { readonly key: string; readonly value: string };
}

/**
 * A value that was looked for. `nowhere`: what would contain it is not there (a list entry, an object), so there is nothing to export.
 * `missing`: its container is there and it is not, which is an error for whoever wants it.
 */
export type Found = { readonly value: string } | 'missing' | 'nowhere';

/** Reads a source as catalog/README.md writes it. */
export function parseSource(text: string): SecretSource {
  const colon = text.indexOf(':');
  const [from, path] = [text.slice(0, colon), text.slice(colon + 1)];
  if (text === 'id:subscriptions') return { from: 'id' };
  if (from === 'status') return { from: 'status', path: path.split('.') };
  if (colon < 1 || path === '') throw new Error(`catalog: the secret source ${text} is none of <call>:<path>, status:<path> and id:subscriptions`);
  return { from: 'call', call: from, path: path.split('/').map(parseStep) };
}

/** A value in the answer of a call. */
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

/** A value in the status; dotted path. */
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
  if (!match) throw new Error(`catalog: the path segment ${text} of a secret source cannot be read`);
  const [, member, index, key, value] = match;
  if (index !== undefined) return { member, element: { index: Number(index) } };
  return key === undefined ? { member } : { member, element: { key, value } };
}
