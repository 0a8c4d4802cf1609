import { Writable } from 'node:stream';
import pino, { type Logger } from 'pino';

export type { Logger } from 'pino';

export interface LogOptions {
  /** `-v`: 0 errors, 1 warnings, 2 one line a pass, 3 and more everything. */
  readonly verbosity: number;
  /** `--json-logging`; otherwise lines for people. */
  readonly json: boolean;
  /** Default: standard error. */
  readonly output?: NodeJS.WritableStream;
}

/** Specs and Secrets are never logged; these are the members that could slip in with an object or an error. */
const SECRET = ['authorization', 'password', 'clientSecret', 'AZURE_CLIENT_SECRET', 'AZURE_CLIENT_CERTIFICATE', 'AZURE_CLIENT_CERTIFICATE_PASSWORD', 'token', 'data', 'stringData',
  'spec', '["serviceoperator.azure.com/poller-resume-token"]'];

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;

/** The log of the controller. */
export function createLogger({ verbosity, json, output = process.stderr }: LogOptions): Logger {
  const level = LEVELS[Math.max(0, Math.min(Math.trunc(verbosity), LEVELS.length - 1))];
  const nested = ['', '*', '*.*', '*.*.*'];
  const paths = nested.flatMap((prefix) => SECRET.map((name) => (prefix === '' || name.startsWith('[') ? `${prefix}${name}` : `${prefix}.${name}`)));
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: 'REDACTED' },
    },
    json ? output : textStream(output),
  );
}

/** Nobody listens. */
export function silentLogger(): Logger {
  return pino({ level: 'silent' });
}

/** `2026-01-01T00:00:00.000Z INFO  reconciled controller=… name=…` */
function textStream(output: NodeJS.WritableStream): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      output.write(textLine(String(chunk)));
      done();
    },
  });
}

function textLine(json: string): string {
  const { time, level, msg, ...rest } = JSON.parse(json) as Record<string, unknown>;
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)}`);
  return `${[String(time), String(level).toUpperCase().padEnd(5), String(msg ?? ''), ...fields].join(' ')}\n`;
}
