import { ACCEPTS_CREDENTIALS_FROM, PROPAGATE_TO, RECONCILE_POLICY } from '../../src/azure/annotations';
import { acceptsPropagation, propagationSources, propagationTargets } from '../../src/azure/credential-propagation';
import { UnknownStateError, type CacheState } from '../kubernetes/cache-state';
import type { KubernetesObject, ObjectEvent } from '../kubernetes/types';
import { annotation } from '../objects/annotations';
import { lastAppliedOf, wasSentByAso } from '../objects/last-applied';

const IDENTITY = { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity' };

export interface IdentityHoldersOptions {
  /** Whether all identities have been seen. */
  readonly identityState: () => CacheState;
  /** @throws UnknownStateError while the Namespace is not known */
  readonly namespace: (name: string) => KubernetesObject | undefined;
  /** Called when an identity may be withheld from fewer namespaces than before. */
  readonly onReleased?: () => void;
}

/**
 * Tells whose identity a client id is. A client id is no secret, and where the controller signs in with its own token Entra does not ask
 * which namespace has named it. An identity that propagates its ids to Secrets says by that who acts as it; of another one the controller
 * cannot know: people copy credentials into namespaces by other tools. Of several objects of one identity the oldest one counts, so that a
 * later one takes no identity over. An object that is only read (`skip`), or of which Azure has accepted nothing, does not count: with the
 * right to read any identity, a namespace could keep all others from theirs.
 * @see https://github.com/Azure/azure-service-operator/issues/4810 a namespace that borrows an identity
 * @see https://github.com/Azure/azure-service-operator/pull/5490 credentials that are copied into namespaces
 */
export class IdentityHolders {
  /** Those that the cluster manages, by client id in lower case. */
  private readonly identities = new Map<string, Map<string, KubernetesObject>>();

  public constructor(private readonly options: IdentityHoldersOptions) {}

  /** To be called with the events of all identities of the cluster, before the first question. */
  public handle({ type, object, previous }: ObjectEvent): void {
    if (object.kind !== IDENTITY.kind || !object.apiVersion.startsWith(`${IDENTITY.group}/`)) return;
    const before = [this.remove(object), previous && this.remove(previous)].find((one) => one !== undefined);
    const clientId = type === 'DELETED' || !isManaged(object) ? undefined : clientIdOf(object);
    if (clientId !== undefined) {
      const same = this.identities.get(clientId) ?? new Map<string, KubernetesObject>();
      this.identities.set(clientId, same.set(nameOf(object), object));
    }
    if (before && (clientId !== clientIdOf(before) || annotation(before, PROPAGATE_TO) !== annotation(object, PROPAGATE_TO))) {
      this.options.onReleased?.();
    }
  }

  /**
   * The identity of another namespace that has this client id, propagates its ids to Secrets, and is not for this namespace:
   * `platform/id-shop`.
   * @throws UnknownStateError
   */
  public withheldFrom(namespace: string, clientId: string): string | undefined {
    const state = this.options.identityState();
    if (state.state === 'unknown' && state.reason !== 'KindNotWatched') throw UnknownStateError.ofKind(state);
    const [holder] = [...this.identities.get(clientId.toLowerCase())?.values() ?? []].sort(byAge);
    if (!holder || holder.metadata.namespace === namespace) return undefined;
    const users = propagationTargets(annotation(holder, PROPAGATE_TO) ?? '').entries.filter(({ kind }) => kind === 'Secret');
    const isFree = users.length === 0 || users.some((target) => target.namespace === namespace) || this.accepts(namespace, holder);
    return isFree ? undefined : nameOf(holder);
  }

  private accepts(namespace: string, { metadata: { namespace: from = '', name } }: KubernetesObject): boolean {
    const accepted = this.options.namespace(namespace)?.metadata.annotations?.[ACCEPTS_CREDENTIALS_FROM] ?? '';
    return acceptsPropagation(propagationSources(accepted).entries, { namespace: from, name });
  }

  /** Returns the object as it was kept. */
  private remove(object: KubernetesObject): KubernetesObject | undefined {
    const clientId = clientIdOf(object);
    const same = clientId === undefined ? undefined : this.identities.get(clientId);
    const kept = same?.get(nameOf(object));
    if (same?.delete(nameOf(object)) && same.size === 0) this.identities.delete(clientId!);
    return kept;
  }
}

function nameOf({ metadata: { namespace = '', name } }: KubernetesObject): string {
  return `${namespace}/${name}`;
}

/** By the object alone: its Namespace, whose policy may be `skip` too, is not known to all replicas; nothing is sent under that policy. */
function isManaged(object: KubernetesObject): boolean {
  return annotation(object, RECONCILE_POLICY) !== 'skip' && (lastAppliedOf(object)?.answered === true || wasSentByAso(object));
}

function clientIdOf({ status = {} }: KubernetesObject): string | undefined {
  const { clientId } = status as Readonly<Record<string, unknown>>;
  return typeof clientId === 'string' && clientId !== '' ? clientId.toLowerCase() : undefined;
}

/** The API server sets the time, to a second; of objects made in the same one the first by name counts. */
function byAge(one: KubernetesObject, other: KubernetesObject): number {
  const [a, b] = [one, other].map(({ metadata: { creationTimestamp = '' } }) => creationTimestamp);
  return a!.localeCompare(b!) || nameOf(one).localeCompare(nameOf(other));
}
