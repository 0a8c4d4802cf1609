import { isMap, isNode, isSeq } from 'yaml';
import type { SourceText } from './source-text';
import type { YamlDocument } from '../../engine/yaml/read-yaml';
import type { FieldPath } from '../../src/catalog/validate-spec';
import { asText } from '../../src/util/words';

/** Line of the value at a path, or of the innermost thing around it that is written there. */
export function lineAtPath(path: FieldPath, document: YamlDocument, source: Pick<SourceText, 'lineAt'>): number {
  return linesAtPath(path, document, source).first;
}

/** The first and the last line of the value at a path, or of the innermost thing around it that is written there. */
export function linesAtPath(path: FieldPath, { document }: YamlDocument, { lineAt }: Pick<SourceText, 'lineAt'>): { first: number; last: number } {
  let node: unknown = document.contents;
  const lineOf = (one: unknown) => (isNode(one) && one.range ? lineAt(one.range[0]) : undefined);
  const result = (first: number) => ({ first, last: isNode(node) && node.range ? lineAt(node.range[1]) : first });
  let line = lineOf(node) ?? 1;
  for (const segment of path) {
    if (isMap(node)) {
      const pair = node.items.findLast((item) => asText((item.key as { value?: unknown } | null)?.value) === String(segment));
      if (!pair) return result(line);
      line = lineOf(pair.key) ?? line;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(segment)];
      line = lineOf(node) ?? line;
    } else {
      return result(line);
    }
  }
  return result(line);
}
