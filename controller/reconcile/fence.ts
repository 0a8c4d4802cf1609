import type { ArmClient } from '../../engine/arm/types';
import type { ResolvedCredential } from '../../engine/credentials/types';
import type { KubernetesClient } from '../../engine/kubernetes/types';
import type { ObjectId } from '../../src/object-id';

export interface Fence {
  /**
   * Called for an object just before each request that changes something for it, in Azure or in the cluster.
   * @throws OwnershipLostError where another replica looks after the object
   */
  (object: ObjectId): void;
  /**
   * Awaited for an object before a request that changes something in Azure, and before the call above: what has to be read for it.
   * @throws OwnershipLostError
   */
  readonly confirm?: (object: ObjectId) => Promise<void>;
}

/** The part of the objects that this replica looks after. */
export interface WorkShare {
  /** Whether this replica may begin work on the object now. */
  owns(object: ObjectId): boolean;
}

/** The client, with the fence of an object before each write. Absent fence: this process looks after all objects. */
export function fencedClient<T extends Pick<KubernetesClient, 'withFence'>>(client: T, fence: Fence | undefined, object: ObjectId): T {
  if (!fence) return client;
  if (!client.withFence) throw new Error('writes of this client cannot be fenced');
  return client.withFence(() => fence(object)) as unknown as T;
}

/** All other requests may change something: a POST lists keys, but it also purges a vault, and creates a group of Entra. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The client, with the fence of an object before each request: a read of an object that is another replica's is of no use either. */
export function fencedArmClient(client: ArmClient, fence: Fence | undefined, object: ObjectId): ArmClient {
  if (!fence) return client;
  const beforeSending = () => fence(object);
  const beforeWriting = async () => {
    await fence.confirm?.(object);
    fence(object);
  };
  return {
    subscriptionId: client.subscriptionId,
    endpoint: client.endpoint,
    send: (request, signal) => client.send({
      ...request, beforeSending: fence.confirm && !READS.has(request.method) ? beforeWriting : beforeSending,
    }, signal),
  };
}

/** The credential, with the fence of an object before each request of its clients. */
export function fencedCredential(credential: ResolvedCredential, fence: Fence | undefined, object: ObjectId): ResolvedCredential {
  if (!fence) return credential;
  const { client, graph } = credential;
  return {
    ...credential,
    client: fencedArmClient(client, fence, object),
    ...(graph ? { graph: () => fencedArmClient(graph(), fence, object) } : {}),
  };
}
