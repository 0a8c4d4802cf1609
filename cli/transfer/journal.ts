import { PHASES, type Item, type Journal } from './types';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../engine/kubernetes/types';
import { Catalog } from '../../src/catalog';
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
const CHECK_MS = 1_000;
const VALUE = /^(?:Secret|ConfigMap)\/[a-z0-9][-.a-z0-9]*$/;
const PART = /^[A-Za-z0-9][-.A-Za-z0-9]*$/;
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
  private checkedAt = -Infinity;

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
      if (!(error instanceof KubernetesError) || ![404, 409].includes(error.status)) throw error;
      throw this.changed();
    }
  }

  /** Asked before each write of a transfer; reads the ConfigMap at most once a second. @throws JournalError as {@link write} */
  public async assertCurrent(now: number): Promise<void> {
    if (now - this.checkedAt < CHECK_MS) return;
    this.checkedAt = now;
    const current = await this.client.get(CONFIG_MAPS, JOURNAL_NAME, this.namespace);
    if (current?.metadata.resourceVersion !== this.stored?.metadata.resourceVersion) throw this.changed();
  }

  public async remove(): Promise<void> {
    await this.client.delete(CONFIG_MAPS, JOURNAL_NAME, this.namespace).catch((error: unknown) => {
      if (!(error instanceof KubernetesError) || error.status !== 404) throw error;
    });
    this.stored = undefined;
  }

  private changed(): JournalError {
    return new JournalError(`the journal, ConfigMap ${this.namespace}/${JOURNAL_NAME}, was changed or removed meanwhile: does another process go on with this transfer? Wait for its end, then run the transfer again`);
  }
}

/** The journal is an object that others may write: it may name nothing outside of its namespace and of Azure's kinds. */
function parsed(journal: string | undefined, namespace: string): Journal {
  let value: unknown;
  try {
    value = JSON.parse(journal ?? '');
  } catch {
    value = undefined;
  }
  if (!isJournal(value) || value.fromNamespace !== namespace) {
    throw new JournalError(`ConfigMap ${namespace}/${JOURNAL_NAME} is no journal of a transfer, or was edited. Remove it: objects that are held are marked, so a new run takes them up`);
  }
  return value;
}

function isJournal(value: unknown): value is Journal {
  if (!isRecord(value)) return false;
  const { fromNamespace, toNamespace, toServer, startedAt, phase, begun, items, values } = value;
  return [fromNamespace, toNamespace, toServer, startedAt].every((one) => typeof one === 'string')
    && (PHASES as readonly unknown[]).includes(phase)
    && (begun === undefined || begun === 'hand-over' || begun === 'undo')
    && Array.isArray(items) && items.length <= MOST_ITEMS && items.every(isItem)
    && Array.isArray(values) && values.every((one) => typeof one === 'string' && VALUE.test(one));
}

function isItem(value: unknown): value is Item {
  if (!isRecord(value)) return false;
  const { key, name, uid, generation, policy, adopt, needs, type } = value;
  return [key, name, uid].every((one) => typeof one === 'string' && one !== '')
    && [policy, adopt].every((one) => one === undefined || typeof one === 'string')
    && (generation === undefined || typeof generation === 'number')
    && Array.isArray(needs) && needs.every((one) => typeof one === 'string')
    && isAzureType(type);
}

/** The parts of a type become parts of URLs. */
function isAzureType(value: unknown): value is ResourceType {
  if (!isRecord(value)) return false;
  const { group, version, plural, kind, namespaced } = value;
  return namespaced === true
    && [group, version, plural, kind].every((one) => typeof one === 'string' && PART.test(one))
    && Catalog.default().kind(String(group), String(kind)) !== undefined;
}
