import { createLogger, type Logger } from '../../../runtime/log/log';
import { isRecord, text } from '../../../src/util/records';
import { asText } from '../../../src/util/words';
import { oneLine } from '../../output/problem';
import type { Terminal } from '../../output/terminal';

/** Messages below a warning that a user has to see: whether this composer works at all. */
const NEWS: ReadonlySet<string> = new Set(['leads', 'waits: another composer works on this kind', 'the rollout goes on']);
const WARNINGS: ReadonlySet<string> = new Set(['warn', 'error', 'fatal']);

/**
 * The composer's log on a desk: warnings, and whether it works or waits. Reconciles are in the log of the claims.
 * @param verbose all lines, as the composer's own log
 */
export function composerLog(terminal: Terminal, verbose: boolean): Logger {
  if (verbose) return createLogger({ verbosity: 3, json: false, output: { write: (line) => note(terminal, String(line)) } });
  return createLogger({
    verbosity: 2,
    json: true,
    output: {
      write: (line) => {
        const entry: unknown = JSON.parse(String(line));
        const message = text(entry, 'msg') ?? '';
        if (!isRecord(entry) || !(WARNINGS.has(asText(entry.level)) || NEWS.has(message))) return true;
        const { level: _level, time: _time, msg: _msg, identity: _identity, ...rest } = entry;
        return note(terminal, [message, ...Object.entries(rest).map(([name, value]) => `${name}=${asText(value)}`)].join(' '));
      },
    },
  });
}

function note(terminal: Terminal, line: string): true {
  terminal.note(oneLine(line));
  return true;
}
