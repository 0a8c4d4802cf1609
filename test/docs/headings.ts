import { anchorOf } from '../../site/anchors';

/** A heading with the lines up to the next one, whatever its level. */
export interface Section {
  readonly anchor: string;
  readonly lines: readonly string[];
}

/** The sections of a document; lines of code blocks are no headings. */
export function sectionsOf(text: string): Section[] {
  const sections: { anchor: string; lines: string[] }[] = [];
  for (const line of text.replace(/^```[\s\S]*?^```/gm, '').split('\n')) {
    const heading = /^#+ (.+)$/.exec(line)?.[1];
    if (heading !== undefined) sections.push({ anchor: anchorOf(heading), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}
