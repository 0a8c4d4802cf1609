/**
 * Characters that are invisible, or change how others are displayed: control characters (of terminals, above all), line and paragraph
 * separators, bidirectional controls, and default-ignorable code points (zero-width ones, tags, variation selectors); lone surrogates.
 * https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{FFF9}-\u{FFFB}]/gu;

/**
 * Characters that can be invisible at all, with and without line breaks. A text that is not of Latin characters alone is searched for these
 * runs ten times as fast as for classes of Unicode. A run has an end: a pattern without one overflows at 16 million characters in a process
 * with much code. It does not end within a pair of surrogates.
 */
const BEYOND_ASCII = /[^\x20-\x7E]{1,4095}[\uDC00-\uDFFF]?/g;
const BEYOND_ASCII_LINES = /[^\n\x20-\x7E]{1,4095}[\uDC00-\uDFFF]?/g;

/** The text with each invisible or display-changing character replaced by its code, e.g. `\u{202E}`. */
export function visibleText(text: string): string {
  return text.replace(BEYOND_ASCII, (run) => run.replace(INVISIBLE, escapeCharacter));
}

/** Like `visibleText`, for a text of several lines; line breaks and tabs are kept. */
export function visibleLines(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(BEYOND_ASCII_LINES, (run) => run.replace(INVISIBLE, (character) => (character === '\t' ? character : escapeCharacter(character))));
}

/** JSON text, or a literal of TypeScript, with escapes that both understand: parsing returns the original value. */
export function visibleLiteral(text: string): string {
  return text.replace(BEYOND_ASCII_LINES, (run) => run.replace(INVISIBLE, units));
}

function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}}`;
}

function units(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('');
}
