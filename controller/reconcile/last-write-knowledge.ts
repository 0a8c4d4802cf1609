import type { LastWriteKnowledge, Observed, Result } from './core/observed';
import type { ObjectMemory } from './object-memories';
import type { SentRequests } from './sent-requests';

interface Requests {
  readonly memory: ObjectMemory;
  readonly sent: SentRequests;
}

/** A request is sent whose lost answer would leave the outcome in doubt. */
export function requestInDoubt({ memory, sent }: Requests): void {
  sent.knowledgeBefore ??= memory.knowledge;
  memory.knowledge = 'uncertain';
  Object.assign(sent, { any: true, inDoubt: true });
}

/** Azure has answered the request. */
export function requestAnswered({ memory, sent }: Requests): void {
  memory.knowledge = 'known';
  sent.inDoubt = false;
}

/** The requests of a throttled reconcile were not sent: what was known before them still holds. */
export function restoreKnowledge(memory: ObjectMemory | undefined, { knowledgeBefore }: SentRequests): void {
  if (memory && knowledgeBefore) memory.knowledge = knowledgeBefore;
}

/**
 * The knowledge with which the next reconcile begins; undefined: unchanged. The state is known after a success, but not after a failure of
 * a step after the PUT, nor after a success while Azure is busy.
 */
export function knowledgeAfter(result: Result, { busy }: Pick<Observed, 'busy'>): LastWriteKnowledge | undefined {
  const isOpen = result.kind === 'failure' ? result.afterPut : result.kind === 'success' && busy;
  if (isOpen) return 'uncertain';
  return isSettled(result) ? 'known' : undefined;
}

/** Whether the reconcile has found out the resource's state, so that the next one need not read it first. */
function isSettled(result: Result): boolean {
  return result.kind === 'success' || (result.kind === 'requeue' && !result.waits);
}
