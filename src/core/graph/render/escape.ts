import { visibleLiteral, visibleText } from '../../../azure/visible-text';

/** The text in one line, in which everything is to be seen: nothing of a name is obeyed by a picture or a terminal. */
export function printable(text: string): string {
  return visibleText(text);
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
  return visibleLiteral(JSON.stringify(value, undefined, 2));
}
