import {
  CRD_KIND, KubernetesError, type KubernetesClient, type KubernetesListWatch, type KubernetesObject, type ResourceType,
} from '../../engine/kubernetes';
import type { Logger } from '../../runtime/log/log';
import { isRecord, member } from '../../src/util/records';
import { safeText } from '../apply/failures';
import type { ApiFacts } from '../definition/api-facts';

export interface StoredVersionsOptions {
  readonly client: Pick<KubernetesClient, 'get' | 'patch' | 'replaceStatus'> & Pick<KubernetesListWatch, 'list'>;
  readonly facts: readonly Pick<ApiFacts, 'group' | 'kind' | 'plural' | 'namespaced' | 'versions'>[];
  readonly now: () => number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** API servers learn of a new storage version one after the other, and write in the one before until then. */
const SETTLED_MS = 60_000;
/** Between two tries, where the API server refuses a claim. */
const RETRY_MS = 5 * 60_000;
const PAGE = 500;

/**
 * Writes claims that may be stored in an older version anew, each as it is, which stores it in the version of the CRD, and then takes the
 * older versions off `status.storedVersions`: the API server lets no version be removed from a CRD before.
 *
 * @see https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#upgrade-existing-objects-to-a-new-stored-version
 */
export class StoredVersions {
  /** When the claims may be written, by the name of the CRD. */
  private readonly from = new Map<string, number>();
  private readonly done = new Set<string>();
  private readonly said = new Map<string, string>();
  private isBusy = false;

  public constructor(private readonly options: StoredVersionsOptions) {}

  /** Looks once at each kind with older versions. Failures are logged, and tried again with the next call. */
  public async look(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      for (const kind of this.options.facts.filter(({ versions }) => versions.length > 1)) {
        const crd = `${kind.plural}.${kind.group}`;
        if (this.done.has(crd)) continue;
        try {
          if (await this.migrate(crd, kind)) this.done.add(crd);
        } catch (error) {
          if (!(error instanceof KubernetesError)) throw error;
          this.from.set(crd, this.options.now() + RETRY_MS);
          this.complain(crd, `claims of ${crd} stay in older stored versions for now: ${safeText(error.message)}`);
        }
      }
    } finally {
      this.isBusy = false;
    }
  }

  /** Whether all claims are stored in the definition's version, and the CRD says so. */
  private async migrate(
    name: string, { group, kind, plural, namespaced, versions: [{ name: version }] }: StoredVersionsOptions['facts'][number],
  ): Promise<boolean> {
    const { client, now, logger } = this.options;
    const before = await client.get(CRD_KIND, name);
    if (!before || storageVersion(before) !== version) {
      this.from.delete(name);
      return false;
    }
    const stored = storedVersions(before);
    if (stored.every((one) => one === version)) return true;
    if (!this.from.has(name)) this.from.set(name, now() + SETTLED_MS);
    if (now() < this.from.get(name)!) return false;
    const count = await this.writeAll({ group, version, plural, kind, namespaced });
    const crd = await client.get(CRD_KIND, name);
    // Another storage version meanwhile: claims may have been written in that one.
    if (!crd || storageVersion(crd) !== version || storedVersions(crd).join() !== stored.join()) return false;
    const status = { ...crd.status, storedVersions: [version] } as NonNullable<KubernetesObject['status']>;
    await client.replaceStatus(CRD_KIND, { ...crd, status });
    logger.info({ crd: name, claims: count, version, before: stored.join(',') }, 'all claims are stored in the version of the definition');
    return true;
  }

  /** Answers their number. @throws KubernetesError where the API server refuses a claim: then none of the versions may go */
  private async writeAll(type: ResourceType): Promise<number> {
    const { client } = this.options;
    let count = 0;
    let next: string | undefined;
    do {
      const page = await client.list(type, { limit: PAGE, ...(next === undefined ? {} : { continue: next }) });
      for (const { metadata: { name, namespace, uid, resourceVersion } } of page.items) {
        const asItIs = { metadata: { uid, resourceVersion } };
        await client.patch(type, name, namespace, asItIs, 'application/merge-patch+json').catch((error: unknown) => {
          // Written by somebody else meanwhile, and so in the storage version, or gone.
          if (!(error instanceof KubernetesError) || (error.status !== 409 && error.status !== 404)) throw error;
        });
        count += 1;
      }
      next = page.continue;
    } while (next !== undefined);
    return count;
  }

  private complain(crd: string, message: string): void {
    if (this.said.get(crd) !== message) this.options.logger.warn({ crd }, message);
    this.said.set(crd, message);
  }
}

/** The version in which the API server stores new objects of a CRD. */
export function storageVersion({ spec }: KubernetesObject): string | undefined {
  const versions: unknown = spec?.versions;
  const found: unknown = Array.isArray(versions) ? versions.find((one) => isRecord(one) && one.storage === true) : undefined;
  const name = isRecord(found) ? found.name : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** The versions in which objects of a CRD may be stored. */
export function storedVersions({ status }: KubernetesObject): string[] {
  const stored = member(status, 'storedVersions');
  return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
}
