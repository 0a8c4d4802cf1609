import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Interval of looks at the files: notifications of the system are lost on network drives, and when an editor replaces a file. */
const LOOK_MS = 300;

/**
 * Resolves when one of the files has changed, and a moment has passed in which none did: an editor may write several.
 * @returns false where the signal aborted before
 */
export async function sourcesChanged(files: readonly string[], signal: AbortSignal): Promise<boolean> {
  const before = stampsOf(files);
  let last = before;
  while (!signal.aborted) {
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
    const now = stampsOf(files);
    if (!signal.aborted && now !== before && now === last) return true;
    last = now;
  }
  return false;
}

function stampsOf(files: readonly string[]): string {
  return files.map((file) => {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : 'none';
  }).join('\n');
}
