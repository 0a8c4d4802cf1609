import { Writable } from 'node:stream';
import pino, { type Logger } from 'pino';
import { BatchedOutput } from './batched-output';
import { logFields, logText } from './log-values';
import { escapeUnseen } from '../../engine/text-limits';
import { asText } from '../../src/util/words';

export type { Logger } from 'pino';

export interface LogOptions {
  /** `-v`: 0 errors, 1 warnings, 2 one line a reconcile, 3 and more everything. */
  readonly verbosity: number;
  /** `--json-logging`; otherwise lines for people. */
  readonly json: boolean;
  /** Default: standard error, one write for the lines of each turn of the event loop. */
  readonly output?: Pick<NodeJS.WritableStream, 'write'>;
}

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;
/** The beginning of the JSON of an error. */
const ERROR_LINE = /^\{"level":"(?:error|fatal)"/;

/** The log of the controller. */
export function createLogger({ verbosity, json, output }: LogOptions): Logger {
  const level = LEVELS[Math.max(0, Math.min(Math.trunc(verbosity), LEVELS.length - 1))] ?? 'info';
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (fields: unknown) => fields },
      // Values are cut and redacted before anything else looks at them.
      hooks: {
        logMethod(values, method) {
          method.apply(this, limited(values) as Parameters<typeof method>);
        },
      },
    },
    lineStream(output, json ? (line) => line : textLine),
  );
}

/** A logger without output. */
export function silentLogger(): Logger {
  return pino({ level: 'silent' });
}

function limited(values: readonly unknown[]): unknown[] {
  return values.map((value) => (typeof value === 'string' ? logText(value) : logFields(value)));
}

function lineStream(output: LogOptions['output'], form: (line: string) => string): Writable {
  const batched = output ? undefined : new BatchedOutput(process.stderr);
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const json = String(chunk);
      const line = escapeUnseen(form(json));
      if (batched) batched.write(line, ERROR_LINE.test(json));
      else output!.write(line);
      done();
    },
  });
  // `flush` of the logger calls it.
  return Object.assign(stream, { flush: () => batched?.flush() });
}

/** `2026-01-01T00:00:00.000Z INFO  reconciled logger=… name=…`; one line, whatever stands in the values. */
function textLine(json: string): string {
  const { time, level, msg, ...rest } = JSON.parse(json) as Record<string, unknown>;
  const fields = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)}`,
  );
  const message = asText(msg ?? '')
    .replace(/[\r\n]+/g, ' ')
    .replace(/ {2,}/g, ' ');
  return `${[asText(time), asText(level).toUpperCase().padEnd(5), message, ...fields].join(' ')}\n`;
}
