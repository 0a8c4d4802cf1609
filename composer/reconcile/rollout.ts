import { kindOrder } from './kind-order';
import type { ClaimKind } from './types';
import type { KubernetesObject } from '../../engine/kubernetes';
import { groupOf } from '../../engine/kubernetes/resource-path';
import { CONTINUE_ROLLOUT } from '../../src/azure/annotations';
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

/**
 * Takes the claims of an earlier revision of the definition to the present one, one after the other, and pauses at the first that fails.
 * Kinds that others read go first, since their readers would otherwise meet claims of an earlier revision; then the order is that of the
 * names. New claims, and those that a user has changed, take the present revision at once.
 */
export class Rollout {
  /** The claim whose turn it is, by its uid. */
  private current: string | undefined;
  private problem: Problem | undefined;
  /** Claims of an earlier revision that were composed with this one already, because of a change or their turn. */
  private readonly taken = new Set<string>();
  private readonly order: readonly Pick<ClaimKind, 'group' | 'kind'>[];

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
      return true;
    }
    if (uid === this.current || generation !== claim.status?.observedGeneration) this.taken.add(uid);
    return this.taken.has(uid);
  }

  /** Begins, or goes on: call it when all claims are known, and when claims have changed. */
  public advance(): void {
    const { claims, isKnown, enqueue, revision } = this.options;
    if (!isKnown()) return;
    const waiting = claims().filter((claim) => this.isEarlier(claim) && claim.metadata.deletionTimestamp === undefined);
    const current = waiting.find(({ metadata }) => metadata.uid === this.current);
    if (current && current.metadata.annotations?.[CONTINUE_ROLLOUT] !== revision) return;
    if (this.problem) {
      this.problem = undefined;
      this.options.onResumed();
    }
    const [next] = waiting.filter(({ metadata }) => metadata.annotations?.[CONTINUE_ROLLOUT] !== revision)
      .sort((a, b) => this.rankOf(a) - this.rankOf(b) || (placeOf(a) < placeOf(b) ? -1 : 1));
    this.current = next?.metadata.uid;
    if (next) enqueue(next);
  }

  /** The claim was reconciled: it has the present revision, or a problem. */
  public reconciled(claim: KubernetesObject, problem: Problem | undefined): void {
    if (claim.metadata.uid !== this.current) return;
    if (!problem) return this.advance();
    if (this.problem?.message !== problem.message) this.options.onPaused(claim, problem);
    this.problem = problem;
  }

  private rankOf(claim: KubernetesObject): number {
    return this.order.findIndex(({ group, kind }) => group === groupOf(claim) && kind === claim.kind);
  }

  private isEarlier(claim: KubernetesObject): boolean {
    const definition = text(claim.status, 'definition');
    return definition !== undefined && definition !== this.options.revision;
  }
}

function placeOf({ kind, metadata: { namespace = '', name } }: KubernetesObject): string {
  return `${kind} ${namespace} ${name}`;
}
