import type { Path } from './comparison';
import { Matcher } from './matcher';
import { shortened } from '../util/words';

const LONGEST = 160;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A value or a pattern on one line. */
export function describe(value: unknown): string {
  return shortened(written(value), LONGEST);
}

/** A path as text: `spec.containers[0].env`, `metadata.labels['app.kubernetes.io/name']`; `(the object)` for the whole object. */
export function pathText(path: Path): string {
  if (path.length === 0) return '(the object)';
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!IDENTIFIER.test(step)) return `${text}[${quoted(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

function written(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quoted(value);
  if (Matcher.isMatcher(value)) return (value as Matcher)._describe();
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return members.length === 0
      ? '{}'
      : `{ ${members.map(([key, member]) => `${IDENTIFIER.test(key) ? key : quoted(key)}: ${written(member)}`).join(', ')} }`;
  }
  return String(value);
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}
