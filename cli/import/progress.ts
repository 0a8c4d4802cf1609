import type { ImportProgress } from '../../engine/import/importer';
import { counted } from '../../src/util/words';
import { progressLine, type ProgressStream } from '../output/progress-line';
import type { Terminal } from '../output/terminal';

interface Progress {
  report(progress: ImportProgress): void;
  end(): void;
}

/** The number of resources that were read. */
export function progressOf(stream: ProgressStream, terminal: Terminal, now?: () => number): Progress {
  const line = progressLine(stream, terminal, now);
  return {
    report: ({ done, known }) => line.report(() => `${done} of ${counted(known, 'resource')} read`),
    end: () => line.end(),
  };
}
