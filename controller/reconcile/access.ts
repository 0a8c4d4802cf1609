import type { Cluster } from './cluster';
import { mayGiveAccess, neededBy, type AccessView, type OperatorTokens } from './core/access';
import type { AccessUser } from './core/access-user';
import { isForeign } from './core/adoption';
import { credentialSecretOf } from './credential-users';
import { fetchUnread } from './fetch-unread';
import { MissingReadError, type ForeignReads, type ProtectedSecret, type Read } from './foreign-reads';
import { sharedKeyOf } from './object-key';
import { policyFor } from './observe';
import { NAMESPACE_SECRET } from '../../engine/credentials';
import { findOrUnknown, UnknownStateError, type CachedObject } from '../../engine/kubernetes/cache-state';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import { annotation, hasFinalizer } from '../../engine/objects/annotations';
import { allowsDeletion, allowsModification, type ReconcilePolicy } from '../../engine/objects/reconcile-policy';
import {
  ACCEPTS_CREDENTIALS_FROM,
  CREDENTIAL_FROM,
  DELETE_IN_USE,
  OPERATOR_NAMESPACE,
  PROPAGATE_TO,
  RESOURCE_ID,
} from '../../src/azure/annotations';
import { propagationSources, propagationTargets, type PropagationSource } from '../../src/azure/credential-propagation';
import { type ObjectId, objectIdOf } from '../../src/object-id';
import { decodeSecretValue } from '../../src/util/secret-data';
import { asText } from '../../src/util/words';

export interface AccessOptions {
  readonly cluster: Cluster;
  readonly operatorNamespace: string;
  readonly defaultPolicy: ReconcilePolicy;
  /** Read at each use, since tokens are renewed. */
  readonly tokens: () => OperatorTokens;
  /** Access to namespaces that other replicas look after. Default: there are none. */
  readonly foreign?: ForeignAccess | undefined;
}

/** Access to the objects of namespaces that are not in the caches of this replica. */
export interface ForeignAccess {
  /** All identities of the cluster. Throws UnknownStateError. */
  readonly identities: () => readonly KubernetesObject[];
  readonly reads: Pick<ForeignReads, 'secrets' | 'objects' | 'fetch'>;
}

/** Reads for one object: each may show that another one is needed. */
const MOST_READS = 1_000;

/** Finds the objects that still need an identity, its trust, its roles or its resource group, from the informers' caches. */
export class Access {
  public constructor(private readonly options: AccessOptions) {}

  /**
   * The objects for which the deletion of an object has to wait.
   * @throws UnknownStateError when not all objects that may need it are listed
   */
  public neededBy(object: KubernetesObject): readonly AccessUser[] {
    const { group, kind } = objectIdOf(object);
    if (object.metadata.deletionTimestamp === undefined || !mayGiveAccess(group, kind)) return [];
    const users = findOrUnknown(() => neededBy(object, this.viewOf(object)));
    if (!(users instanceof UnknownStateError)) return users;
    const cure = `${users.unknown.why}. Until then nobody can tell who still needs this; the annotation ${DELETE_IN_USE}: "true" deletes it all the same`;
    throw UnknownStateError.ofKind({ ...users.unknown, why: cure });
  }

