import { UUID } from './uuid';
import { patternFor } from '../util/character-classes';
import { shortened } from '../util/words';

/** Longer than any name in Azure; the whole id has to fit into a URL. */
const LONGEST_SEGMENT = 512;
/** Letters and digits of any script, `-`, `_`, `.`, `(` and `)`; the last character is no `.`. */
const RESOURCE_GROUP = '^[-\\p{L}\\p{N}\\p{M}_.()]{0,89}[-\\p{L}\\p{N}\\p{M}_()]$';
/** Separators, delimiters of URL parts, and `%`, after which a server may decode any of these. */
const SEPARATOR = /[/\\?#%]/;
/** Control characters, invisible characters (zero width, change of direction), line separators, and lone surrogates. */
const UNSEEN = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]';

/**
 * Why a text cannot be a segment of an ARM id; undefined if it can. With any of the refused texts, the request would address another
 * resource, or one that looks the same. Azure checks the other characters, whose rules depend on the type.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules
 */
export function segmentProblem(text: string): string | undefined {
  if (text === '') return 'is empty';
  if (text.length > LONGEST_SEGMENT) return `has ${text.length} characters, more than ${LONGEST_SEGMENT}`;
  if (text === '.' || text === '..') return 'stands for another place in a path';
  const separator = SEPARATOR.exec(text);
  if (separator) return `has the character "${separator[0]}", which no name in Azure may have`;
  if (patternFor(text, UNSEEN, 'u').test(text)) return 'has a character that is not seen (a control, zero-width or direction character)';
  return text.trim() === text ? undefined : 'begins or ends with a space';
}

/** Like `segmentProblem`, for the name of a resource group, whose rule is the same everywhere in Azure. */
export function resourceGroupProblem(text: string): string | undefined {
  const problem = segmentProblem(text);
  if (problem !== undefined || patternFor(text, RESOURCE_GROUP, 'u').test(text)) return problem;
  return 'is no name of a resource group: those have 1 to 90 letters, digits, "-", "_", ".", "(" and ")", and no "." at the end';
}

/**
 * Like `segmentProblem`, for the Azure name of a kind; with `scope` from the catalog, because resource groups are the kinds in a location.
 */
export function armNameProblem(name: string, scope?: string): string | undefined {
  return scope === 'location' ? resourceGroupProblem(name) : segmentProblem(name);
}

const LONGEST_QUOTED = 80;
const UNSEEN_IN_QUOTES = '[\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\u007f-\\u009f]';

/** A text from an untrusted source, for a message: shortened, in quotes, and with invisible characters as their codes. */
export function quotedText(text: string): string {
  const quoted = JSON.stringify(shortened(text, LONGEST_QUOTED));
  return quoted.replace(
    patternFor(quoted, UNSEEN_IN_QUOTES, 'gu'),
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

/** Why a text is no subscription id; undefined if it is one. */
export function subscriptionProblem(text: string): string | undefined {
  return UUID.test(text) ? undefined : 'is no UUID, and the id of a subscription is one';
}

/** A segment encoded for a URL. Characters that RFC 3986 allows in a path are not encoded, since some services compare without decoding. */
export function encodedSegment(text: string): string {
  return encodeURIComponent(text).replace(/%(3A|3B|3D|40|24|2C|2B|26)/g, (code) => decodeURIComponent(code));
}
