import { visibleLiteral, visibleText } from '../../../azure/visible-text';

/** The text on one line, with invisible characters made visible: no picture or terminal interprets a part of a name. */
export function printable(text: string): string {
  return visibleText(text);
}

/** Escapes a text for XML and for the HTML-like labels of Graphviz. */
export function xml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Escapes a text for a quoted string of DOT, in which Graphviz reads entities as well as backslashes. */
export function dotString(text: string): string {
  return `"${printable(text).replace(/[&<>"'\\]/g, (character) => `&#${character.charCodeAt(0)};`)}"`;
}

/** Escapes a text for a quoted label of Mermaid: all punctuation with a meaning there, in HTML or in Markdown, by its number. */
export function mermaid(text: string): string {
  return printable(text).replace(/[^A-Za-z0-9 ._/,\u0080-\uffff-]/g, (character) => `#${character.charCodeAt(0)};`);
}

/** JSON without characters that a terminal interprets: JSON itself does not escape C1 codes and direction marks. */
export function json(value: unknown): string {
  return visibleLiteral(JSON.stringify(value, undefined, 2));
}
