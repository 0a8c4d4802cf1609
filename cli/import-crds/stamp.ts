import { createHash } from 'node:crypto';

const STAMP =
  /^\/\/ Written by `cdk8s-aso import-crds` \(([0-9a-f]{16})\): changes are lost when it runs again\.\n\/\* eslint-disable \*\/\n/;

/** The content with a line that says who wrote it, and by which one sees whether somebody changed it since. */
export function stamped(content: string): string {
  return `// Written by \`cdk8s-aso import-crds\` (${digest(content)}): changes are lost when it runs again.\n/* eslint-disable */\n${content}`;
}

/** Whether a file is ours and as we wrote it; `foreign` is one that we did not write. */
export function stateOf(content: string): 'ours' | 'changed' | 'foreign' {
  const text = content.replace(/\r\n/g, '\n');
  const match = STAMP.exec(text);
  if (!match) return 'foreign';
  return digest(text.slice(match[0].length)) === match[1] ? 'ours' : 'changed';
}

function digest(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
