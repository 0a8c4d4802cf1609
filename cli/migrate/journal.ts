import { randomUUID } from 'node:crypto';
import { FORMAT, parsedState, type JournalState } from './journal-state';
import { noteOf } from './way-back';
import { KubernetesError, type KubernetesClient, type KubernetesListWatch, type KubernetesObject } from '../../engine/kubernetes/types';
import { MIGRATION_FINALIZER } from '../../src/azure/annotations';
import { listPages } from '../cluster/reader';
import { CONFIG_MAPS, NAMESPACES } from '../cluster/resource-types';

/** Name of the journal, of the lease, of the admission policy, and prefix of the records of versions. */
export const MIGRATION = 'cdk8s-aso-migration';
const KEY = 'journal';
const NOTE = 'note';

/** The part of the state that is known at the beginning. */
export type NewJournal = Pick<JournalState, 'direction' | 'kinds' | 'helmRelease' | 'asoRelease' | 'installedByUser'>;

export interface BeginOptions {
  readonly now: number;
  /** Id of the journal that was there at the preflight. */
  readonly before?: string | undefined;
}

/** The journal cannot be read, or another process has written it. */
export class JournalError extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'JournalError';
  }
}

/** The journal of a migration: a ConfigMap in the operator's namespace. Every write is bound to the version that was read. */
export class Journal {
  /**
   * Undefined: there was never a migration.
   * @throws JournalError where the ConfigMap is no journal of this release and of this cluster
   */
  public static async read(client: KubernetesClient, namespace: string): Promise<Journal | undefined> {
    const object = await client.get(CONFIG_MAPS, MIGRATION, namespace);
    if (!object) return undefined;
    const journal = new Journal(client, object, stateOf(object));
    if (journal.isFinished || journal.state.cluster === await clusterOf(client)) return journal;
    throw new JournalError(`the journal (ConfigMap ${namespace}/${MIGRATION}) is of another cluster, perhaps from a backup: remove its finalizer ${MIGRATION_FINALIZER}, and delete it`);
  }

  /**
   * Namespaces with a ConfigMap of this name. Tenants can create one, too: a journal is only followed in the operator's namespace, or where
   * the user has named another one.
   */
  public static async namespaces(client: Pick<KubernetesListWatch, 'list'>): Promise<string[]> {
    const found = await listPages(client, CONFIG_MAPS, { fieldSelector: `metadata.name=${MIGRATION}`, metadataOnly: true });
    return found.map(({ metadata }) => metadata.namespace ?? '');
  }

  /**
   * Begins a migration. Takes the place of the journal of a finished one. The caller holds the lease.
   * @throws JournalError where another process has begun a migration since
   */
  public static async begin(
    client: KubernetesClient, namespace: string, state: NewJournal, { now, before }: BeginOptions,
  ): Promise<Journal> {
    const there = await Journal.read(client, namespace);
    if (there?.state.id !== before || there?.isFinished === false) {
      throw new JournalError('another process has begun a migration since the check: run again, and it is looked at anew');
    }
    const begun: JournalState = {
      ...state,
      format: FORMAT,
      id: randomUUID(),
      cluster: await clusterOf(client),
      startedAt: new Date(now).toISOString(),
      done: [],
      rewritten: [],
    };
    if (there) {
      await there.write(begun);
      return there;
    }
    const metadata = { name: MIGRATION, namespace, finalizers: [MIGRATION_FINALIZER] };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: dataOf(begun) };
    return new Journal(client, await client.create(CONFIG_MAPS, object), begun);
  }

  private constructor(
    private readonly client: KubernetesClient,
    private object: KubernetesObject,
    private current: JournalState,
  ) {}

  public get state(): JournalState {
    return this.current;
  }

  public get isFinished(): boolean {
    return this.current.finishedAt !== undefined;
  }

  /** Whether somebody has deleted it. It goes when the migration is finished. */
  public get isDeleted(): boolean {
    return this.object.metadata.deletionTimestamp !== undefined;
  }

  /** Turns a migration from ASO, of which ASO's CRDs are replaced already, into one to ASO. The caller holds the lease. */
  public async turnRound(state: Omit<NewJournal, 'direction'>, now: number): Promise<void> {
    const { format, cluster } = this.current;
    await this.write({
      ...state, format, cluster, direction: 'to-aso', turned: true, id: randomUUID(), startedAt: new Date(now).toISOString(), done: [], rewritten: [],
    });
  }

  /** Writes a state that lacks members of the present one. */
  public replace(state: JournalState): Promise<void> {
    return this.write(state);
  }

  public update(change: Partial<Omit<JournalState, 'format' | 'id' | 'cluster' | 'direction' | 'startedAt'>>): Promise<void> {
    return this.write({ ...this.current, ...change });
  }

  private async write(state: JournalState): Promise<void> {
    const { metadata } = this.object;
    const { finalizers: before = [] } = metadata;
    const others = before.filter((finalizer) => finalizer !== MIGRATION_FINALIZER);
    // A journal that is deleted by hand stays until the end; the API server takes no new finalizer while an object is being deleted.
    const running = metadata.deletionTimestamp === undefined ? [...others, MIGRATION_FINALIZER] : before;
    const finalizers = state.finishedAt === undefined ? running : others;
    try {
      this.object = await this.client.replace(CONFIG_MAPS, {
        ...this.object, metadata: { ...metadata, finalizers }, data: dataOf(state),
      });
      this.current = state;
    } catch (error) {
      if (!(error instanceof KubernetesError)) throw error;
      if (error.status === 409 && await this.isWritten(state)) return;
      if (error.status === 409) throw new JournalError(`another process has written the journal (ConfigMap ${MIGRATION}): this one stops`);
      if (error.status === 404) throw new JournalError(`the journal (ConfigMap ${metadata.namespace}/${MIGRATION}) was deleted in the middle of the migration, with its finalizer: this process stops`);
      throw error;
    }
  }

  /** Whether an earlier write of this state, whose answer was lost, has arrived. */
  private async isWritten(state: JournalState): Promise<boolean> {
    const found = await this.client.get(CONFIG_MAPS, MIGRATION, this.object.metadata.namespace);
    if (found?.data?.[KEY] !== JSON.stringify(state)) return false;
    this.object = found;
    this.current = state;
    return true;
  }
}

/** Beside the state, sentences for people who find the ConfigMap. */
function dataOf(state: JournalState): Record<string, string> {
  return { [KEY]: JSON.stringify(state), [NOTE]: noteOf(state).join('\n') };
}

function stateOf({ metadata, data }: KubernetesObject): JournalState {
  const where = `ConfigMap ${metadata.namespace}/${MIGRATION}`;
  const state = parsedState(data?.[KEY] ?? '');
  if (typeof state === 'string') throw new JournalError(`the journal (${where}) cannot be read: ${state}`);
  return state;
}

async function clusterOf(client: KubernetesClient): Promise<string> {
  const { uid } = (await client.get(NAMESPACES, 'kube-system'))?.metadata ?? {};
  if (uid === undefined) throw new JournalError('the cluster has no namespace kube-system, by whose uid the journal names it');
  return uid;
}
