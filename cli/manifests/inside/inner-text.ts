import { isMap, isNode, isScalar, isSeq, type Node } from 'yaml';
import type { YamlDocument } from '../../../engine/yaml/read-yaml';
import type { FieldPath } from '../../../src/catalog/validate-spec';
import type { Problem } from '../../output/problem';
import { readSourceText, type SourceText } from '../source-text';

/** The groups of Azure, wherever they stand. */
const AZURE = /\.azure\.com\/|\.aso\.cdk8s\.io\/|azure\.microsoft\.com\//;
/** Lines of Flux Operator's templates that decide or repeat: they are no YAML, as those in double braces are no YAML. */
const CONTROL = /<<-?\s*(?:if|else|end|range|with|define|block|template)\b/;

/** Whether a text may have objects of Azure. */
export function mentionsAzure(text: string): boolean {
  return AZURE.test(text);
}

/**
 * The text at a path of a document, read as manifests: its lines and offsets are those of the file. Undefined for a text that is none, and
 * for a template that is no YAML before it is rendered.
 */
export function readInnerText(text: string, at: FieldPath, { document }: YamlDocument, outer: SourceText): SourceText | undefined {
  if (CONTROL.test(text)) return undefined;
  const read = readSourceText(text, outer.file, outer.fill);
  const isTemplate = text.includes('{{') || text.includes('<<');
  if (read.problems.length > 0 && (isTemplate || !mentionsAzure(text))) return undefined;
  return inFile(read, placesOf(nodeAt(document.contents, at), text, outer));
}

/** Where the lines and characters of a text are in its file: lines are counted from 1. */
interface TextPlaces {
  lineInFile(line: number): number;
  offsetInFile(offset: number): number | undefined;
}

/** A text as it was read by itself, with the places that it has in a file. */
function inFile(read: SourceText, { lineInFile, offsetInFile }: TextPlaces): SourceText {
  const moved = (problem: Problem): Problem => (problem.line ? { ...problem, line: lineInFile(problem.line) } : problem);
  return {
    ...read,
    problems: read.problems.map(moved),
    ...(read.controlLines && { controlLines: new Set(Array.from(read.controlLines, lineInFile)) }),
    lineAt: (offset) => lineInFile(read.lineAt(offset)),
    offsetInFile: (offset) => {
      const written = read.offsetInFile(offset);
      return written === undefined ? undefined : offsetInFile(written);
    },
    problemOf: (fault) => moved(read.problemOf(fault)),
    duplicateProblems: (duplicates) => read.duplicateProblems(duplicates).map(moved),
  };
}

/** The node at a path, or the innermost one around it that is written there. */
function nodeAt(root: unknown, path: FieldPath): Node | undefined {
  let found = isNode(root) ? root : undefined;
  for (const step of path) {
    let next: unknown;
    if (isMap(found)) next = found.items.findLast((pair) => isScalar(pair.key) && String(pair.key.value) === String(step))?.value;
    else if (isSeq(found)) next = found.items[Number(step)];
    if (!isNode(next)) return found;
    found = next;
  }
  return found;
}

/** A text in quotes, or in folded lines, has all of its lines at its beginning. */
function placesOf(node: Node | undefined, text: string, outer: SourceText): TextPlaces {
  const start = node?.range?.[0] ?? 0;
  const first = outer.lineAt(start);
  if (!isScalar(node) || node.type !== 'BLOCK_LITERAL') return { lineInFile: () => first, offsetInFile: () => undefined };
  const starts = lineStarts(text, 0);
  const outerStarts = lineStarts(outer.text, outer.text.indexOf('\n', start) + 1, starts.length);
  const indent = indentOf(text, starts, outer.text, outerStarts);
  return {
    lineInFile: (line) => first + line,
    offsetInFile: (offset) => {
      const line = lastAtMost(starts, offset);
      const outerStart = outerStarts[line];
      if (indent === undefined || outerStart === undefined) return undefined;
      return outer.offsetInFile(outerStart + indent + offset - starts[line]!);
    },
  };
}

/** The spaces before each line of a text in a block; undefined where its lines are not those of the file: a variable was filled in. */
function indentOf(text: string, starts: readonly number[], outer: string, outerStarts: readonly number[]): number | undefined {
  let indent: number | undefined;
  for (const [line, start] of starts.entries()) {
    const written = text.slice(start, starts[line + 1] === undefined ? text.length : starts[line + 1]! - 1);
    if (written.trim() === '') continue;
    const outerStart = outerStarts[line];
    if (outerStart === undefined) return undefined;
    indent ??= spacesAt(outer, outerStart) - spacesAt(written, 0);
    if (indent < 0 || !outer.startsWith(written, outerStart + indent)) return undefined;
  }
  return indent;
}

function lineStarts(text: string, from: number, most = Infinity): number[] {
  const starts = [from];
  for (let at = text.indexOf('\n', from); at >= 0 && starts.length < most; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The index of the last of the ascending numbers that is not greater. */
function lastAtMost(numbers: readonly number[], number: number): number {
  let [low, high] = [0, numbers.length];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (numbers[middle]! <= number) low = middle;
    else high = middle;
  }
  return low;
}

function spacesAt(text: string, from: number): number {
  let end = from;
  while (text[end] === ' ') end += 1;
  return end - from;
}
