import { visibleText } from '../../src/azure/visible-text';

/** Something wrong with the input: where it is, what it is, and what to do about it. */
export interface Problem {
  readonly file: string;
  /** Counted from 1; absent, or 0, where the whole file is meant, or no file at all. */
  readonly line?: number | undefined;
  /** `Kind namespace/name`; absent where the problem is not one of an object. */
  readonly object?: string | undefined;
  /** `spec.sku.name`; absent where the problem is not one of a field. */
  readonly field?: string | undefined;
  readonly message: string;
  /** The name of the finding in `check`; `unreadable` where absent. */
  readonly rule?: string | undefined;
  /** A cause that is no mistake where the file was found in a directory, or where a chart is rendered with its defaults (`empty`). */
  readonly cause?: 'template' | 'unnamed' | 'empty' | undefined;
  /** The consequence; that the object is not read, where absent. */
  readonly why?: string | undefined;
  /** The fix: the text to write instead. */
  readonly fix: string;
}

/** One line, whatever the texts contain. */
export function formatProblem(problem: Problem): string {
  const where = !problem.line ? problem.file : `${problem.file}:${problem.line}`;
  const parts = [where, problem.object, problem.field, problem.message].filter((part) => part !== undefined && part !== '');
  return oneLine(`${parts.join(': ')}; ${problem.fix}`);
}

/** The text on one line, without control characters; what turns text around, or shows nothing, is shown: nothing of an input is obeyed. */
export function oneLine(text: string): string {
  return visibleText(text.replace(/[\s\u0085]+/g, ' ').replace(/\p{Cc}/gu, '').trim());
}
