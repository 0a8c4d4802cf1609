import { isDeepStrictEqual } from 'node:util';
import type { WatchedType } from './cluster';
import { fencedClient, type Fence } from './fence';
import { isRefusal, type RefusedStatuses } from './refused-writes';
import { KubernetesError, type KubernetesClient, type KubernetesObject, type ResourceType } from '../../engine/kubernetes/types';
import { OPERATOR_NAMESPACE } from '../../src/azure/annotations';
import { objectIdOf, versionNameOf } from '../../src/object-id';
import { jsonEquals } from '../../src/util/json-equals';

type Texts = Readonly<Record<string, string>> | undefined;

/** Writes an object's changes of a reconcile: the main object first, then the status (docs/spec/reconcile.md#steps). */
export class ObjectWriter {
  /**
   * @param refused statuses that the API server has refused before
   * @param onRefused called for a status that the API server refuses
   * @param fence called just before each write
   */
  public constructor(
    private readonly client: KubernetesClient,
    private readonly refused: RefusedStatuses,
    private readonly onRefused: (object: KubernetesObject, error: KubernetesError) => void = () => undefined,
    private readonly fence?: Fence,
  ) {}

  /**
   * Writes the metadata if it differs from the stored object. Returns the object with the server's metadata and the wanted status;
   * undefined when the object is gone.
   */
  public async writeMain(watched: WatchedType, stored: KubernetesObject, wanted: KubernetesObject): Promise<KubernetesObject | undefined> {
    const metadata = metadataPatch(stored, wanted);
    if (!metadata) return wanted;
    const { name, namespace } = stored.metadata;
    const answer = await inVersionOf(wanted, watched, (type) =>
      this.clientFor(stored).patch(type, name, namespace, { metadata }, 'application/merge-patch+json'),
    );
    if (!answer) return undefined;
    const written = this.taken(watched, answer, wanted);
    return { ...wanted, metadata: written.metadata };
  }

  /**
   * Writes the status if it differs from the stored one. `wanted` carries the resourceVersion of the last write. If the API server
   * refuses a status, only the conditions are written: with the stored rest, and if that is refused as well, alone.
   */
  public async writeStatus(
    watched: WatchedType,
    stored: KubernetesObject,
    wanted: KubernetesObject,
  ): Promise<KubernetesObject | undefined> {
    if (jsonEquals(stored.status, wanted.status)) return wanted;
    if (!this.refused.has(wanted)) {
      try {
        return await this.replaceStatus(watched, wanted);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        this.refused.add(wanted);
        this.onRefused(wanted, error);
      }
    }
    const conditions = wanted.status?.conditions ? { conditions: wanted.status.conditions } : {};
    const { conditions: _, ...others } = stored.status ?? {};
    const kept: KubernetesObject = { ...wanted, status: { ...others, ...conditions } };
    if (jsonEquals(stored.status, kept.status)) return kept;
    return this.replaceStatus(watched, kept).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      return this.replaceStatus(watched, { ...wanted, status: conditions });
    });
  }

  private clientFor(object: KubernetesObject): KubernetesClient {
    return fencedClient(this.client, this.fence, objectIdOf(object));
  }

  private async replaceStatus(watched: WatchedType, wanted: KubernetesObject): Promise<KubernetesObject | undefined> {
    const answer = await inVersionOf(wanted, watched, (type) =>
      this.clientFor(wanted).replaceStatus(type, { ...wanted, apiVersion: `${type.group}/${type.version}` }),
    );
    return answer && this.taken(watched, answer, wanted);
  }

  /** Restores the version in which the object was applied: the API server answers in the version of the URL. */
  private taken(watched: WatchedType, answer: KubernetesObject, wanted: KubernetesObject): KubernetesObject {
    const object = { ...answer, apiVersion: wanted.apiVersion };
    watched.updateLocal(object);
    return object;
  }
}

/**
 * A merge patch from the stored to the wanted object, or undefined where nothing differs. Lists are replaced as a whole, and only one
 * controller may win the claim, so such a patch is bound to the version that was read. A patch of annotations and labels alone is not, so
 * that a poll token is never lost to a conflict.
 */
export function metadataPatch(stored: KubernetesObject, wanted: KubernetesObject): Record<string, unknown> | undefined {
  if (stored.metadata === wanted.metadata) return undefined;
  const annotations = textsPatch(stored.metadata.annotations, wanted.metadata.annotations);
  const labels = textsPatch(stored.metadata.labels, wanted.metadata.labels);
  const lists: Record<string, unknown> = {};
  for (const name of LISTS) {
    const [before, after] = [stored.metadata[name], wanted.metadata[name]];
    if (before !== after && !isDeepStrictEqual(before ?? [], after ?? [])) lists[name] = after ?? [];
  }
  const exact = Object.keys(lists).length > 0 || (annotations && OPERATOR_NAMESPACE in annotations);
  if (!annotations && !labels && !exact) return undefined;
  return {
    ...(exact ? { resourceVersion: stored.metadata.resourceVersion, uid: stored.metadata.uid } : {}),
    ...(annotations ? { annotations } : {}),
    ...(labels ? { labels } : {}),
    ...lists,
  };
}

const LISTS = ['finalizers', 'ownerReferences'] as const;

function textsPatch(before: Texts, after: Texts): Record<string, string | null> | undefined {
  if (before === after) return undefined;
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const changed = [...names].filter((name) => before?.[name] !== after?.[name]);
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((name) => [name, after?.[name] ?? null]));
}

/**
 * Writes in the version in which the object was applied: the API server validates against the schema of the URL's version, and another
 * version may require members that this one lacks. If that version is no longer served, the watched one is used.
 */
async function inVersionOf<T>(
  object: KubernetesObject,
  { type }: WatchedType,
  write: (type: ResourceType) => Promise<T>,
): Promise<T | undefined> {
  const version = versionNameOf(object);
  const answer = await unlessGone(write({ ...type, version }));
  return answer === undefined && version !== type.version ? unlessGone(write(type)) : answer;
}

async function unlessGone<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 404) return undefined;
    throw error;
  }
}
