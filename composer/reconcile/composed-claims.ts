import { createHash } from 'node:crypto';
import { ReadIndex } from './read-index';
import type { ClaimRenderer } from './types';
import type { CachedObject, KubernetesObject, ObjectEvent } from '../../engine/kubernetes';
import { type ObjectId, objectIdOf, objectKeyOf } from '../../src/object-id';
import { firstOf } from '../../src/util/words';
import type { Problem } from '../apply/decide';
import { desiredObject, type DesiredObject } from '../apply/desired-object';
import { safeText } from '../apply/failures';
import { jsonOf, NESTED_TOO_DEEPLY } from '../render/json-of';
import { changeOf, ofUsers, unknownRead, type FindObject, type ReadChange } from '../render/object-reads';
import type { ComposeProblem, RenderedClaim } from '../render/types';

/** A claim, composed. */
export interface Composed {
  readonly rendered: RenderedClaim;
  readonly objects: readonly DesiredObject[];
}

/** Problems that another try may not have: the machine was busy. */
const OF_THE_MOMENT: ReadonlySet<ComposeProblem['reason']> = new Set(['TooSlow', 'TooMuchMemory']);
/** An object that is read is not known: another try asks again. */
const OF_READS: ReadonlySet<ComposeProblem['reason']> = new Set(['CacheNotSynced', 'KindNotServed']);
/** Milliseconds between two compositions of a claim for the sake of a status that it reads. */
const STATUS_MS = 5_000;
const MOMENT_MS = 200;
/** A claim that takes too long is tried again at most so often. Milliseconds. */
const TRIED_AGAIN_AFTER_MS = 10 * 60_000;
/** Characters of all manifests that are kept. */
const MOST_KEPT = 64 * 1024 * 1024;
const MOST_ISSUES = 5;

interface Kept {
  readonly digest: string;
  readonly answer: Composed | Problem;
  readonly composedAt: number;
  readonly until: number;
  readonly size: number;
}

/** The composition of a claim, or why there is none. */
export interface ComposedAnswer {
  readonly answer: Composed | Problem;
  /** An object that `compose` has read has changed: time until the claim is composed again, in milliseconds. */
  readonly againAfterMs?: number;
}

/** Composes claims, each content once: the same claim gives the same objects, as long as the objects that it reads are the same. */
export class ComposedClaims {
  private readonly kept = new Map<string, Kept>();
  private readonly index = new ReadIndex();
  private size = 0;

  public constructor(private readonly renderer: ClaimRenderer, private readonly find: FindObject, private readonly now: () => number) {}

  /** @throws Error where the claim is not to blame */
  public async of(claim: KubernetesObject, key: ObjectId): Promise<ComposedAnswer> {
    const input = composeInput(claim);
    const id = objectKeyOf(key);
    const json = jsonOf(input);
    if (json === undefined) return { answer: problemOf(NESTED_TOO_DEEPLY) };
    const digest = createHash('sha256').update(json).digest('hex');
    const known = this.kept.get(id);
    if (known?.digest === digest && this.now() < known.until) {
      const unknown = this.unknownRead(key);
      if (unknown) return { answer: unknown };
      const change = this.changeSince(key);
      const againAfterMs = change === 'status' ? this.statusDelay(known) : 0;
      if (change === 'none') return { answer: known.answer };
      if (againAfterMs > 0) return { answer: known.answer, againAfterMs };
    }
    const { rendered, problem, reads } = await this.renderer.compose(input, { find: this.find, expected: this.index.of(key) });
    const composedAt = this.now();
    const answer = problem ? problemOf(problem) : { rendered, objects: rendered.objects.map((object) => desiredObject(object, key)) };
    this.index.set(key, reads);
    if (problem && OF_READS.has(problem.reason)) {
      this.drop(id);
      return { answer };
    }
    const until = problem && OF_THE_MOMENT.has(problem.reason) ? composedAt + TRIED_AGAIN_AFTER_MS : Infinity;
    this.keep(id, { digest, answer, composedAt, until, size: JSON.stringify(answer).length });
    // Until now, no event of the objects was for this claim.
    const change = this.changeSince(key);
    return change === 'none' ? { answer } : { answer, againAfterMs: change === 'status' ? STATUS_MS : MOMENT_MS };
  }

  /** The claims that have to be composed again after an event of any object, with the time until then in milliseconds. */
  public changedBy({ type, object }: ObjectEvent): readonly { readonly claim: ObjectId; readonly afterMs: number }[] {
    const found: CachedObject = type === 'DELETED' ? { state: 'absent' } : { state: 'present', object };
    return this.index.changed(objectIdOf(object), found).map(({ claim, change }) =>
      ({ claim, afterMs: change === 'status' ? this.statusDelay(this.kept.get(objectKeyOf(claim))) : 0 }));
  }

  public forget(key: ObjectId): void {
    this.drop(objectKeyOf(key));
    this.index.forget(key);
  }

  /** Statuses may change all the time: what they change is composed at most at this interval. */
  private statusDelay(kept: Kept | undefined): number {
    return kept ? Math.max(0, kept.composedAt + STATUS_MS - this.now()) : 0;
  }

  private changeSince(key: ObjectId): ReadChange {
    const changes = this.index.of(key).map((read) => changeOf(read, this.find(read)));
    return (['object', 'status'] as const).find((change) => changes.includes(change)) ?? 'none';
  }

  private unknownRead(key: ObjectId): Problem | undefined {
    for (const read of this.index.of(key)) {
      const found = this.find(read);
      if (found.state === 'unknown') return problemOf(unknownRead(read, found));
    }
    return undefined;
  }

  private keep(id: string, kept: Kept): void {
    this.drop(id);
    this.kept.set(id, kept);
    this.size += kept.size;
    // The newest stays, whatever its size: it is applied next.
    for (const oldest of this.kept.keys()) {
      if (this.size <= MOST_KEPT || oldest === id) break;
      this.drop(oldest);
    }
  }

  private drop(id: string): void {
    this.size -= this.kept.get(id)?.size ?? 0;
    this.kept.delete(id);
  }
}

export function isComposed(answer: Composed | Problem): answer is Composed {
  return 'rendered' in answer;
}

/** The part of a claim that `compose` may depend on: the composer's own marks change none of its objects. */
export function composeInput({ apiVersion, kind, metadata, spec }: KubernetesObject): KubernetesObject {
  const { name, namespace, uid, creationTimestamp, labels = {}, annotations = {} } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      labels: ofUsers(labels),
      annotations: ofUsers(annotations),
    },
    ...(spec === undefined ? {} : { spec }),
  };
}

/** The condition of a claim that cannot be composed. */
export function problemOf(problem: ComposeProblem): Problem {
  const isTriedAgain = OF_THE_MOMENT.has(problem.reason) || OF_READS.has(problem.reason);
  if (problem.reason === 'InvalidSpec') {
    const issues = problem.issues.map(({ path, message }) => `${path === '' ? 'spec' : path}: ${message}`);
    return { reason: problem.reason, message: safeText(firstOf(issues, MOST_ISSUES)), isTriedAgain };
  }
  const where = 'path' in problem && problem.path !== undefined && problem.path !== '' ? `${problem.path}: ` : '';
  return { reason: problem.reason, message: safeText(`${where}${problem.message}`), isTriedAgain };
}
