import type { Cluster } from './cluster';
import { markedKinds } from './credential-marks';
import type { Clock } from '../../engine/clock';
import { listAll } from '../../engine/informers/list-all';
import { unknownState, UnknownStateError } from '../../engine/kubernetes/cache-state';
import type { KubernetesClient, KubernetesListWatch, KubernetesObject, ResourceType } from '../../engine/kubernetes/types';
import { CREDENTIAL_FINALIZER, RESOURCE_ID } from '../../src/azure/annotations';
import { ownValue } from '../../src/util/elements';
import { decodeSecretValue } from '../../src/util/secret-data';
import { setNewest } from '../../src/util/set-newest';

/** A Secret that some object of its namespace uses as its credential. */
export interface ProtectedSecret {
  readonly namespace: string;
  readonly name: string;
  /** In lower case. */
  readonly clientId: string | undefined;
  /** The kinds of its users, and perhaps more, `ResourceGroup.resources.azure.com`. Empty: not known. */
  readonly kinds: readonly string[];
}

/** An object, and the resource for which it stands by its annotation. */
export interface ClaimedResource {
  readonly uid: string;
  /** In lower case. */
  readonly armId: string;
}

/**
 * A read that a decision needs: of the Secrets, or of the objects of a kind in a namespace. Without a namespace: of the resources of all
 * objects of the kind.
 */
export type Read = 'secrets' | { readonly group: string; readonly kind: string; readonly namespace: string | undefined };

/** An answer that is needed was not read yet, or is too old. */
export class MissingReadError extends UnknownStateError {
  public constructor(public readonly read: Read) {
    const named = read === 'secrets' ? { group: '', kind: 'Secret' } : read;
    super({ ...unknownState(named, 'namespaces that other replicas look after could not be read'), isMomentary: true }, NEEDED_FOR);
    this.name = 'MissingReadError';
  }
}

const NEEDED_FOR = 'the objects that the deletion depends on';

interface Answer<T> {
  readonly at: number;
  readonly value: Promise<T>;
  /** Undefined: not answered yet. */
  settled?: T;
}

/** An answer of the API server counts for so many milliseconds, for all decisions. */
const FRESH_FOR_MS = 10_000;
const PAGE_SIZE = 500;
const MOST_ANSWERS = 5_000;
const SECRETS: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };

/**
 * Reads of namespaces that other replicas look after, for the rare decisions that need them. A Secret is in use if the credential guard of
 * its namespace has set its finalizer, which happens before the first request of a user.
 */
export class ForeignReads {
  private readonly answers = new Map<string, Answer<readonly unknown[]>>();
  /** Client IDs of protected Secrets, by uid and resourceVersion. Undefined: there is none in it. */
  private readonly clientIds = new Map<string, string | undefined>();

  public constructor(
    private readonly cluster: Cluster,
    private readonly client: Pick<KubernetesListWatch, 'list'> & Pick<KubernetesClient, 'get'>,
    private readonly clock: Clock,
  ) {}

  /** @throws MissingReadError */
  public secrets(): readonly ProtectedSecret[] {
    return this.known<ProtectedSecret>('secrets');
  }

  /**
   * The objects of a kind; a kind that this controller does not watch belongs to another one, and has none here.
   * @throws MissingReadError
   */
  public objects(group: string, kind: string, namespace: string): readonly KubernetesObject[] {
    return this.cluster.typeOf(group, kind) ? this.known<KubernetesObject>({ group, kind, namespace }) : [];
  }

  /**
   * The objects of a kind that this controller watches, in all namespaces, that have a resource.
   * @throws MissingReadError
   */
  public resources(group: string, kind: string): readonly ClaimedResource[] {
    return this.known<ClaimedResource>({ group, kind, namespace: undefined });
  }

