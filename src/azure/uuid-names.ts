import { createHash } from 'node:crypto';
import { UUID } from './uuid';

/** What the generated name of a role assignment or role definition is made of. */
export interface UuidNameSource {
  readonly group: string;
  readonly kind: string;
  /** Kubernetes version of the object: names under `v1api…` leave an owner's ARM id out. */
  readonly version: string;
  readonly namespace: string;
  readonly name: string;
  /** The owner as in the spec; group and kind filled in where the spec leaves them out. */
  readonly owner: { readonly group?: string; readonly kind?: string; readonly name?: string; readonly armId?: string };
}

const NAMESPACE = '9a329043-7ad7-4b1c-812f-9c7a93d6392a';
const PLAIN = /^[0-9a-f]{32}$/i;

/** The three kinds whose Azure name is a UUID that is worked out when none is given; with the owner, where it is one kind only. */
const UUID_NAMED = new Map<string, { readonly group: string; readonly kind: string } | undefined>([
  ['authorization.azure.com/RoleAssignment', undefined],
  ['authorization.azure.com/RoleDefinition', undefined],
  ['documentdb.azure.com/SqlRoleAssignment', { group: 'documentdb.azure.com', kind: 'DatabaseAccount' }],
]);

/** The names of these kinds alone, which no other kind of the catalog has. */
export const UUID_NAMED_KINDS: ReadonlySet<string> = new Set([...UUID_NAMED.keys()].map((kind) => kind.slice(kind.indexOf('/') + 1)));

/** Whether the kind's Azure name is a UUID that is worked out from the object. */
export function isUuidNamed(group: string, kind: string): boolean {
  return UUID_NAMED.has(`${group}/${kind}`);
}

/** Whether the operator reads a text as a UUID: with dashes, or the 32 digits alone. */
export function isUuid(text: string): boolean {
  return UUID.test(text) || PLAIN.test(text);
}

/**
 * The Azure name of a role assignment or definition without a name of its own. Stable: the same object gets the same name
 * in every cluster and at every attempt. A `metadata.name` that is a UUID is taken as it is.
 */
export function uuidNameOf(source: UuidNameSource): string {
  if (isUuid(source.name)) return source.name;
  return uuidV5(NAMESPACE, uuidSeedOf(source));
}

/** The text that the name is the hash of (docs/spec/names.md#uuid-seed). */
export function uuidSeedOf({ group, kind, version, namespace, name, owner }: UuidNameSource): string {
  const fixed = UUID_NAMED.get(`${group}/${kind}`);
  // Older versions fill in a template whose places stay empty for an owner by ARM id.
  const legacy = version.startsWith('v1api') || fixed !== undefined;
  const byName = `${fixed?.group ?? owner.group}/${fixed?.kind ?? owner.kind}:${namespace}/${owner.name}`;
  const ownerPart = owner.name !== undefined ? byName : legacy ? `/:${namespace}/` : owner.armId;
  return [...(ownerPart === undefined ? [] : [ownerPart]), `${kind}/${group}`, `${namespace}/${name}`].join(':');
}

/** UUID version 5 (SHA-1) of a text in a namespace, RFC 9562 section 5.5. */
export function uuidV5(namespace: string, text: string): string {
  const hash = createHash('sha1').update(Buffer.from(namespace.replaceAll('-', ''), 'hex')).update(text, 'utf8').digest();
  const bytes = hash.subarray(0, 16);
  bytes[6] = 0x50 + (bytes[6] % 0x10); // version 5
  bytes[8] = 0x80 + (bytes[8] % 0x40); // variant
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
