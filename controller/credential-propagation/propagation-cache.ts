import { consentMissing } from './decide';
import { managedByOf, managedByText, type ManagedBy } from './managed-by';
import { SERVICE_ACCOUNTS, type ServiceAccountSource } from './service-accounts';
import type { CacheState } from '../../engine/kubernetes/cache-state';
import type { KubernetesClient, KubernetesObject } from '../../engine/kubernetes/types';
import { annotation } from '../../engine/objects/annotations';
import { OPERATOR_NAMESPACE, PROPAGATE_TO } from '../../src/azure/annotations';
import {
  propagationTargets, propagationTargetText, type PropagationKind, type PropagationTarget,
} from '../../src/azure/credential-propagation';
import type { Cluster, WatchedType } from '../reconcile/cluster';

export const IDENTITY = { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity' } as const;
/** For a refusal because of missing rights of this controller. */
export const MISSING_RIGHTS =
  '; give it the rights for credential propagation (credentialPropagation: true of its installation, see docs/credentials.md)';

export interface PropagationCacheOptions {
  /** Reads targets of namespaces that are not in the caches. */
  readonly client: Pick<KubernetesClient, 'get'>;
  readonly cluster: Cluster;
  readonly serviceAccounts: ServiceAccountSource;
  /** Namespace of this controller. Identities of other controllers are not propagated. */
  readonly operatorNamespace: string;
  /** Empty: all namespaces. */
  readonly targetNamespaces: readonly string[];
  /** The identities in namespaces that other replicas look after. Default: there are no such namespaces. */
  readonly foreign?: ForeignIdentities | undefined;
}

/** The identities in namespaces that other replicas look after, as far as this one knows them. */
export interface ForeignIdentities {
  readonly identityState: CacheState;
  /** Whether the objects of the namespace are in the caches of this replica. */
  keeps(namespace: string): boolean;
  /** @throws UnknownStateError */
  identities(): readonly KubernetesObject[];
}

export type TargetType = WatchedType & { readonly isForbidden?: boolean };

/** Why a target cannot be read. */
export interface Unreadable {
  /** Whether a user has to act. */
  readonly isFinal: boolean;
  readonly why: string;
}

/** The identities, their targets and the Namespaces, as the informers have seen them. */
export class PropagationCache {
  public constructor(private readonly options: PropagationCacheOptions) {}

  /** Whether identities are reconciled at all, and the namespace is one of this controller's. */
  public watchesIdentitiesOf(namespace: string): boolean {
    return this.options.cluster.typeOf(IDENTITY.group, IDENTITY.kind) !== undefined && this.isWatched(namespace);
  }

  /** Whether not all identities of the namespace are listed yet. */
  public areIdentitiesUnknown(namespace: string): boolean {
    if (this.isForeign(namespace)) return this.options.foreign!.identityState.state === 'unknown';
    return this.isUnknown(IDENTITY.group, IDENTITY.kind, namespace);
  }

  public identityOf(owner: ManagedBy): KubernetesObject | undefined {
    if (this.isForeign(owner.namespace)) {
      return this.options.foreign!.identities().find((identity) => managedByText(managedByOf(identity)) === managedByText(owner));
    }
    const store = this.options.cluster.typeOf(IDENTITY.group, IDENTITY.kind)?.store;
    const found = store?.get(owner.namespace, owner.name);
    return found ?? store?.list(owner.namespace).find((identity) => managedByText(managedByOf(identity)) === managedByText(owner));
  }

  /** Whether another replica looks after the namespace, so that its objects are not in the caches. */
  public isForeign(namespace: string): boolean {
    return this.options.foreign?.keeps(namespace) === false;
  }

  /** The target as stored: in the caches, or else as the API server has it. */
  public async existing(target: PropagationTarget, watched: TargetType): Promise<KubernetesObject | undefined> {
    const { kind, namespace, name } = target;
    if (kind === SERVICE_ACCOUNTS.kind) return watched.store.get(namespace, name);
    const cached = this.isForeign(namespace) ? undefined : await watched.contents?.fetch(namespace, name);
    if (cached && cached.state !== 'unknown') return cached.state === 'present' ? cached.object : undefined;
    if (!watched.contents && !this.isForeign(namespace)) return watched.store.get(namespace, name);
    return this.options.client.get(watched.type, name, namespace);
  }

  /** The metadata of the target: in the caches, or else as the API server has it. */
  public async metadataOf({ kind, namespace, name }: PropagationTarget, watched: TargetType): Promise<KubernetesObject | undefined> {
    if (kind === SERVICE_ACCOUNTS.kind || !this.isForeign(namespace)) return watched.store.get(namespace, name);
    return this.options.client.get(watched.type, name, namespace);
  }

  /** Whether this controller propagates the identity. One that is being deleted is still in use as a credential: its targets stay. */
  public propagates(identity: KubernetesObject): boolean {
    return annotation(identity, OPERATOR_NAMESPACE) === this.options.operatorNamespace && !identity.metadata.deletionTimestamp;
  }

  public typeOf(kind: PropagationKind): TargetType | undefined {
    return kind === SERVICE_ACCOUNTS.kind ? this.options.serviceAccounts.watched() : this.options.cluster.typeOf('', kind);
  }

  /** Whether objects of the namespace may exist that are not listed yet, and that use a Secret as their credential. */
  public isListingUsers(namespace: string): boolean {
    return this.options.cluster.watched.some(({ type: { group, kind } }) => group !== '' && this.isUnknown(group, kind, namespace));
  }

  /** @throws UnknownStateError: then the identity is tried again. */
  public namespace(name: string): KubernetesObject | undefined {
    return this.options.cluster.find({ group: '', kind: 'Namespace', namespace: '', name });
  }

  public isWatched(namespace: string): boolean {
    const { targetNamespaces } = this.options;
    return targetNamespaces.length === 0 || targetNamespaces.includes(namespace);
  }

  /** Whether another identity, which the target names as its owner, still propagates to it; true in doubt. */
  public isWantedBy(owner: ManagedBy, target: PropagationTarget): boolean {
    if (!this.watchesIdentitiesOf(owner.namespace) || this.areIdentitiesUnknown(owner.namespace)) return true;
    const identity = this.identityOf(owner);
    if (!identity) return false;
    if (!this.propagates(identity)) return true;
    const { entries, problems } = propagationTargets(annotation(identity, PROPAGATE_TO) ?? '');
    const isNamed = problems.length > 0 || entries.some((entry) => propagationTargetText(entry) === propagationTargetText(target));
    return isNamed && consentMissing(identity, target, this.namespace(target.namespace)) === undefined;
  }

  /** Why a target of the identity cannot be read; undefined: it can. */
  public unreadable(target: PropagationTarget, type: TargetType | undefined, identity: KubernetesObject): Unreadable | undefined {
    const text = propagationTargetText(target);
    if (type?.isForbidden) {
      return { isFinal: true, why: `${text} is not written: this controller may not list service accounts${MISSING_RIGHTS}` };
    }
    // For Secrets and ConfigMaps the API server reports an existing object at the latest on the write.
    if (!type || (target.kind === 'ServiceAccount' && type.hasSynced === false)) {
      return { isFinal: false, why: `${text} waits: not all ${target.kind}s are listed yet` };
    }
    if (identity.metadata.namespace !== target.namespace && this.isUnknown('', 'Namespace')) {
      return {
        isFinal: false,
        why: `${text} waits: the Namespaces are not listed yet; this controller needs the right to list and watch them`,
      };
    }
    return undefined;
  }

  private isUnknown(group: string, kind: string, namespace?: string): boolean {
    return this.options.cluster.stateOf(group, kind, namespace).state === 'unknown';
  }
}
