import type { Journal } from './types';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../engine/kubernetes/types';
import { isRecord, text } from '../../src/util/records';
import { CONFIG_MAPS } from '../cluster/resource-types';

/** The requests that keep a journal. */
export interface JournalClient {
  get(type: ResourceType, name: string, namespace?: string): Promise<KubernetesObject | undefined>;
  create(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject>;
  replace(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject>;
  delete(type: ResourceType, name: string, namespace?: string): Promise<void>;
}

/** Name of the ConfigMap, in the namespace that is left. */
export const JOURNAL_NAME = 'cdk8s-aso-transfer';
const KEY = 'journal';
/** A ConfigMap holds 1 MiB. */
export const MOST_ITEMS = 4_000;

/** The journal that cannot be read, or that another process has written meanwhile. */
export class JournalError extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'JournalError';
  }
}

/** The state of a transfer on the cluster. A write is refused where another process has written since. */
export class JournalStore {
  private stored: KubernetesObject | undefined;

  public constructor(private readonly client: JournalClient, private readonly namespace: string) {}

  /** @throws JournalError where the ConfigMap is none of ours, or of another release */
  public async read(): Promise<Journal | undefined> {
    this.stored = await this.client.get(CONFIG_MAPS, JOURNAL_NAME, this.namespace);
    return this.stored && parsed(text(this.stored.data, KEY), this.namespace);
  }

  /** @throws JournalError where another process goes on with the transfer */
  public async write(journal: Journal): Promise<void> {
    const data = { [KEY]: JSON.stringify(journal) };
    try {
      this.stored = this.stored
        ? await this.client.replace(CONFIG_MAPS, { ...this.stored, data })
        : await this.client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: JOURNAL_NAME, namespace: this.namespace }, data });
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 409) throw error;
      throw new JournalError(`another process goes on with this transfer: ConfigMap ${this.namespace}/${JOURNAL_NAME} has changed. Wait for it, or run again`);
    }
  }

  public async remove(): Promise<void> {
    await this.client.delete(CONFIG_MAPS, JOURNAL_NAME, this.namespace).catch((error: unknown) => {
      if (!(error instanceof KubernetesError) || error.status !== 404) throw error;
    });
    this.stored = undefined;
  }
}

function parsed(journal: string | undefined, namespace: string): Journal {
  let value: unknown;
  try {
    value = JSON.parse(journal ?? '');
  } catch {
    value = undefined;
  }
  if (!isRecord(value) || !Array.isArray(value.items) || typeof value.phase !== 'string' || typeof value.toNamespace !== 'string') {
    throw new JournalError(`ConfigMap ${namespace}/${JOURNAL_NAME} is no journal of a transfer. Remove it if no transfer is under way`);
  }
  return value as unknown as Journal;
}