  /**
   * Reads what `neededBy` needs: credentials whose contents are not in memory, and what is in the namespaces of other replicas. What cannot
   * be read stays unknown, which `neededBy` reports.
   */
  public async prepare(object: KubernetesObject, signal: AbortSignal): Promise<void> {
    const { group, kind, namespace } = objectIdOf(object);
    const { foreign, cluster } = this.options;
    if (object.metadata.deletionTimestamp === undefined || !mayGiveAccess(group, kind)) return;
    const secrets = findOrUnknown(() => this.credentialSecrets(foreign && namespace));
    if (!(secrets instanceof UnknownStateError)) await fetchUnread(cluster, secrets);
    if (!foreign) return;
    for (let reads = 0; reads < MOST_READS; reads += 1) {
      const missing = missingRead(() => neededBy(object, this.viewOf(object)));
      if (missing === undefined) return;
      try {
        await foreign.reads.fetch(missing, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof KubernetesError)) throw error;
        return;
      }
    }
  }

  /**
   * @throws UnknownStateError. Kinds that the cluster does not serve have no objects; kinds that `--kinds` leaves out belong to other
   * controllers.
   */
  private listed(group: string, kind: string, namespace?: string): readonly KubernetesObject[] {
    const list = this.options.cluster.list(group, kind, namespace);
    if (list.state === 'whole') return list.objects;
    if (list.reason === 'KindNotWatched') return [];
    throw UnknownStateError.ofKind(list);
  }

  private viewOf({ metadata: { namespace = '' } }: KubernetesObject): AccessView {
    return this.options.foreign ? this.sharedView(namespace, this.options.foreign) : this.view();
  }

  /**
   * The view of a replica that keeps only some namespaces in memory: those of the deleted object's own namespace are there. In others, only
   * users count whom their Namespace, or an object of the deleted one's namespace, confirms (`isProven`): only those namespaces are read.
   * Roles and federations of other namespaces are left out, which at most makes the deletion wait for longer.
   */
  private sharedView(own: string, { identities, reads }: ForeignAccess): AccessView {
    const inOwn = (group: string, kind: string) => this.listed(`${group}.azure.com`, kind, own);
    const ownIdentities = inOwn('managedidentity', 'UserAssignedIdentity');
    const federations = inOwn('managedidentity', 'FederatedIdentityCredential');
    const secrets = this.secretsByClient(own);
    const mentioned = mentionedNamespaces(ownIdentities, federations);
    const foreignSecrets = () => reads.secrets().filter(({ namespace }) => namespace !== own);
    const usersIn = ({ namespace, name, kinds }: ProtectedSecret) => this.claimedAmong(
      (kinds.length > 0 ? kinds.map(groupKindOf) : this.azureKinds).flatMap(({ group, kind }) => reads.objects(group, kind, namespace)),
    ).filter(({ secret }) => secret === name);
    return {
      identities: [...ownIdentities, ...identities().filter(({ metadata }) => metadata.namespace !== own)],
      federations,
      roleAssignments: inOwn('authorization', 'RoleAssignment'),
      tokens: this.options.tokens(),
      sourcesOf: (namespace) => this.sourcesOf(namespace),
      usersOf: (clientId) => [
        ...secrets.of(clientId).flatMap(({ name }) => this.claimed(own).filter(({ secret }) => secret === name)),
        ...foreignSecrets()
          .filter(({ namespace, clientId: id }) => id === clientId.toLowerCase() && this.mayBeProven(namespace, mentioned))
          .flatMap(usersIn),
      ],
      // Users in the namespace of the deleted object do not count here (`usersByGroup`).
      usersBelow: (armId) => foreignSecrets()
        .filter(({ namespace }) => this.sourcesOf(namespace)?.some((source) => source.namespace === own) ?? true)
        .flatMap(usersIn)
        .filter((user) => user.armId?.toLowerCase().startsWith(`${armId}/`.toLowerCase())),
    };
  }

  private mayBeProven(namespace: string, mentioned: ReadonlySet<string>): boolean {
    return mentioned.has(namespace) || this.sourcesOf(namespace)?.length !== 0;
  }

  private get azureKinds(): readonly { readonly group: string; readonly kind: string }[] {
    return this.options.cluster.watched.map(({ type }) => type).filter(({ group }) => group !== '');
  }

  private view(): AccessView {
    const all = (group: string, kind: string) => this.listed(`${group}.azure.com`, kind);
    const secrets = this.secretsByClient();
    return {
      identities: all('managedidentity', 'UserAssignedIdentity'),
      federations: all('managedidentity', 'FederatedIdentityCredential'),
      roleAssignments: all('authorization', 'RoleAssignment'),
      tokens: this.options.tokens(),
      sourcesOf: (namespace) => this.sourcesOf(namespace),
      usersOf: (clientId) => secrets.of(clientId).flatMap(({ namespace, name }) =>
        this.claimed(namespace).filter(({ secret }) => secret === name)),
      usersBelow: (armId) => this.usersBelow(armId),
    };
  }

  private sourcesOf(name: string): readonly PropagationSource[] | undefined {
    const namespace = this.options.cluster.find({ group: '', kind: 'Namespace', namespace: '', name });
    return namespace && propagationSources(namespace.metadata.annotations?.[ACCEPTS_CREDENTIALS_FROM] ?? '').entries;
  }

  private usersBelow(armId: string): readonly AccessUser[] {
    const above = `${armId}/`.toLowerCase();
    const { cluster } = this.options;
    return this.claimed().filter((user) => user.armId?.toLowerCase().startsWith(above)
      && cluster.findMetadata({ group: '', kind: 'Secret', namespace: user.key.namespace, name: user.secret }) !== undefined);
  }

  private secretsByClient(namespace?: string): SecretsByClient {
    return new SecretsByClient(() => this.credentialSecrets(namespace), (key) => this.options.cluster.read(key));
  }

  /**
   * The Secrets that claimed objects use as their credentials; in one namespace, or in all. Other Secrets have no users, whatever client ID
   * is in them.
   * @throws UnknownStateError when not all objects are listed
   */
  private credentialSecrets(namespace?: string): readonly ObjectId[] {
    const secrets = new Map<string, ObjectId>();
    for (const { group, kind } of this.azureKinds) {
      for (const object of this.listed(group, kind, namespace)) {
        if (!hasFinalizer(object) || !this.isOurs(object)) continue;
        const key = credentialSecretOf(object);
        secrets.set(sharedKeyOf(key), key);
      }
    }
    return [...secrets.values()];
  }

  /** The objects that this controller has claimed and that still have a resource in Azure; of one namespace, or of all. */
  private claimed(namespace?: string): readonly AccessUser[] {
    return this.claimedAmong(this.azureKinds.flatMap(({ group, kind }) => this.listed(group, kind, namespace)));
  }

  private claimedAmong(objects: readonly KubernetesObject[]): readonly AccessUser[] {
    return objects
      .filter((object) => hasFinalizer(object) && this.isOurs(object) && this.needsAzure(object))
      .map((object) => ({
        key: objectIdOf(object),
        object,
        secret: annotation(object, CREDENTIAL_FROM) ?? NAMESPACE_SECRET,
        armId: annotation(object, RESOURCE_ID),
        isDeleting: object.metadata.deletionTimestamp !== undefined,
      }));
  }

  private isOurs(object: KubernetesObject): boolean {
    const operator = annotation(object, OPERATOR_NAMESPACE);
    return operator === undefined || operator === this.options.operatorNamespace;
  }

  /** Objects that only watch their resource, or leave it behind, need no permission to delete it. */
  private needsAzure(object: KubernetesObject): boolean {
    const { policy } = policyFor(object, this.options.cluster, this.options.defaultPolicy);
    return object.metadata.deletionTimestamp === undefined ? allowsModification(policy) : allowsDeletion(policy) && !isForeign(object);
  }
}

