import type { Logger } from '../../runtime/log/log';

/** In the place of the log: tells of warnings and errors. */
export function listeningLogger(listen: (level: 'warn' | 'error', text: string) => void): Logger {
  const silent = (): void => undefined;
  const report =
    (level: 'warn' | 'error') =>
      (fields: unknown, message = '') =>
        listen(level, `${message} ${JSON.stringify(fields, withErrors)}`);
  const logger = {
    level: 'warn',
    trace: silent,
    debug: silent,
    info: silent,
    warn: report('warn'),
    error: report('error'),
    fatal: report('error'),
    isLevelEnabled: () => false,
  };
  return logger as unknown as Logger;
}

function withErrors(_: string, value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value;
}
