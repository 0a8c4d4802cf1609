import { createHash } from 'node:crypto';

/**
 * The kinds whose Azure name is a UUID that the operator derives from the object when `spec.azureName` is absent. The result must be ASO's
 * to the letter: an object that moves from one controller to the other would otherwise become a second role assignment.
 */
const UUID_NAMED_KINDS: readonly string[] = [
  'authorization.azure.com/RoleAssignment',
  'authorization.azure.com/RoleDefinition',
  'documentdb.azure.com/SqlRoleAssignment',
];

/** ASO's own namespace for these UUIDs. */
const NAMESPACE = '9a329043-7ad7-4b1c-812f-9c7a93d6392a';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID_WITHOUT_DASHES = /^[0-9a-f]{32}$/i;

/** What the derived name depends on. */
export interface UuidNamed {
  /** API group, e.g. `authorization.azure.com`. */
  readonly group: string;
  readonly kind: string;
  /** Version of the object's apiVersion: `v1api…` versions derive another name from an owner that is given by ARM id. */
  readonly version: string;
  readonly namespace: string;
  /** `metadata.name` */
  readonly name: string;
  readonly owner?: { readonly armId?: string; readonly group?: string; readonly kind?: string; readonly name?: string };
}

/** Whether the Azure name of a kind is a UUID that is derived from the object. */
export function isUuidNamed(group: string, kind: string): boolean {
  return UUID_NAMED_KINDS.includes(`${group}/${kind}`);
}

/** The derived Azure name, or undefined for an object without owner (which has none). `metadata.name` is kept when it is a UUID. */
export function uuidNameOf(object: UuidNamed): string | undefined {
  if (!object.owner) return undefined;
  if (UUID.test(object.name) || UUID_WITHOUT_DASHES.test(object.name)) return object.name;
  const seed = [ownerPart(object, object.owner), `${object.kind}/${object.group}`, `${object.namespace}/${object.name}`];
  return uuidV5(NAMESPACE, seed.filter((part) => part !== undefined).join(':'));
}

function ownerPart(object: UuidNamed, owner: NonNullable<UuidNamed['owner']>): string | undefined {
  if (owner.group && owner.kind && owner.name && !owner.armId) return `${owner.group}/${owner.kind}:${object.namespace}/${owner.name}`;
  const legacy = object.version.startsWith('v1api');
  if (legacy) return `/:${object.namespace}/`; // ASO's template filled with nothing; kept for the names that exist
  return owner.armId;
}

/** UUID version 5 (RFC 9562): SHA-1 of the namespace and the name. */
function uuidV5(namespace: string, name: string): string {
  const bytes = createHash('sha1').update(Buffer.from(namespace.replace(/-/g, ''), 'hex')).update(name, 'utf8').digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x50;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
