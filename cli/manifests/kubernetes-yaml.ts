import type { ScalarTag, Tags } from 'yaml';
import { TooDeep } from '../../engine/yaml-documents';
import { oneLine } from '../output/problem';

/**
 * kubectl reads YAML 1.1's words for true and false and its octal numbers; `yaml` reads YAML 1.2. A text must mean the same in both,
 * or a plan differs from the objects in the cluster.
 */
const yesNo: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF)$/,
  resolve: (text) => /^(?:y|yes|on)$/i.test(text),
};

const octal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?0[0-7]+$/,
  resolve: (text) => parseInt(text, 8),
};

/** For `yaml`'s `customTags`. The first tag that fits wins, so ours stand before its own. */
export const kubernetesTags = (tags: Tags): Tags => [yesNo, octal, ...tags];

/** More values, and more text, than a file of manifests has. Aliases let a few lines stand for more than any memory holds. */
const MAX_VALUES = 5_000_000;

/**
 * The value of a document with all aliases followed, as large as it is when it is written out.
 * @throws Error when it is larger than the document with its aliases could honestly be
 */
export function valueOf(document: { toJS(options: { maxAliasCount: number }): unknown }, textLength: number): unknown {
  const value = document.toJS({ maxAliasCount: 1000 });
  let [values, length] = [0, 0];
  const most = Math.max(1_000_000, textLength * 10);
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    values += 1;
    if (typeof next === 'string') {
      length += next.length;
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) {
        length += key.length;
        open.push(inner);
      }
    }
    if (values > MAX_VALUES || values + length > most) throw new TooLarge();
  }
  return value;
}

/** Written out, a document is much larger than it is. */
export class TooLarge extends Error {
  public constructor() {
    super('its aliases stand for far more than the file holds');
    this.name = 'TooLarge';
  }
}

/** The error in a text that is no YAML, and the fix. */
export function syntaxProblem(text: string, error: unknown): { message: string; fix: string } {
  if (error instanceof TooLarge || /^Excessive alias count/.test((error as Error).message)) {
    return { message: new TooLarge().message, fix: 'write the values out, without anchors' };
  }
  if (error instanceof TooDeep) return { message: error.message, fix: 'give Kubernetes objects' };
  const message = `is neither YAML nor JSON: ${oneLine((error as Error).message)}`;
  if (looksLikeTemplate(text)) {
    return { message, fix: 'it looks like a template: give what it renders to, e.g. what `helm template` prints' };
  }
  return { message, fix: 'correct the syntax' };
}

/** `{{ … }}`; a pattern would take the square of the time on a text of braces. */
function looksLikeTemplate(text: string): boolean {
  const opened = text.indexOf('{{');
  return opened >= 0 && text.includes('}}', opened + 2);
}
