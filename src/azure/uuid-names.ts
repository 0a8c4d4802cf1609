import { createHash } from 'node:crypto';
import { UUID } from './uuid';

/** The input of the derived name of a role assignment or role definition. */
export interface UuidNameSource {
  readonly group: string;
  readonly kind: string;
  /** Kubernetes version of the object: names under `v1api…` omit an owner's ARM id. */
  readonly version: string;
  readonly namespace: string;
  readonly name: string;
  /** The owner as in the spec, with the default group and kind. */
  readonly owner: { readonly [K in 'group' | 'kind' | 'name' | 'armId']?: string | undefined };
}

const NAMESPACE = '9a329043-7ad7-4b1c-812f-9c7a93d6392a';
const PLAIN = /^[0-9a-f]{32}$/i;

/** The three kinds whose Azure name is a UUID that the operator derives by default, each with its owner's kind if there is only one. */
const UUID_NAMED = new Map<string, { readonly group: string; readonly kind: string } | undefined>([
  ['authorization.azure.com/RoleAssignment', undefined],
  ['authorization.azure.com/RoleDefinition', undefined],
  ['documentdb.azure.com/SqlRoleAssignment', { group: 'documentdb.azure.com', kind: 'DatabaseAccount' }],
]);

/** These kinds: `group/Kind`. */
export const KINDS_NAMED_BY_UUID: readonly string[] = [...UUID_NAMED.keys()];

/** The names of these kinds without group; no other kind of the catalog has them. */
export const UUID_NAMED_KINDS: ReadonlySet<string> = new Set([...UUID_NAMED.keys()].map((kind) => kind.slice(kind.indexOf('/') + 1)));

/** Whether the kind's Azure name is a UUID that the operator derives from the object. */
export function isUuidNamed(group: string, kind: string): boolean {
  return UUID_NAMED.has(`${group}/${kind}`);
}

/** Whether the operator reads a text as a UUID: with dashes, or only the 32 digits. */
export function isUuid(text: string): boolean {
  return UUID.test(text) || PLAIN.test(text);
}

/**
 * The Azure name of a role assignment or definition without an explicit name. Stable: the same object gets the same name in every cluster
 * and at every attempt. A `metadata.name` that is a UUID is used unchanged.
 */
export function uuidNameOf(source: UuidNameSource): string {
  if (isUuid(source.name)) return source.name;
  return uuidV5(NAMESPACE, uuidSeedOf(source));
}

/** The text whose hash is the name (docs/spec/names.md#uuid-seed). */
export function uuidSeedOf({ group, kind, version, namespace, name, owner }: UuidNameSource): string {
  const fixed = UUID_NAMED.get(`${group}/${kind}`);
  // Older versions use a template whose parts stay empty for an owner by ARM id.
  const legacy = version.startsWith('v1api') || fixed !== undefined;
  const byName = `${fixed?.group ?? owner.group}/${fixed?.kind ?? owner.kind}:${namespace}/${owner.name}`;
  const ownerPart = owner.name !== undefined ? byName : legacy ? `/:${namespace}/` : owner.armId;
  return [...(ownerPart === undefined ? [] : [ownerPart]), `${kind}/${group}`, `${namespace}/${name}`].join(':');
}

/** UUID version 5 (SHA-1) of a text in a namespace, RFC 9562 section 5.5. */
export function uuidV5(namespace: string, text: string): string {
  const hash = createHash('sha1').update(Buffer.from(namespace.replaceAll('-', ''), 'hex')).update(text, 'utf8').digest();
  const bytes = hash.subarray(0, 16);
  bytes.writeUInt8(0x50 + (bytes.readUInt8(6) % 0x10), 6); // version 5
  bytes.writeUInt8(0x80 + (bytes.readUInt8(8) % 0x40), 8); // variant
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
