import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problemOf } from './check-certificate';
import type { Clock } from '../../../engine/clock';
import type { ServingCertificate } from '../webhook-server';

export interface DirectoryOptions {
  /** With `tls.crt` and `tls.key`: a mounted Secret of cert-manager, for one. */
  readonly directory: string;
  readonly clock: Clock;
  readonly onCertificate: (certificate: ServingCertificate) => void;
  /** Told once of each problem in a row. */
  readonly onProblem: (message: string) => void;
}

/** A mounted Secret changes by a link that is put in place of another: looking is surer than being told. */
const INTERVAL = 5_000;

/** Serves with the certificate of a directory, and with each new one that appears there. Answers what ends it; the first look is over by then. */
export async function watchDirectory({ directory, clock, onCertificate, onProblem }: DirectoryOptions): Promise<() => void> {
  let known = '';
  let problem: string | undefined;
  let ended = false;
  let cancel: () => void = () => undefined;
  const look = async (): Promise<void> => {
    try {
      const [cert, key] = await Promise.all(['tls.crt', 'tls.key'].map((name) => readFile(join(directory, name), 'utf8')));
      const found = JSON.stringify([cert, key]);
      // Both files are read one after the other: while they change they may not fit.
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
