import { kindOrder } from './kind-order';
import type { ClaimKind } from './types';
import type { KubernetesObject } from '../../engine/kubernetes';
import { CONTINUE_ROLLOUT } from '../../src/azure/annotations';
import { groupOf } from '../../src/object-id';
import { text } from '../../src/util/records';
import type { Problem } from '../apply/decide';

export interface RolloutOptions {
  /** Revision of the definition that this process has. */
  readonly revision: string;
  readonly kinds: readonly Pick<ClaimKind, 'group' | 'kind' | 'reads'>[];
  /** All claims, as far as they are known. */
  readonly claims: () => readonly KubernetesObject[];
  /** Whether all claims are known. */
  readonly isKnown: () => boolean;
  /** Has a claim reconciled. */
  readonly enqueue: (claim: KubernetesObject) => void;
  readonly onPaused: (claim: KubernetesObject, problem: Problem) => void;
  readonly onResumed: () => void;
}

/** The claim whose turn it is. */
interface Turn {
  readonly uid: string | undefined;
  readonly generation: number | undefined;
  /** Whether it worked with the earlier revision, and its user has not changed it since. */
  readonly worked: boolean;
}

/**
 * Takes the claims of an earlier revision of the definition to the present one, one after the other, and pauses at the first that the
 * revision breaks. Kinds that others read go first, since their readers would otherwise meet claims of an earlier revision; then the order
 * is that of the names. New claims, and those that a user has changed, take the present revision at once.
 *
 * A claim that has failed before, or that its user has changed, pauses nothing: users of one claim cannot keep a revision from the others.
 * Nor can they keep it from their own claim: the annotation to go on says only that its failure pauses nothing.
 */
export class Rollout {
  private turn: Turn | undefined;
  private problem: Problem | undefined;
  /** Claims of an earlier revision that were composed with this one already, because of a change or their turn. */
  private readonly taken = new Set<string>();
  private readonly order: readonly Pick<ClaimKind, 'group' | 'kind'>[];
  /** Claims that have failed at their turn, and are passed. */
  private readonly passed = new Set<string>();

  public constructor(private readonly options: RolloutOptions) {
    this.order = kindOrder(options.kinds);
  }

  /** The claim at which the rollout stands still, and why. */
  public get pausedBy(): Problem | undefined {
    return this.problem;
  }

  /** Claims of an earlier revision. */
  public get left(): number {
    return this.options.claims().filter((claim) => this.isEarlier(claim)).length;
  }

  /** Whether the claim is composed with the present revision now. */
  public mayCompose(claim: KubernetesObject): boolean {
    const { uid = '', generation } = claim.metadata;
    if (!this.isEarlier(claim)) {
      this.taken.delete(uid);
      this.passed.delete(uid);
      return true;
    }
    if (uid === this.turn?.uid || generation !== claim.status?.observedGeneration) this.taken.add(uid);
    return this.taken.has(uid) || this.passed.has(uid);
  }

  /** Begins, or goes on: call it when all claims are known, and when claims have changed. */
  public advance(): void {
    const { claims, isKnown, enqueue } = this.options;
    if (!isKnown()) return;
    const waiting = claims().filter((claim) =>
      this.isEarlier(claim) && claim.metadata.deletionTimestamp === undefined && !this.passed.has(claim.metadata.uid ?? ''));
    const current = waiting.find(({ metadata }) => metadata.uid === this.turn?.uid);
    if (current && !(this.problem && this.mayGoOn(current))) return;
    if (current) this.passed.add(current.metadata.uid ?? '');
    if (this.problem) {
      this.problem = undefined;
      this.options.onResumed();
    }
    const [next] = waiting.filter((claim) => claim !== current)
      .sort((a, b) => this.rankOf(a) - this.rankOf(b) || (placeOf(a) < placeOf(b) ? -1 : 1));
    this.turn = next && turnOf(next, this.options.revision);
    if (next) enqueue(next);
  }

  /** The claim was reconciled: it has the present revision, or a problem. */
  public reconciled(claim: KubernetesObject, problem: Problem | undefined): void {
    const { turn } = this;
    if (!turn || claim.metadata.uid !== turn.uid) return;
    if (!problem) return this.advance();
    const isUsers = !turn.worked || claim.metadata.generation !== turn.generation;
    if (!this.problem && (isUsers || this.mayGoOn(claim))) {
      this.passed.add(turn.uid ?? '');
      return this.advance();
    }
    if (this.problem?.message !== problem.message) this.options.onPaused(claim, problem);
    this.problem = problem;
  }

  private rankOf(claim: KubernetesObject): number {
    return this.order.findIndex(({ group, kind }) => group === groupOf(claim) && kind === claim.kind);
  }

  private mayGoOn({ metadata: { annotations } }: KubernetesObject): boolean {
    return annotations?.[CONTINUE_ROLLOUT] === this.options.revision;
  }

  private isEarlier(claim: KubernetesObject): boolean {
    const definition = text(claim.status, 'definition');
    return definition !== undefined && definition !== this.options.revision;
  }
}

/** A claim that failed at its turn before this process began has failed with this revision. */
function turnOf({ metadata: { uid, generation }, status }: KubernetesObject, revision: string): Turn {
  const failed = text(status, 'failedDefinition') ?? revision;
  return { uid, generation, worked: failed === revision && generation === status?.observedGeneration };
}

function placeOf({ kind, metadata: { namespace = '', name } }: KubernetesObject): string {
  return `${kind} ${namespace} ${name}`;
}
