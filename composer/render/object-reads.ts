import { createHash } from 'node:crypto';
import { LARGEST_READS, MOST_READS, type UsedRead } from './jobs';
import type { ComposeProblem, ObjectRead } from './types';
import { nameOfKind, unknownState, type CachedObject, type KubernetesObject, type UnknownState } from '../../engine/kubernetes';
import { APPLY_SET_PREFIX, KUBECTL_LAST_APPLIED, LIBRARY_PREFIX } from '../../src/azure/annotations';
import { type ObjectId, objectKeyOf, objectTitleOf } from '../../src/object-id';
import { omitUndefined } from '../../src/util/records';
import type { ComposedKindFacts } from '../definition/api-facts';

/** Finds an object that `compose` reads. */
export type FindObject = (name: ObjectId) => CachedObject;

/** How an object differs from what `compose` has read. */
export type ReadChange = 'none' | 'status' | 'object';

/** The objects that one composition has read so far: each is the same in all of its rounds. */
export class ObjectReads {
  private readonly known = new Map<string, { readonly name: ObjectId; readonly object: VisibleObject | undefined }>();
  private size = 0;

  public constructor(private readonly find: FindObject, private readonly readable: readonly Pick<ComposedKindFacts, 'group' | 'kind'>[]) {}

  /** Reads objects; the problem, if they cannot be given to `compose`. */
  public add(names: readonly ObjectId[]): ComposeProblem | undefined {
    for (const name of names) {
      const key = objectKeyOf(name);
      if (this.known.has(key)) continue;
      const found = this.isReadable(name) ? this.find(name) : unknownState(name, `the definition does not read ${nameOfKind(name)}`, 'KindNotWatched');
      if (found.state === 'unknown') return unknownRead(name, found);
      const object = found.state === 'present' ? visibleOf(found.object) : undefined;
      this.known.set(key, { name, object });
      this.size += JSON.stringify(object)?.length ?? 0;
    }
    if (this.known.size > MOST_READS) {
      return { reason: 'TooManyReads', message: `compose reads more than ${MOST_READS} objects` };
    }
    if (this.size > LARGEST_READS) {
      return {
        reason: 'TooManyReads',
        message: 'the objects that compose reads have '
        + `together more than ${LARGEST_READS / 1e6} million characters`,
      };
    }
    return undefined;
  }

  /** For the thread: each object, or null where there is none, by its key. */
  public get json(): string {
    return JSON.stringify(Object.fromEntries([...this.known].map(([key, { object }]) => [key, object ?? null])));
  }

  /**
   * The objects that `compose` depends on.
   * @param used those that it has looked at; undefined if that is not known, as of a job that was stopped
   */
  public reads(used: readonly UsedRead[] = [...this.known.keys()].map((key) => ({ key, status: true }))): ObjectRead[] {
    return used.flatMap(({ key, status }) => {
      const known = this.known.get(key);
      if (!known) return [];
      const { group, kind, namespace, name } = known.name;
      return [{ group, kind, namespace, name, ...digestsOf(known.object, status) }];
    });
  }

  private isReadable({ group, kind }: ObjectId): boolean {
    return this.readable.some((one) => one.group === group && one.kind === kind) && !(group === '' && kind === 'Secret');
  }
}

/** Nothing is composed, and so nothing is written, while an object that `compose` reads is not known. */
export function unknownRead(name: ObjectId, { reason, why }: UnknownState): ComposeProblem {
  const message = `compose reads ${objectTitleOf(name)}, and nothing of this claim is written: ${why}`;
  return { reason: reason === 'KindNotWatched' ? 'KindNotServed' : 'CacheNotSynced', message };
}

/** Whether what `compose` would see now is another thing than what it has seen. Undefined: it is not known now. */
export function changeOf({ digest, statusDigest }: ObjectRead, found: CachedObject): ReadChange | undefined {
  if (found.state === 'unknown') return undefined;
  const now = digestsOf(found.state === 'present' ? visibleOf(found.object) : undefined, statusDigest !== undefined);
  if (now.digest !== digest) return 'object';
  return now.statusDigest === statusDigest ? 'none' : 'status';
}

/** An object as `compose` sees it. */
export type VisibleObject = Pick<KubernetesObject, 'apiVersion' | 'kind' | 'status'> & { readonly metadata: object };

/** Without what changes with each write, and without the notes of tools. */
export function visibleOf({ metadata, ...rest }: KubernetesObject): VisibleObject {
  const { name, namespace, uid, generation, creationTimestamp, deletionTimestamp, labels = {}, annotations = {} } = metadata;
  const times = { creationTimestamp, deletionTimestamp };
  const texts = { labels: ofUsers(labels), annotations: ofUsers(annotations) };
  return { ...rest, metadata: omitUndefined({ name, namespace, uid, generation, ...times, ...texts }) };
}

/** Labels or annotations without those of kubectl and of the composer, which say nothing about what a user wants. */
export function ofUsers(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts)
    .filter(([key]) => !key.startsWith(APPLY_SET_PREFIX) && !key.startsWith(LIBRARY_PREFIX) && key !== KUBECTL_LAST_APPLIED)
    .sort(([a], [b]) => (a < b ? -1 : 1)));
}

function digestsOf(object: VisibleObject | undefined, usesStatus: boolean): Pick<ObjectRead, 'digest' | 'statusDigest'> {
  const { status, ...rest } = object ?? {};
  return { digest: object ? digestOf(rest) : 'absent', ...(usesStatus && { statusDigest: digestOf(status ?? null) }) };
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
