import type { Delivered } from './delivered';
import { NAMESPACES, SECRETS, typeOf } from './kinds';
import type { KubeModel } from './kube-model';
import { credentialOf, type Credential } from './truth/credential';
import { policyOf, type Policy, type Stored } from './truth/policy';

/** Knowledge that a process can have of an object and of the policies and credentials that apply to it. */
export interface Picture {
  readonly at: number;
  readonly object: Stored;
  readonly policy: Policy;
  readonly credential: Credential;
  readonly isDeleting: boolean;
  /** Kinds of which no list has reached the process yet. */
  readonly unknown: readonly string[];
}

/**
 * The full picture of an object: what has reached the process, and in the place of what has not reached it yet, the truth. So what is
 * forbidden by what a process has not been able to read is forbidden all the same; what somebody changes in the moment of a write is not
 * held against it.
 */
export function pictureOf(kube: KubeModel, delivered: Delivered, { metadata, ...rest }: Stored, at: number): Picture | undefined {
  const { namespace, name } = metadata;
  const type = typeOf({ ...rest, metadata } as never);
  const find = (of: typeof type, inside: string | undefined, named: string): Stored | undefined => (
    delivered.isComplete(of) ? delivered.find(of, inside, named) : kube.get(of, inside, named));
  const object = find(type, namespace, name);
  if (!object) return undefined;
  const home = find(NAMESPACES, undefined, namespace!);
  return {
    at,
    object,
    policy: policyOf(object, home),
    credential: credentialOf(object, home, (secret) => find(SECRETS, namespace, secret)),
    isDeleting: object.metadata.deletionTimestamp !== undefined,
    unknown: [NAMESPACES, SECRETS].filter((one) => !delivered.isComplete(one)).map(({ kind }) => kind),
  };
}
