/**
 * What must not get out of a name into a picture or onto a terminal: control characters, those that turn the direction of text around, and what
 * no XML document may contain.
 */
// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The text in one line, with a replacement character for whatever could do harm. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\ufffd');
}

/** For XML and for the HTML-like labels of Graphviz. */
export function xml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** For a quoted string of DOT, in which Graphviz reads entities as well as backslashes. */
export function dotString(text: string): string {
  return `"${printable(text).replace(/[&<>"'\\]/g, (character) => `&#${character.charCodeAt(0)};`)}"`;
}

/** For a quoted label of Mermaid: all punctuation that could mean something, there or in HTML or Markdown, by its number. */
export function mermaid(text: string): string {
  return printable(text).replace(/[^A-Za-z0-9 ._/,\u0080-\uffff-]/g, (character) => `#${character.charCodeAt(0)};`);
}

/** JSON that no terminal obeys: JSON itself lets C1 codes and directions through. */
export function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
