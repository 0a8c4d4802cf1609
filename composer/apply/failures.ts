import type { Problem } from './decide';
import { KubernetesError } from '../../engine/kubernetes';
import { redactTokens } from '../../engine/redact';
import { escapeUnseen, oneLine } from '../../engine/text-limits';
import { type ObjectId, objectTitleOf } from '../../src/object-id';

const LONGEST_MESSAGE = 1_000;
const TERMINATING = /because it is being terminated/;
const NO_NAMESPACE = /^namespaces ".*" not found/;
const IMMUTABLE = /immutable|may not change once|updates to .{1,100} are forbidden/i;

/**
 * The condition for a write that the API server has refused; undefined: the failure says nothing about the claim, and the reconcile is
 * tried again (conflicts, no answer, too many requests, errors of the server).
 */
export function problemOfWrite(error: unknown, act: 'create' | 'apply' | 'delete' | 'read', name: ObjectId, path?: string): Problem | undefined {
  if (!(error instanceof KubernetesError)) return undefined;
  const { status, message } = error;
  if (status === 0 || status === 401 || status === 409 || status === 429 || status >= 500) return undefined;
  const where = path === undefined ? '' : ` (${path})`;
  const problem = (reason: string): Problem => ({
    reason,
    message: `cannot ${act} ${objectTitleOf(name)}${where}: ${status} ${error.reason}${answerText(name, message)}`,
    isTriedAgain: true,
  });
  if (status === 403) return problem(TERMINATING.test(message) ? 'NamespaceTerminating' : 'Forbidden');
  if (status === 404) return problem(NO_NAMESPACE.test(message) ? 'NamespaceNotFound' : 'KindNotServed');
  if (status === 422 && act === 'apply' && IMMUTABLE.test(message)) return problem('ImmutableField');
  return problem('Rejected');
}

/** The API server quotes rejected values: of Secrets they are secret. */
function answerText({ group, kind }: ObjectId, message: string): string {
  if (group === '' && kind === 'Secret') return ' (the answer is withheld: it may quote values of the Secret)';
  return `: ${safeText(message)}`;
}

/** A text of the API server or of compose, for conditions and events: one line, without tokens and invisible characters. */
export function safeText(text: string): string {
  return escapeUnseen(redactTokens(oneLine(text, LONGEST_MESSAGE)));
}
