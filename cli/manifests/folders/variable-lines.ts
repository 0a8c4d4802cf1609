import type { TemplateText } from './templates';

/**
 * Files of envsubst and Flux that are YAML only when their variables are filled in: `[${SUBNETS}]` is a list with a map that nothing closes
 * to a YAML parser, and a variable at the beginning of a line switches the line off, or stands for lines of its own.
 */

/** More lines are read as they are. */
const MAX_LINES = 200_000;
const SWITCH = /^\s{0,500}\$\{[^{}]{1,1000}\}(?:\s|$)/;
const QUOTED = /("[^"]{0,10000}"|'[^']{0,10000}')/;
/** A value of a list or map on one line, with a variable in it and without quotes. */
const IN_FLOW = /([[,{:]\s{0,20})([^\s,[\]{}:"'#$]{0,500}\$\{[^{}\n]{1,1000}\}[^\s,[\]{}"'#]{0,500})(?=\s{0,20}[,\]}])/g;

/** Whether a text that is no YAML may be one with its variables filled in. */
export function hasVariables(text: string): boolean {
  return text.includes('${');
}

/** The text with such lines as comments, and with such values in quotes. */
export function variablesAsYaml(text: string): TemplateText {
  const lines = text.split('\n');
  if (lines.length > MAX_LINES) return { text, controlLines: [] };
  const controlLines: number[] = [];
  const result = lines.map((line, index) => {
    if (!line.includes('${')) return line;
    if (SWITCH.test(line)) {
      controlLines.push(index);
      return line.replace('${', '# ${');
    }
    return line.split(QUOTED).map((part, at) => (at % 2 === 1 ? part : part.replace(IN_FLOW, "$1'$2'"))).join('');
  });
  return { text: result.join('\n'), controlLines };
}
