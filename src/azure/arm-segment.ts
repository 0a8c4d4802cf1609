import { UUID } from './uuid';
import { shortened } from '../util/words';

/** Longer than any name in Azure; ids as a whole have to fit into a URL. */
const LONGEST_SEGMENT = 512;
/** Letters and digits of any script, `-`, `_`, `.`, `(` and `)`; the last character is no `.`. */
const RESOURCE_GROUP = /^[-\p{L}\p{N}\p{M}_.()]{0,89}[-\p{L}\p{N}\p{M}_()]$/u;
/** Separators, what begins another part of a URL, and `%`, after which a server may decode any of these. */
const SEPARATOR = /[/\\?#%]/;
/** Controls, characters that are not seen (zero width, change of direction), ends of lines, and halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Why a text cannot be one segment of an ARM id, or undefined: it can. Each of these texts would make the request one for another resource, or
 * for one that nobody can tell from it. Which other characters a name may have is the type's business, and Azure's to say.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules
 */
export function segmentProblem(text: string): string | undefined {
  if (text === '') return 'is empty';
  if (text.length > LONGEST_SEGMENT) return `has ${text.length} characters, more than ${LONGEST_SEGMENT}`;
  if (text === '.' || text === '..') return 'stands for another place in a path';
  const separator = SEPARATOR.exec(text);
  if (separator) return `has the character "${separator[0]}", which no name in Azure may have`;
  if (UNSEEN.test(text)) return 'has a character that is not seen (a control, zero-width or direction character)';
  return text.trim() === text ? undefined : 'begins or ends with a space';
}

/** The same for the name of a resource group, whose rule is the same everywhere in Azure. */
export function resourceGroupProblem(text: string): string | undefined {
  const problem = segmentProblem(text);
  if (problem !== undefined || RESOURCE_GROUP.test(text)) return problem;
  return 'is no name of a resource group: those have 1 to 90 letters, digits, "-", "_", ".", "(" and ")", and no "." at the end';
}

/** The same for the Azure name of a kind; `scope` as the catalog has it: resource groups are what lies at a location. */
export function armNameProblem(name: string, scope?: string): string | undefined {
  return scope === 'location' ? resourceGroupProblem(name) : segmentProblem(name);
}

const LONGEST_QUOTED = 80;

/** A text that somebody else has written, for a message: cut, in quotes, and with every character that is not seen as its code. */
export function quotedText(text: string): string {
  return JSON.stringify(shortened(text, LONGEST_QUOTED)).replace(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u007f-\u009f]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Why a text is no id of a subscription, or undefined: it is one. */
export function subscriptionProblem(text: string): string | undefined {
  return UUID.test(text) ? undefined : 'is no UUID, and the id of a subscription is one';
}

/** A segment as it stands in a URL. What RFC 3986 allows in a path stays as it is, since some services compare without decoding. */
export function encodedSegment(text: string): string {
  return encodeURIComponent(text).replace(/%(3A|3B|3D|40|24|2C|2B|26)/g, (code) => decodeURIComponent(code));
}
