import { Writable } from 'node:stream';
import pino, { type Logger } from 'pino';
import { logFields, logText } from './log-values';
import { escapeUnseen } from '../../engine/text-limits';
import { BACKUP_POLLER_TOKEN, POLLER_TOKEN } from '../../src/azure/annotations';
import { asText } from '../../src/util/words';

export type { Logger } from 'pino';

export interface LogOptions {
  /** `-v`: 0 errors, 1 warnings, 2 one line a reconcile, 3 and more everything. */
  readonly verbosity: number;
  /** `--json-logging`; otherwise lines for people. */
  readonly json: boolean;
  /** Default: standard error. */
  readonly output?: Pick<NodeJS.WritableStream, 'write'>;
}

/** Specs and Secrets are never logged; these are the members that could slip in with an object or an error. */
const SECRET = [
  'authorization',
  'password',
  'clientSecret',
  'AZURE_CLIENT_SECRET',
  'AZURE_CLIENT_CERTIFICATE',
  'AZURE_CLIENT_CERTIFICATE_PASSWORD',
  'token',
  'data',
  'stringData',
  'spec',
  `["${POLLER_TOKEN}"]`,
  `["${BACKUP_POLLER_TOKEN}"]`,
];

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;

/** The log of the controller. */
export function createLogger({ verbosity, json, output = process.stderr }: LogOptions): Logger {
  const level = LEVELS[Math.max(0, Math.min(Math.trunc(verbosity), LEVELS.length - 1))] ?? 'info';
  const nested = ['', '*', '*.*', '*.*.*'];
  const paths = nested.flatMap((prefix) =>
    SECRET.map((name) => (prefix === '' || name.startsWith('[') ? `${prefix}${name}` : `${prefix}.${name}`)),
  );
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: 'REDACTED' },
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

function lineStream(output: Pick<NodeJS.WritableStream, 'write'>, form: (line: string) => string): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      output.write(escapeUnseen(form(String(chunk))));
      done();
    },
  });
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
