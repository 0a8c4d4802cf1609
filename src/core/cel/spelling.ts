import { elementAt } from '../../util/elements';
const WORDS = new Set(['true', 'false', 'null', 'in']);
const ESCAPES: readonly (readonly [string, string])[] = [
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
];

/** A text as a CEL literal. */
export function celText(value: string): string {
  // JSON's escapes are valid in CEL; CEL allows unescaped line separators.
  return JSON.stringify(value);
}

/** The escaped name of a member in CEL: `a-b` → `a__dash__b`. */
export function celName(name: string): string {
  if (WORDS.has(name)) return `__${name}__`;
  return name.replace(/__|[.\-/]/g, (part) => ESCAPES.find(([from]) => from === part)![1]);
}

/** The name of a member from its escaped name in CEL. */
export function memberName(spelling: string): string {
  const word = /^__(true|false|null|in)__$/.exec(spelling);
  if (word) return elementAt(word, 1);
  return spelling.replace(/__(?:underscores|dot|dash|slash)__/g, (part) => ESCAPES.find(([, to]) => to === part)![0]);
}

/** A step of a path: a member, an element of a list, or a key of a map. */
export type Step = { readonly member: string } | { readonly index: number } | { readonly key: string };

const STEP = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

/**
 * The steps of a path such as `status.list[0].name` or `metadata.annotations["a/b"]`.
 * @throws when the text is no path
 */
export function stepsOf(path: string): Step[] {
  const steps: Step[] = [];
  let at = 0;
  while (at < path.length) {
    STEP.lastIndex = at;
    const match = path[at] === '.' && at === 0 ? null : STEP.exec(path);
    const isFirst = steps.length === 0;
    if (!match || (match[1] !== undefined && match[0].startsWith('.') === isFirst)) {
      throw new Error(`CelExpression: '${path}' is not a path, from '${path.slice(at)}' on. Write it like 'status.id', 'status.list[0].name' or 'spec.tags["a b"]', with the names of the manifest.`);
    }
    if (match[1] !== undefined) steps.push({ member: match[1] });
    else if (match[2] !== undefined) steps.push({ index: Number(match[2]) });
    else steps.push({ key: JSON.parse(elementAt(match, 3)) as string });
    at += match[0].length;
  }
  return steps;
}
