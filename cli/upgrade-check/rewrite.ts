import { writeFileSync } from 'node:fs';
import type { Edit } from './finding';
import type { SourceFile } from './version-uses';

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
