import { Yaml } from 'cdk8s';
import type { AppResource, Report } from './app-resource';
import { spellPath, type FieldPath } from '../../catalog/validate-spec';

/** Numbers as kubectl reads them, which leaves out all underscores before. */
const NUMBER_FOR_KUBECTL = /^[-+]?(?:0[oO][0-7]+|0[bB][01]+|0[xX][\dA-Fa-f]+|(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?)$/;
/** All others of them have quotes in what cdk8s writes. */
const MAY_HAVE_NO_QUOTES = /^[-+.\d][\w.+-]*$/;
/** Characters that end a line, or are none, for kubectl's reader; cdk8s writes them as they are. A lone half of a pair has no UTF-8. */
const OTHER_CHARACTERS = /[\u007f-\u009f\u2028\u2029]|\p{Surrogate}/u;

/**
 * Texts that kubectl would read otherwise than they are, from the YAML that cdk8s writes. The cluster would get another value, or none, and
 * nothing between would tell.
 */
export function textProblems(resources: readonly AppResource[], report: Report): void {
  for (const { resource, checked } of resources) {
    const found = problemIn(checked.spec);
    if (found) report(resource, `${resource.kind} ${spellPath(found.path)}: ${found.problem}`);
  }
}

/** The first problem in a value, and its place. */
function problemIn(value: unknown): { readonly path: FieldPath; readonly problem: string } | undefined {
  if (typeof value === 'string') {
    const problem = problemOf(value);
    return problem === undefined ? undefined : { path: [], problem };
  }
  const entries = Array.isArray(value) ? value.entries() : isPlain(value) ? Object.entries(value) : [];
  for (const [key, item] of entries) {
    const found = problemIn(item);
    if (found) return { ...found, path: [key, ...found.path] };
  }
  return undefined;
}

/** Outputs of other resources are objects of classes, which are resolved when the chart is written. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Whether cdk8s, which knows the numbers of YAML 1.2 and some of 1.1, leaves the quotes out where kubectl needs them. */
function isNumberForKubectl(text: string): boolean {
  if (!/[A-Za-z_]/.test(text) || !MAY_HAVE_NO_QUOTES.test(text)) return false;
  const number = text.replaceAll('_', '');
  // One that is too large for a float is a text again.
  return NUMBER_FOR_KUBECTL.test(number) && Math.abs(Number(number)) !== Infinity && Yaml.stringify(text).trim() === text;
}

function problemOf(text: string): string | undefined {
  if (isNumberForKubectl(text)) return `'${text}' is a number for kubectl, since cdk8s writes it without quotes. Write another text.`;
  const found = OTHER_CHARACTERS.exec(text)?.[0];
  if (found === undefined) return undefined;
  const code = found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return `has the character U+${code}, which kubectl does not read as cdk8s writes it. Leave it out.`;
}
