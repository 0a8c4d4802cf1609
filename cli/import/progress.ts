import type { ImportProgress } from '../../engine/import/importer';
import { counted } from '../../src/util/words';
import type { Terminal } from '../output/terminal';

/** Where progress is shown: the standard error, a terminal or not. */
interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const EVERY_MS = 10_000;
const FRAME_MS = 100;

interface Progress {
  report(progress: ImportProgress): void;
  end(): void;
}

/** A line that is written over on a terminal; elsewhere a line every ten seconds. */
export function progressOf(stream: Stream, terminal: Terminal, now: () => number = Date.now): Progress {
  let last = now();
  let open = false;
  return {
    report: ({ done, known }) => {
      if (now() - last < (stream.isTTY ? FRAME_MS : EVERY_MS)) return;
      last = now();
      const text = `${done} of ${counted(known, 'resource')} read`;
      if (stream.isTTY) stream.write(`\r\u001b[K${text}`);
      else terminal.note(text);
      open = true;
    },
    end: () => {
      if (open && stream.isTTY) stream.write('\r\u001b[K');
    },
  };
}
