import { isUtf8 } from 'node:buffer';
import { lstatSync, realpathSync, writeFileSync } from 'node:fs';
import { sep } from 'node:path';
import type { Edit } from './finding';
import type { SourceFile } from './version-uses';
import { readBytes } from '../manifests/read-limited';

/** The text with the edits. Of two that overlap the first counts. */
export function edited(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const { from, to, text: replacement } of [...edits].sort((a, b) => a.from - b.from || a.to - b.to)) {
    if (from < end) continue;
    parts.push(text.slice(end, from), replacement);
    end = to;
  }
  return [...parts, text.slice(end)].join('');
}

/**
 * Why a file is not rewritten; undefined where it is.
 * @param given files and directories of the command line
 */
export function whyNotRewritten({ file, text }: Pick<SourceFile, 'file' | 'text'>, given: readonly string[]): string | undefined {
  try {
    if (!lstatSync(file).isFile()) return 'is no regular file';
    const path = realpathSync(file);
    const isBelow = (directory: string) => path === directory || path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`);
    if (!given.some((one) => one !== '-' && isBelow(realpathSync(one)))) return `outside of ${given.join(', ')}`;
    const bytes = readBytes(file);
    if (!isUtf8(bytes)) return 'is no text in UTF-8';
    return bytes.equals(Buffer.from(text, 'utf8')) ? undefined : 'has changed since it was read';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Writes the files that edits change, in place. Answers their names. */
export function rewriteFiles(files: readonly SourceFile[], edits: readonly Edit[]): string[] {
  const changed: string[] = [];
  for (const { file, text } of files) {
    const mine = edits.filter((edit) => edit.file === file);
    if (mine.length === 0) continue;
    writeFileSync(file, edited(text, mine));
    changed.push(file);
  }
  return changed;
}
