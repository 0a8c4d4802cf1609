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
const ACTION = /\{\{(?:[^{}]|\{(?!\{)|\}(?!\}))*\}\}/g;
const BLOCK_SCALAR = /^(\s*)(?:- +)*(?:[^\s#][^#]*:|-)\s+[|>][-+\d]*\s*(?:#.*)?$/;
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
      result.push(includedValue(lines, index, result));
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

/**
 * A line of actions alone as YAML: a comment; or, where it prints the value of the key above, a text that comes later.
 * @param before the lines before, as YAML
 */
function includedValue(lines: readonly string[], index: number, before: readonly string[]): string {
  const line = lines[index]!;
  if (DECIDES.test(line.trim())) return commented(line);
  const key = before.findLast((one) => one.trim() !== '' && !/^\s*#/.test(one));
  if (key === undefined || !/^[^#]*[\w"']:\s*(?:#.*)?$/.test(key)) return commented(line);
  const indent = indentOf(key.replace(/- /g, '  '));
  const next = lines.slice(index + 1).find((one) => one.trim() !== '' && !isOnlyActions(one));
  if (next !== undefined && (indentOf(next) > indent || (indentOf(next) === indent && next.trim().startsWith('- ')))) return commented(line);
  return `${' '.repeat(indent + 2)}${quoted(line.trim())}`;
}

function commented(line: string): string {
  return `${' '.repeat(indentOf(line))}# ${line.trim()}`;
}

function indentOf(line: string): number {
  return Math.max(0, line.search(/\S/));
}

/** A line with a key and a value, or an item of a list, one of which has actions. */
function withQuotedActions(line: string): string {
  const found = /^(\s*(?:- +)*)(.*)$/.exec(line);
  const [, start = '', rest = ''] = found ?? [];
  const { text: hidden, actions } = withoutActions(rest);
  const pair = /^("[^"]*"|'[^']*'|[^\s"'#[{][^#]*?|)(\s*):(\s+|$)(.*)$/.exec(hidden);
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
  const [, text = '', comment = ''] = /^(.*?)(\s+#.*|\s*)$/.exec(value) ?? [];
  if (/^[[{]/.test(text)) {
    const items = text.replace(/"[^"]*"|'[^']*'|[^\s,[\]{}:"']+/g, (item) => (item.includes(MARK) ? quoted(unquoted(withActions(item, actions))) : item));
    return items + withActions(comment, actions);
  }
  // Anchors and tags stand before the text.
  const [, properties = '', own = ''] = /^((?:[&!]\S*\s+)*)(.*)$/.exec(text) ?? [];
  return properties + quoted(unquoted(withActions(own, actions))) + withActions(comment, actions);
}

function unquoted(text: string): string {
  const found = /^(["'])(.*)\1$/.exec(text);
  return found ? found[2]! : text;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
