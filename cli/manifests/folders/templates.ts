/**
 * Templates of Helm as YAML. `name: {{ .Values.name }}` is a map to a YAML parser, and lines such as `{{- if … }}` are no YAML. A template
 * keeps its lines here, so that places are those of the file.
 */

/** A template as YAML. */
export interface TemplateText {
  readonly text: string;
  /** Lines, counted from 0, that only decide or include: what stands around them may not be all, or not be there at all. */
  readonly controlLines: readonly number[];
}

/** More lines are read as they are: nobody writes such a template. */
const MAX_LINES = 200_000;
/** A longer one is read as it is: a pattern without an end keeps a place for each character. */
const ACTION = /\{\{(?:[^{}]|\{(?!\{)|\}(?!\})){0,100000}\}\}/g;
const BLOCK_SCALAR = /^(\s{0,500})(?:- {1,99}){0,9}(?:[^\s#][^#]{0,1000}:|-)\s{1,99}[|>][-+\d]{0,9}\s{0,99}(?:#.*)?$/;
/** Actions that print nothing of their own. */
const DECIDES = /^\{\{-?\s*(?:if|else|end|range|with|define|block|break|continue|\/\*|\$\w*\s*:?=)/;

/** Whether a text that is no YAML may be a template, or a half of one. */
export function isTemplate(text: string): boolean {
  return text.includes('{{');
}

/** The template with its control lines as comments, and its values in quotes. */
export function templateAsYaml(text: string): TemplateText {
  const lines = text.split('\n');
  if (lines.length > MAX_LINES) return { text, controlLines: [] };
  const result: string[] = [];
  const follows = linesAfter(lines);
  let key: Line | undefined;
  let seen = 0;
  const controlLines: number[] = [];
  let isOpen = false;
  let block: number | undefined;
  for (const [index, line] of lines.entries()) {
    if (isOpen) {
      // The rest of an action of several lines.
      const end = line.indexOf('}}');
      isOpen = end < 0;
      controlLines.push(index);
      result.push(commented(line));
      continue;
    }
    const indent = line.search(/\S/);
    if (block !== undefined && (indent < 0 || indent > block)) {
      result.push(line);
      continue;
    }
    block = undefined;
    if (!line.includes('{{') || /^\s*#/.test(line)) {
      result.push(line);
      const found = BLOCK_SCALAR.exec(line);
      if (found) block = found[1]!.length;
      continue;
    }
    if (!line.includes('}}', line.lastIndexOf('{{'))) {
      isOpen = true;
      controlLines.push(index);
      result.push(commented(line));
      continue;
    }
    if (isOnlyActions(line)) {
      controlLines.push(index);
      for (; seen < result.length; seen += 1) if (isContent(result[seen]!)) key = keyOf(result[seen]!);
      result.push(includedValue(line, key, follows[index]));
    } else {
      result.push(withQuotedActions(line));
    }
  }
  // An action that nothing closes would hide the rest of the file.
  return isOpen ? { text, controlLines: [] } : { text: result.join('\n'), controlLines };
}

function isOnlyActions(line: string): boolean {
  return line.replace(ACTION, '').trim() === '';
}

/** A line, as far as those around it need to know it. */
interface Line {
  readonly indent: number;
  readonly isItem: boolean;
  /** Whether it is a key without a value. */
  readonly isOpen: boolean;
}

function isContent(line: string): boolean {
  return line.trim() !== '' && !/^\s*#/.test(line);
}

function keyOf(line: string): Line {
  return { indent: indentOf(line.replace(/- /g, '  ')), isItem: false, isOpen: /^[^#]*[\w"']:\s*(?:#.*)?$/.test(line) };
}

/** For each line the next one that is not of actions alone. */
function linesAfter(lines: readonly string[]): (Line | undefined)[] {
  const after: (Line | undefined)[] = [];
  let next: Line | undefined;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    after[index] = next;
    const line = lines[index]!;
    if (line.trim() !== '' && !isOnlyActions(line)) next = { indent: indentOf(line), isItem: line.trim().startsWith('- '), isOpen: false };
  }
  return after;
}

/**
 * A line of actions alone as YAML: a comment; or, where it prints the value of the key above, a text that comes later.
 * @param key the line before that has something, as YAML
 */
function includedValue(line: string, key: Line | undefined, next: Line | undefined): string {
  if (DECIDES.test(line.trim()) || !key?.isOpen) return commented(line);
  if (next !== undefined && (next.indent > key.indent || (next.indent === key.indent && next.isItem))) return commented(line);
  return `${' '.repeat(key.indent + 2)}${quoted(line.trim())}`;
}

function commented(line: string): string {
  return `${' '.repeat(indentOf(line))}# ${line.trim()}`;
}

function indentOf(line: string): number {
  return Math.max(0, line.search(/\S/));
}

/** A line with a key and a value, or an item of a list, one of which has actions. */
function withQuotedActions(line: string): string {
  const found = /^(\s{0,500}(?:- {1,99}){0,9})(.*)$/.exec(line);
  const [, start = '', rest = ''] = found ?? [];
  const { text: hidden, actions } = withoutActions(rest);
  const pair = /^("[^"]{0,1000}"|'[^']{0,1000}'|[^\s"'#[{][^#]{0,1000}?|)(\s{0,99}):(\s{1,99}|$)(.*)$/.exec(hidden);
  if (!pair) return start + quotedValue(hidden, actions);
  const [, key = '', space = '', gap = '', value = ''] = pair;
  const keyText = key.includes(MARK) ? quoted(unquoted(withActions(key, actions))) : key;
  return `${start}${keyText}${space}:${gap}${value.includes(MARK) ? quotedValue(value, actions) : value}`;
}

/** Stands for an action: a character that no YAML has. */
const MARK = '\u0000';

function withoutActions(text: string): { text: string; actions: string[] } {
  const actions: string[] = [];
  const hidden = text.replaceAll(MARK, '').replace(ACTION, (action) => {
    actions.push(action);
    return MARK;
  });
  return { text: hidden, actions };
}

/** The text with its actions again, the next ones of the list. */
function withActions(text: string, actions: string[]): string {
  return text.replaceAll(MARK, () => actions.shift() ?? '');
}

function quotedValue(value: string, actions: string[]): string {
  const [, text = '', comment = ''] = /^(.*?)(\s{1,99}#.*|\s{0,99})$/.exec(value) ?? [];
  if (/^[[{]/.test(text)) {
    const items = text.replace(/"[^"]*"|'[^']*'|[^\s,[\]{}:"']+/g, (item) => (item.includes(MARK) ? quoted(unquoted(withActions(item, actions))) : item));
    return items + withActions(comment, actions);
  }
  // Anchors and tags stand before the text.
  const [, properties = '', own = ''] = /^((?:[&!]\S{0,99}\s{1,99}){0,2})(.*)$/.exec(text) ?? [];
  return properties + quoted(unquoted(withActions(own, actions))) + withActions(comment, actions);
}

function unquoted(text: string): string {
  const found = /^(["'])(.*)\1$/.exec(text);
  return found ? found[2]! : text;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
