/**
 * Characters that show nothing, or change how others are shown: controls (of terminals, above all), line and paragraph separators, those that
 * turn the direction of text around, and whatever Unicode lets a renderer ignore (zero-width ones, tags, variation selectors); halves of pairs.
 * https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{FFF9}-\u{FFFB}]/gu;

/** The text with `\u{202E}` in the place of each character that shows nothing or changes how others are shown. */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, shown);
}

/** The same for a text of several lines, which stay as they are, with their tabs. */
export function visibleLines(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(INVISIBLE, (character) => (character === '\n' || character === '\t' ? character : shown(character)));
}

/** JSON text, or a literal of TypeScript, with escapes that both understand: what is read from it is what it was. */
export function visibleLiteral(text: string): string {
  return text.replace(INVISIBLE, (character) => (character === '\n' ? character : units(character)));
}

function shown(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}}`;
}

function units(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('');
}
