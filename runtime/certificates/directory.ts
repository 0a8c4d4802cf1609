import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problemOf } from './check-certificate';
import type { ServingCertificate } from './serving-certificate';
import type { Clock } from '../../engine/clock';

export interface DirectoryOptions {
  /** Has `tls.crt` and `tls.key`, e.g. a mounted Secret of cert-manager. */
  readonly directory: string;
  readonly clock: Clock;
  readonly onCertificate: (certificate: ServingCertificate) => void;
  /** Called once for each problem in a row. */
  readonly onProblem: (message: string) => void;
  /** Called at each look, for metrics: whether the directory has a usable certificate. */
  readonly onRead?: ((worked: boolean) => void) | undefined;
}

/** Polling interval in milliseconds. A mounted Secret changes by a replaced symbolic link, which file events may miss. */
const INTERVAL = 5_000;

/** Serves the certificate of a directory, and each new one there. Resolves after the first check with the function that stops the watch. */
export async function watchDirectory(
  { directory, clock, onCertificate, onProblem, onRead }: DirectoryOptions,
): Promise<() => void> {
  let known = '';
  let problem: string | undefined;
  let ended = false;
  let cancel: () => void = () => undefined;
  const look = async (): Promise<void> => {
    try {
      const [cert, key] = await Promise.all([readFile(join(directory, 'tls.crt'), 'utf8'), readFile(join(directory, 'tls.key'), 'utf8')]);
      const found = JSON.stringify([cert, key]);
      // The two files are read one after the other: during a change they may not match.
      const wrong = problemOf({ cert, key });
      if (wrong === undefined && found !== known) {
        known = found;
        if (!ended) onCertificate({ cert, key });
      }
      report(wrong);
    } catch (error) {
      report((error as Error).message);
    }
    if (!ended) cancel = clock.schedule(INTERVAL, () => void look());
  };
  const report = (message: string | undefined): void => {
    if (!ended) onRead?.(message === undefined);
    if (message !== undefined && message !== problem && !ended) {
      onProblem(`no usable certificate in ${directory}: ${message}${known === '' ? '' : '; the one before stays in use'}`);
    }
    problem = message;
  };
  await look();
  return () => {
    ended = true;
    cancel();
  };
}
