import { truncate } from '../../engine/text-limits';
import { isRecord } from '../../src/util/records';

const MAX_TEXT = 500;

/** The message of an answer of the API server, cut: the answer has parts of manifests in it. */
export function messageIn(text: string): string {
  try {
    const answer: unknown = JSON.parse(text);
    return truncate(isRecord(answer) && typeof answer.message === 'string' ? answer.message : text, MAX_TEXT);
  } catch {
    return truncate(text, MAX_TEXT);
  }
}
