import { randomUUID } from 'node:crypto';
import type { MigratedKind } from './migrated-kinds';
import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../engine/kubernetes/types';
import { isRecord } from '../../src/util/records';
import { CONFIG_MAPS } from '../cluster/resource-types';

/** Name of the journal, of the lease, of the admission policy, and prefix of the records of versions. */
export const MIGRATION = 'cdk8s-aso-migration';
const FORMAT = 'cdk8s-aso/migration/1';
const KEY = 'journal';

export type Direction = 'from-aso' | 'to-aso';

/** State of a migration, as the cluster keeps it. */
export interface JournalState {
  readonly format: typeof FORMAT;
  readonly id: string;
  readonly direction: Direction;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly kinds: readonly MigratedKind[];
  /** Steps that are done, in their order. */
  readonly done: readonly string[];
  /** CRDs whose objects are all rewritten. */
  readonly rewritten: readonly string[];
  /** Name of ASO's Helm release; absent: it was not installed with Helm. */
  readonly helmRelease?: string;
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
  /** Undefined: there was never a migration. */
  public static async read(client: KubernetesClient, namespace: string): Promise<Journal | undefined> {
    const object = await client.get(CONFIG_MAPS, MIGRATION, namespace);
    return object && new Journal(client, object, stateOf(object));
  }

  /** Begins a migration. Takes the place of the journal of a finished one. */
  public static async begin(
    client: KubernetesClient, namespace: string, state: Pick<JournalState, 'direction' | 'kinds' | 'helmRelease'>, now: number,
  ): Promise<Journal> {
    const before = await Journal.read(client, namespace);
    const begun: JournalState = {
      ...state, format: FORMAT, id: randomUUID(), startedAt: new Date(now).toISOString(), done: [], rewritten: [],
    };
    if (before) {
      await before.write(begun);
      return before;
    }
    const object = {
      apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: MIGRATION, namespace }, data: { [KEY]: JSON.stringify(begun) },
    };
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

  public update(change: Partial<Pick<JournalState, 'done' | 'rewritten' | 'finishedAt'>>): Promise<void> {
    return this.write({ ...this.current, ...change });
  }

  private async write(state: JournalState): Promise<void> {
    try {
      this.object = await this.client.replace(CONFIG_MAPS, { ...this.object, data: { [KEY]: JSON.stringify(state) } });
      this.current = state;
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 409) throw error;
      throw new JournalError(`another process has written the journal (ConfigMap ${MIGRATION}): this one stops`);
    }
  }
}

function stateOf(object: KubernetesObject): JournalState {
  let state: unknown;
  try {
    state = JSON.parse(object.data?.[KEY] ?? '');
  } catch {
    state = undefined;
  }
  const where = `ConfigMap ${object.metadata.namespace}/${MIGRATION}`;
  if (!isRecord(state)) throw new JournalError(`the journal (${where}) cannot be read: it is no JSON object`);
  if (state.format !== FORMAT) throw new JournalError(`the journal (${where}) was written by another release of this program: go on with that one`);
  return state as unknown as JournalState;
}
