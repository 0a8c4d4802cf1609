import { redactError } from '../../../engine/redact';
import { oneLine, TEXT_LIMITS, truncate } from '../../../engine/text-limits';
import { createLogger } from '../../../runtime/log/log';
import type { Entrance } from '../entrance';
import { mutate, mutateText } from '../mutate';

const FIELDS = {
  key: { kind: 'StorageAccount', namespace: 'ns', name: 'x' },
  message: 'refused',
  token: 't',
  spec: { a: 1 },
  list: [1, 'x', { data: 'y' }],
  headers: { authorization: 'Bearer x' },
  connection: 'DefaultEndpointsProtocol=https;AccountName=x;AccountKey=abcdefghijklmnopqrstuvwxyz==;EndpointSuffix=core.windows.net',
  url: 'https://u:p@host/x?sig=abc&se=1',
};
const output = { write: () => true };
const loggers = [true, false].map((json) => createLogger({ verbosity: 3, json, output }));

export const logEntrances: readonly Entrance[] = [
  {
    name: 'log',
    make: (random) => ({
      fields: mutate(FIELDS, {}, random),
      text: mutateText('HTTP 400: no such thing eyJhbGciOi.eyJzdWIi.c2ln', random),
      secret: mutateText('hunter2hunter2', random),
    }),
    enter: (input) => {
      const { fields, text, secret } = input as { fields: unknown; text: string; secret: string };
      const error = Object.assign(new Error(text, { cause: new Error(secret) }), { code: text.slice(0, TEXT_LIMITS.reason), body: fields });
      const redacted = redactError(error, [secret]);
      for (const logger of loggers) {
        logger.info(fields as object, text);
        logger.error({ err: redacted, fields }, text);
      }
      return [truncate(text, 100), oneLine(text, 100)];
    },
  },
];
