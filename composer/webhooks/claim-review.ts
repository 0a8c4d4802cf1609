import { isDeepStrictEqual } from 'node:util';
import { DryRuns, type DryRunOptions } from './dry-runs';
import type { KubernetesObject } from '../../engine/kubernetes';
import { objectOf, openReview, textIn } from '../../runtime/webhooks/review';
import { objectIdOf } from '../../src/object-id';
import { type JsonObject, ownMember } from '../../src/util/records';
import type { Problem } from '../apply/decide';
import { desiredObject } from '../apply/desired-object';
import { composeInput, problemOf } from '../reconcile/composed-claims';
import type { FindObject } from '../render/object-reads';
import type { Renderer } from '../render/renderer';
import type { ComposeProblem } from '../render/types';

export interface ClaimReviewOptions extends DryRunOptions {
  readonly renderer: Pick<Renderer, 'compose'>;
  /** Finds the objects that claims read. */
  readonly find: FindObject;
  /** Called with the kind of each claim that was reviewed, and `allowed`, `not checked` or the reason of the refusal. */
  readonly onVerdict?: (kind: string, result: string) => void;
  /** Time for a review in milliseconds. */
  readonly budgetMs: number;
}

/** Problems that say nothing about the claim: the machine is busy, or the composer does not know enough yet. */
const OF_THE_COMPOSER: ReadonlySet<ComposeProblem['reason']> = new Set(['TooSlow', 'TooMuchMemory', 'CacheNotSynced', 'KindNotServed']);
const LONGEST_WARNING = 200;
/**
 * All reviews share one queue of the threads: anybody who reaches the port can send reviews, of as many namespaces as he likes, and the
 * claims of the cluster must not wait for them. A blank is in no name of a namespace.
 */
const QUEUE = 'reviews of claims';

/** The result of a review: a refusal, or what the user is told besides. */
interface Verdict {
  readonly problem?: Problem;
  readonly warning?: string;
}

/**
 * The answer to an AdmissionReview of a claim: composes it as the composer will, and tries its objects with dry runs, so that a claim that
 * would have the condition Synced=False is refused with the same words. A review that takes too long allows the claim: then the condition
 * says it.
 *
 * @throws MalformedReviewError
 */
export async function reviewClaim(review: unknown, options: ClaimReviewOptions): Promise<JsonObject> {
  const { apiVersion, request } = openReview(review, 'AdmissionReview', 'admission.k8s.io/v1');
  const uid = textIn(request, 'uid', 'request');
  const operation = textIn(request, 'operation', 'request');
  const answer = (response: JsonObject) => ({ apiVersion, kind: 'AdmissionReview', response: { uid, ...response } });
  if (operation !== 'CREATE' && operation !== 'UPDATE') return answer({ allowed: true });
  const claim = objectOf(ownMember(request, 'object'), 'request.object');
  const old = operation === 'UPDATE' ? objectOf(ownMember(request, 'oldObject'), 'request.oldObject') : undefined;
  // The end of a claim must not be blocked, nor what the composer itself writes.
  if (claim.metadata.deletionTimestamp !== undefined || (old && isSameInput(claim, old))) return answer({ allowed: true });
  const { problem, warning } = await verdictInTime(claim, old, options);
  options.onVerdict?.(claim.kind, problem?.reason ?? (warning === undefined ? 'allowed' : 'not checked'));
  if (!problem) return answer({ allowed: true, ...(warning !== undefined && { warnings: [warning.slice(0, LONGEST_WARNING)] }) });
  const isInvalid = problem.reason === 'InvalidSpec';
  const status = { metadata: {}, status: 'Failure', message: `${problem.reason}: ${problem.message}` };
  return answer({ allowed: false, status: { ...status, ...(isInvalid ? { reason: 'Invalid', code: 422 } : { reason: 'Forbidden', code: 403 }) } });
}

async function verdictInTime(claim: KubernetesObject, old: KubernetesObject | undefined, options: ClaimReviewOptions): Promise<Verdict> {
  const ended = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => {
      ended.abort();
      resolve({ warning: `the composer had no time to check this claim in ${options.budgetMs / 1000} s: see its condition Synced` });
    }, options.budgetMs);
  });
  try {
    return await Promise.race([verdictOf(claim, old, options, ended.signal), late]);
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

async function verdictOf(
  claim: KubernetesObject, old: KubernetesObject | undefined, { renderer, find, ...dryRuns }: ClaimReviewOptions, signal: AbortSignal,
): Promise<Verdict> {
  const { rendered, problem } = await renderer.compose(composeInput(claim), { find, queue: QUEUE });
  if (problem) {
    const { reason, message, ...rest } = problemOf(problem);
    return OF_THE_COMPOSER.has(problem.reason) ? { warning: `not checked: ${reason}: ${message}` } : { problem: { reason, message, ...rest } };
  }
  if (signal.aborted) return {};
  const name = objectIdOf(claim);
  const desired = rendered.objects.map((object) => desiredObject(object, name));
  const refused = await new DryRuns(dryRuns, name, old ?? claim).firstProblem(desired, signal);
  return refused ? { problem: refused } : {};
}

function isSameInput(claim: KubernetesObject, old: KubernetesObject): boolean {
  return isDeepStrictEqual(composeInput(claim), composeInput(old));
}