  /** @throws KubernetesError */
  public async fetch(read: Read, signal: AbortSignal): Promise<void> {
    const name = nameOf(read);
    const known = this.answers.get(name);
    const now = this.clock.now();
    if (known && now - known.at <= FRESH_FOR_MS) {
      await known.value;
      return;
    }
    const answer: Answer<readonly unknown[]> = { at: now, value: this.read(read, signal) };
    setNewest(this.answers, name, answer, MOST_ANSWERS);
    try {
      answer.settled = await answer.value;
    } catch (error) {
      if (this.answers.get(name) === answer) this.answers.delete(name);
      throw error;
    }
  }

  private known<T>(read: Read): readonly T[] {
    const answer = this.answers.get(nameOf(read));
    if (!answer?.settled || this.clock.now() - answer.at > FRESH_FOR_MS) throw new MissingReadError(read);
    return answer.settled as readonly T[];
  }

  private async read(read: Read, signal: AbortSignal): Promise<readonly unknown[]> {
    const options = { pageSize: PAGE_SIZE, onRestart: () => undefined };
    if (read === 'secrets') {
      const keeps = ({ metadata: { finalizers } }: KubernetesObject) => finalizers?.includes(CREDENTIAL_FINALIZER) === true;
      const selection = { fieldSelector: 'type!=helm.sh/release.v1', metadataOnly: true };
      const { items } = await listAll(this.client, SECRETS, selection, { ...options, keeps }, signal);
      return this.protectedSecrets(items);
    }
    const { type } = this.cluster.typeOf(read.group, read.kind)!;
    if (read.namespace === undefined) return this.resourceIds(type, signal);
    const { items } = await listAll(this.client, type, { namespace: read.namespace }, options, signal);
    return items;
  }

  /** Keeps some hundred bytes of each object: there may be very many. */
  private async resourceIds(type: ResourceType, signal: AbortSignal): Promise<readonly ClaimedResource[]> {
    let found: ClaimedResource[] = [];
    const keeps = ({ metadata: { uid = '', annotations = {} } }: KubernetesObject) => {
      const armId = ownValue(annotations, RESOURCE_ID);
      if (armId !== undefined) found.push({ uid, armId: armId.toLowerCase() });
      return false;
    };
    const onRestart = () => { found = []; };
    await listAll(this.client, type, { metadataOnly: true }, { pageSize: PAGE_SIZE, keeps, onRestart }, signal);
    return found;
  }

  /** Reads the contents of those Secrets that have changed since they were last read; of each its client ID is kept. */
  private async protectedSecrets(all: readonly KubernetesObject[]): Promise<readonly ProtectedSecret[]> {
    const known = this.clientIds;
    const versions = new Set(all.map(versionOf));
    for (const version of known.keys()) if (!versions.has(version)) known.delete(version);
    const found = await Promise.all(all.map(async (secret): Promise<readonly ProtectedSecret[]> => {
      const { name, namespace = '' } = secret.metadata;
      if (known.has(versionOf(secret))) return [protectedSecret(secret, known.get(versionOf(secret)))];
      // All at once: the connection's own queue sends some at a time, fairly by namespace.
      const whole = await this.client.get(SECRETS, name, namespace);
      if (!whole) return [];
      const clientId = clientIdOf(whole);
      known.set(versionOf(whole), clientId);
      return [protectedSecret(whole, clientId)];
    }));
    return found.flat();
  }
}

function clientIdOf({ data }: KubernetesObject): string | undefined {
  const encoded = data?.AZURE_CLIENT_ID;
  return typeof encoded === 'string' ? decodeSecretValue(encoded).trim().toLowerCase() : undefined;
}

function protectedSecret({ metadata }: KubernetesObject, clientId: string | undefined): ProtectedSecret {
  const { namespace = '', name } = metadata;
  return { namespace, name, clientId, kinds: [...markedKinds(metadata)] };
}

function versionOf({ metadata: { uid, resourceVersion } }: KubernetesObject): string {
  return `${uid}@${resourceVersion}`;
}

function nameOf(read: Read): string {
  return read === 'secrets' ? read : `${read.group}/${read.kind}/${read.namespace ?? ''}`;
}
