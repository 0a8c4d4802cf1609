import type { ObjectId } from '../../../src/object-id';
/** The principal of a writer, and the cloud to which it sends. */
export interface Principal {
  /** Resource Manager endpoint: an id means another resource in another cloud. */
  readonly endpoint: string;
  /** Client id, or the name of the credential's Secret. */
  readonly id: string;
}

/** An object that writes, or waits to write. */
export interface Writer {
  readonly key: ObjectId;
  /** Whether it may write at the same time as other such writers. */
  readonly together: boolean;
  /** Whether it goes to the front of the queue: its write makes the others' writes needless. */
  readonly first: boolean;
  /** Undefined: not known yet, after a start. */
  readonly principal?: Principal | undefined;
}

/** Whether the writers share their turns: one namespace, and one principal as far as known. */
export function isSameParty(one: Writer, other: Writer): boolean {
  if (one.key.namespace !== other.key.namespace) return false;
  return !one.principal || !other.principal || one.principal.id === other.principal.id;
}

/** Whether one id may mean one resource for both writers. */
export function isSameCloud(one: Writer, other: Writer): boolean {
  return !one.principal || !other.principal || one.principal.endpoint === other.principal.endpoint;
}

export function partyOf({ key: { namespace }, principal }: Writer): string {
  return `${namespace} ${principal?.endpoint ?? ''} ${principal?.id ?? ''}`;
}
