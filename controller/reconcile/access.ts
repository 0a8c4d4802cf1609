import type { Cluster } from './cluster';
import { mayGiveAccess, neededBy, type AccessView, type OperatorTokens } from './core/access';
import type { AccessUser } from './core/access-user';
import { isForeign } from './core/adoption';
import { keyOf } from './object-key';
import { policyFor } from './observe';
import { NAMESPACE_SECRET } from '../../engine/credentials';
import { findOrUnknown, UnknownStateError } from '../../engine/kubernetes/cache-state';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { annotation, hasFinalizer } from '../../engine/objects/annotations';
import { allowsDeletion, allowsModification, type ReconcilePolicy } from '../../engine/objects/reconcile-policy';
import { ACCEPTS_CREDENTIALS_FROM, CREDENTIAL_FROM, DELETE_IN_USE, OPERATOR_NAMESPACE, RESOURCE_ID } from '../../src/azure/annotations';
import { propagationSources, type PropagationSource } from '../../src/azure/credential-propagation';

export interface AccessOptions {
  readonly cluster: Cluster;
  readonly operatorNamespace: string;
  readonly defaultPolicy: ReconcilePolicy;
  /** Read at each use, since tokens are renewed. */
  readonly tokens: () => OperatorTokens;
}

/** Finds the objects that still need an identity, its trust, its roles or its resource group, from the informers' caches. */
export class Access {
  public constructor(private readonly options: AccessOptions) {}

  /**
   * The objects for which the deletion of an object has to wait.
   * @throws UnknownStateError when not all objects that may need it are listed
   */
  public neededBy(object: KubernetesObject): readonly AccessUser[] {
    const { group, kind } = keyOf(object);
    if (object.metadata.deletionTimestamp === undefined || !mayGiveAccess(group, kind)) return [];
    const users = findOrUnknown(() => neededBy(object, this.view()));
    if (!(users instanceof UnknownStateError)) return users;
    const cure = `${users.unknown.why}. Until then nobody can tell who still needs this; the annotation ${DELETE_IN_USE}: "true" deletes it all the same`;
    throw UnknownStateError.ofKind({ ...users.unknown, why: cure });
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

  private view(): AccessView {
    const all = (group: string, kind: string) => this.listed(`${group}.azure.com`, kind);
    const secrets = new SecretsByClient(this.listed('', 'Secret'));
    return {
      identities: all('managedidentity', 'UserAssignedIdentity'),
      federations: all('managedidentity', 'FederatedIdentityCredential'),
      roleAssignments: all('authorization', 'RoleAssignment'),
      tokens: this.options.tokens(),
      sourcesOf: (namespace) => this.sourcesOf(namespace),
      usersOf: (clientId) => secrets.of(clientId).flatMap(({ metadata: { namespace = '', name } }) =>
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
      && cluster.find({ group: '', kind: 'Secret', namespace: user.key.namespace, name: user.secret }) !== undefined);
  }

  /** The objects that this controller has claimed and that still have a resource in Azure; of one namespace, or of all. */
  private claimed(namespace?: string): readonly AccessUser[] {
    return this.options.cluster.watched
      .filter(({ type }) => type.group !== '')
      .flatMap(({ type: { group, kind } }) => this.listed(group, kind, namespace))
      .filter((object) => hasFinalizer(object) && this.isOurs(object) && this.needsAzure(object))
      .map((object) => ({
        key: keyOf(object),
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

/** Credential Secrets by the client ID in them. */
class SecretsByClient {
  private readonly secrets = new Map<string, KubernetesObject[]>();

  public constructor(all: readonly KubernetesObject[]) {
    for (const secret of all) {
      const encoded = secret.data?.AZURE_CLIENT_ID;
      if (typeof encoded !== 'string') continue;
      const clientId = Buffer.from(encoded, 'base64').toString('utf8').trim().toLowerCase();
      this.secrets.set(clientId, [...this.of(clientId), secret]);
    }
  }

  public of(clientId: string): readonly KubernetesObject[] {
    return this.secrets.get(clientId.toLowerCase()) ?? [];
  }
}
