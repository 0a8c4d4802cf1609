/** The anchor that GitHub gives a heading, so that links work on the site and in the repository alike. */
export function anchorOf(heading: string): string {
  return heading.toLowerCase().replace(/[`*]/g, '').replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-');
}
