import type { Terminal } from './terminal';

/** Where progress is shown: the standard error, a terminal or not. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressLine {
  /** Shows a text, unless another was shown just before. */
  report(text: () => string): void;
  /** Clears the line. */
  end(): void;
}

const EVERY_MS = 10_000;
const FRAME_MS = 100;

/** A line that is written over on a terminal; elsewhere a line every ten seconds. */
export function progressLine(stream: ProgressStream, terminal: Terminal, now: () => number = Date.now): ProgressLine {
  let last = now();
  let open = false;
  return {
    report: (text) => {
      if (now() - last < (stream.isTTY ? FRAME_MS : EVERY_MS)) return;
      last = now();
      if (stream.isTTY) stream.write(`\r\u001b[K${text()}`);
      else terminal.note(text());
      open = true;
    },
    end: () => {
      if (open && stream.isTTY) stream.write('\r\u001b[K');
    },
  };
}
