import { jsonEquals } from '../../../src/util/json-equals';
import { isRecord } from '../../../src/util/records';

export interface JsonPatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** A patch that does not fit the document. */
export class PatchError extends Error {}

/** RFC 6902. */
export function jsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  return operations.reduce(applyOne, document);
}

function applyOne(document: unknown, operation: JsonPatchOperation): unknown {
  const path = pointer(operation.path);
  switch (operation.op) {
    case 'add': return add(document, path, operation.value);
    case 'remove': return remove(document, path);
    case 'replace': return path.length === 0 ? operation.value : add(remove(document, path), path, operation.value);
    case 'copy': return add(document, path, read(document, pointer(operation.from ?? '')));
    case 'move': {
      const from = pointer(operation.from ?? '');
      return add(remove(document, from), path, read(document, from));
    }
    case 'test': {
      if (!jsonEquals(read(document, path), operation.value)) throw new PatchError(`testing value ${operation.path} failed`);
      return document;
    }
    default: throw new PatchError(`Unexpected kind: ${operation.op}`);
  }
}

function pointer(path: unknown): string[] {
  if (path === '') return [];
  if (typeof path !== 'string' || !path.startsWith('/')) throw new PatchError(`invalid JSON pointer: ${JSON.stringify(path)}`);
  return path.slice(1).split('/').map((segment) => segment.replace(/~1/g, '/').replace(/~0/g, '~'));
}

const missing = (path: readonly string[]) => new PatchError(`jsonpatch operation does not apply: doc is missing path: /${path.join('/')}`);

function read(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, segment) => {
    const next = Array.isArray(value) ? value[indexOf(value, segment, path)] : isRecord(value) ? value[segment] : undefined;
    if (next === undefined) throw missing(path);
    return next;
  }, document);
}

function indexOf(list: readonly unknown[], segment: string, path: readonly string[]): number {
  if (!/^(0|[1-9]\d*)$/.test(segment) || Number(segment) > list.length) throw missing(path);
  return Number(segment);
}

/** The document with the container at the path's end changed, everything on the way copied. */
function change(document: unknown, path: readonly string[], at: number, edit: (container: unknown, key: string) => unknown): unknown {
  const segment = path[at];
  if (segment === undefined) throw missing(path);
  if (at === path.length - 1) return edit(document, segment);
  if (Array.isArray(document)) {
    const index = indexOf(document, segment, path);
    if (index === document.length) throw missing(path);
    return document.map((item, i) => (i === index ? change(item, path, at + 1, edit) : item));
  }
  if (!isRecord(document) || !Object.hasOwn(document, segment)) throw missing(path);
  return { ...document, [segment]: change(document[segment], path, at + 1, edit) };
}

function add(document: unknown, path: readonly string[], value: unknown): unknown {
  if (path.length === 0) return value;
  return change(document, path, 0, (container, key) => {
    if (Array.isArray(container)) {
      const index = key === '-' ? container.length : indexOf(container, key, path);
      return [...container.slice(0, index), value, ...container.slice(index)];
    }
    if (!isRecord(container)) throw missing(path);
    return { ...container, [key]: value };
  });
}

function remove(document: unknown, path: readonly string[]): unknown {
  if (path.length === 0) throw new PatchError('cannot remove the whole document');
  return change(document, path, 0, (container, key) => {
    if (Array.isArray(container)) {
      const index = indexOf(container, key, path);
      if (index === container.length) throw missing(path);
      return container.filter((_, i) => i !== index);
    }
    if (!isRecord(container) || !Object.hasOwn(container, key)) throw missing(path);
    return Object.fromEntries(Object.entries(container).filter(([name]) => name !== key));
  });
}
