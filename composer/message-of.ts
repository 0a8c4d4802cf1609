import { shortened } from '../src/util/words';

const LONGEST_MESSAGE = 4096;

/** The message of anything that was thrown: an error, a text, `null`, an object whose accessors throw themselves. */
export function messageOf(thrown: unknown): string {
  return shortened(textOf(thrown), LONGEST_MESSAGE);
}

function textOf(thrown: unknown): string {
  try {
    if (typeof thrown === 'object' && thrown !== null) {
      const { message } = thrown as { readonly message?: unknown };
      if (typeof message === 'string' && message !== '') return message;
      return `an object was thrown that is no error: ${JSON.stringify(thrown)}`;
    }
    if (typeof thrown === 'string' && thrown !== '') return thrown;
    return `${typeof thrown === 'function' ? 'a function' : String(thrown)} was thrown, which is no error`;
  } catch {
    return 'an object was thrown that cannot be read';
  }
}