function missingRead(act: () => unknown): Read | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof MissingReadError) return error.read;
    if (error instanceof UnknownStateError) return undefined;
    throw error;
  }
}

/** The namespaces to which identities propagate Secrets, or whose service accounts they trust. */
function mentionedNamespaces(
  identities: readonly KubernetesObject[], federations: readonly KubernetesObject[],
): ReadonlySet<string> {
  const targets = identities.flatMap((identity) => propagationTargets(annotation(identity, PROPAGATE_TO) ?? '').entries);
  const trusted = federations.map(({ spec = {} }) => /^system:serviceaccount:([^:]+):/.exec(asText(spec.subject ?? ''))?.[1]);
  return new Set([...targets.map(({ namespace }) => namespace), ...trusted.filter((namespace) => namespace !== undefined)]);
}

/** `ResourceGroup.resources.azure.com` */
function groupKindOf(text: string): { readonly group: string; readonly kind: string } {
  const dot = text.indexOf('.');
  return { kind: text.slice(0, dot), group: text.slice(dot + 1) };
}

/** Credential Secrets by the client ID in them. */
class SecretsByClient {
  private secrets: ReadonlyMap<string, readonly ObjectId[]> | undefined;

  public constructor(private readonly all: () => readonly ObjectId[], private readonly read: (key: ObjectId) => CachedObject) {}

  /** @throws UnknownStateError when one of them cannot be read: it may have this client ID */
  public of(clientId: string): readonly ObjectId[] {
    this.secrets ??= this.byClient();
    return this.secrets.get(clientId.toLowerCase()) ?? [];
  }

  private byClient(): ReadonlyMap<string, readonly ObjectId[]> {
    const found = new Map<string, ObjectId[]>();
    // All are read before the first error, so that the contents that are missing come at once.
    for (const [key, cached] of this.all().map((secret) => [secret, this.read(secret)] as const)) {
      if (cached.state === 'unknown') throw UnknownStateError.ofObject(cached, key);
      const encoded = cached.state === 'present' ? cached.object.data?.AZURE_CLIENT_ID : undefined;
      if (typeof encoded !== 'string') continue;
      const clientId = decodeSecretValue(encoded).trim().toLowerCase();
      const secrets = found.get(clientId);
      if (secrets) secrets.push(key);
      else found.set(clientId, [key]);
    }
    return found;
  }
}
