import { KindError } from '../../engine/kinds';

/**
 * Sequences with which a name or password could end the text that it stands in (docs/spec/users.md#unsafe-characters). Everything is
 * escaped too: this is the second lock.
 */
const FORBIDDEN = ["'", '"', ';', '--', '/*'] as const;

export interface UnsafeSequence {
  readonly sequence: string;
  /** Counted from 0. */
  readonly position: number;
}

/** The first forbidden sequence of a text. */
export function unsafeSequence(text: string): UnsafeSequence | undefined {
  const found = FORBIDDEN.map((sequence) => ({ sequence, position: text.indexOf(sequence) })).filter(({ position }) => position >= 0);
  return found.sort((a, b) => a.position - b.position)[0];
}

/** NUL ends a statement in PostgreSQL's protocol, and control characters are invisible. */
const CONTROL = /\p{Cc}/u;

/** @throws KindError that names the sequence and its position */
export function checkName(what: string, name: string, severity?: KindError['severity']): string {
  const control = name.search(CONTROL);
  if (control >= 0) {
    throw new KindError(`${what} ${JSON.stringify(name)} contains a control character at position ${control}: choose a name without`, severity);
  }
  const unsafe = unsafeSequence(name);
  if (!unsafe) return name;
  throw new KindError(
    `${what} "${name}" contains ${JSON.stringify(unsafe.sequence)} at position ${unsafe.position}: choose a name without ' " ; -- and /*`,
    severity,
  );
}

/** @throws KindError that reveals nothing of the password, not even the position */
export function checkPassword(password: string): string {
  if (!unsafeSequence(password)) return password;
  throw new KindError(
    'the password of spec.localUser.password contains a sequence that is not allowed: choose one without \' " ; -- and /*',
  );
}
