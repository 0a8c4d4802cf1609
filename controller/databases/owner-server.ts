import { ALL_DATABASE_SUFFIXES } from '../../engine/credentials';
import { KindError } from '../../engine/kinds';
import type { ExternalContext } from '../../engine/kinds/external';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { versionOf } from '../../engine/resolve/kind-of';
import { describeOwner, ownerOf } from '../../engine/resolve/owner';
import { ResolutionError, type Owner } from '../../engine/resolve/types';

/** The server is gone, and so is everything inside it. */
export class ServerGoneError extends KindError {
  public constructor(message: string) {
    super(message);
    this.name = 'ServerGoneError';
  }
}

/** Five owners above each other are the most that Azure has. */
const MOST_OWNERS = 10;

/**
 * The nearest objects above a user, as a function from a kind to the object.
 *
 * @throws ServerGoneError where one of them is gone; KindError where an owner is no Kubernetes object, or none is of the kind
 */
export function ownersOf({ object, version, lookup }: ExternalContext, count: number): (kind: string) => KubernetesObject {
  const found: KubernetesObject[] = [];
  let [below, facts] = [object, version];
  while (found.length < Math.min(count, MOST_OWNERS)) {
    const owner = namedOwner(below, facts);
    const next = lookup.find(owner.group, owner.kind, object.metadata.namespace ?? 'default', owner.name);
    if (!next) throw new ServerGoneError(`owner "${describeOwner(owner)}" of ${below.kind} "${below.metadata.name}" does not exist`);
    const nextFacts = versionOf(next);
    if (!nextFacts) throw new KindError(`${next.apiVersion} is no version of ${next.kind} that the catalog knows`);
    found.push(next);
    [below, facts] = [next, nextFacts];
  }
  return (kind) => {
    const owner = found.find((one) => one.kind === kind);
    if (!owner) throw new KindError(`among the owners of ${object.kind} "${object.metadata.name}" is no ${kind}`);
    return owner;
  };
}

function namedOwner(object: KubernetesObject, version: ExternalContext['version']): Extract<Owner, { by: 'name' }> {
  const owner = ownerOrFailure(object, version);
  if (owner?.by === 'name') return owner;
  const what = owner ? `is "${describeOwner(owner)}"` : 'is missing';
  throw new KindError(
    `the owner of ${object.kind} "${object.metadata.name}" ${what}, but has to be a Kubernetes object: name it in spec.owner.name`,
  );
}

function ownerOrFailure(object: KubernetesObject, version: ExternalContext['version']): Owner | undefined {
  try {
    return ownerOf(object, version);
  } catch (error) {
    // Of a user, a malformed owner is no reference that may come yet.
    throw error instanceof ResolutionError ? new KindError(error.message) : error;
  }
}

/** The characters of a DNS name; above all no slash, with which a driver would take the name for a socket's file. */
const HOST = /^[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?$/i;

/**
 * The address of a server, to which a password or a token may be sent. It must be a server of Azure, whatever the status says: a user may
 * have written the status, or a cloud of the user's own may have answered.
 *
 * @param suffixes allowed DNS suffixes of server names
 * @throws ResolutionError `WaitingForOwner` while Azure has not returned it; KindError for any other host
 */
export function hostOf(server: KubernetesObject, suffixes: readonly string[] = ALL_DATABASE_SUFFIXES): string {
  const host =
    server.status && Object.hasOwn(server.status, 'fullyQualifiedDomainName') ? server.status.fullyQualifiedDomainName : undefined;
  if (typeof host !== 'string' || host === '') {
    throw new ResolutionError(
      'WaitingForOwner',
      'Warning',
      `${server.kind} "${server.metadata.name}" has no status.fullyQualifiedDomainName yet`,
    );
  }
  const where = `status.fullyQualifiedDomainName of ${server.kind} "${server.metadata.name}"`;
  if (!HOST.test(host)) throw new KindError(`${where} is no name of a host`);
  // This pod itself: the data does not leave it.
  if (host === 'localhost' || suffixes.some((suffix) => host.toLowerCase().endsWith(suffix))) return host;
  const expected = suffixes === ALL_DATABASE_SUFFIXES ? 'Azure' : suffixes.map((suffix) => `*${suffix}`).join(' or ');
  throw new KindError(`${where} is "${host}", which is no server of ${expected}: neither password nor token is sent there`);
}

/** Whether a server may send a login on to another one: it is the same, or in the same cloud of Azure. */
export function isOfSameCloud(host: string, other: string): boolean {
  const [from, to] = [host.toLowerCase(), other.toLowerCase()];
  return from === to || ALL_DATABASE_SUFFIXES.some((suffix) => from.endsWith(suffix) && to.endsWith(suffix));
}
