import { documents } from './documents';
import { MAX_RECEIVED_BYTES } from '../../controller/databases/bounded-socket';
import { CLOSE_TIMEOUT, CONNECT_TIMEOUT, SESSION_TIMEOUT, STATEMENT_TIMEOUT } from '../../controller/databases/session';
import { ARM_LIMITS, FOREIGN_LIMITS } from '../../engine/arm/arm-client';
import { MAX_IDENTITY_FILE_BYTES, TOKEN_LIMITS, TOKEN_TIMEOUT } from '../../engine/credentials/token-credential';
import { SMALL_BODY_BYTES } from '../../engine/http/bounded-body';
import { MAX_ANSWER_BYTES, REQUEST_TIMEOUT } from '../../engine/kubernetes/connection';
import { MAX_LINE } from '../../engine/kubernetes/json-lines';

const [, section = ''] = documents.get('docs/controller.md')!.split(/^## Limits of requests$/m);
const [text = ''] = section.split(/^## /m);
const rows = text.split('\n').filter((line) => line.startsWith('| ')).slice(1).map((line) => line.split('|').map((cell) => cell.trim()).slice(1));

const size = (bytes: number) => (bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`);
const seconds = (ms: number) => `${ms / 1000} s`;

test.each([
  ['Azure Resource Manager', [size(ARM_LIMITS.maxBodyBytes)], [seconds(ARM_LIMITS.timeoutMs)]],
  ['a Resource Manager that', [size(FOREIGN_LIMITS.maxBodyBytes)], [seconds(FOREIGN_LIMITS.timeoutMs)]],
  ['Microsoft Graph', [size(ARM_LIMITS.maxBodyBytes)], [seconds(ARM_LIMITS.timeoutMs)]],
  ['tokens by', [size(TOKEN_LIMITS.maxBodyBytes)], [seconds(TOKEN_LIMITS.timeoutMs), seconds(TOKEN_TIMEOUT)]],
  ['tokens of', [size(TOKEN_LIMITS.maxBodyBytes)], [seconds(TOKEN_LIMITS.timeoutMs), seconds(TOKEN_TIMEOUT)]],
  ['the Kubernetes API', [size(MAX_ANSWER_BYTES), size(MAX_LINE)], [seconds(REQUEST_TIMEOUT)]],
  ['databases', [size(MAX_RECEIVED_BYTES)], [CONNECT_TIMEOUT, STATEMENT_TIMEOUT, SESSION_TIMEOUT, CLOSE_TIMEOUT].map(seconds)],
])('docs/controller.md has the limits of the code: %s', (name, sizes, times) => {
  const [, , body, time] = rows.find(([subject]) => subject!.startsWith(name))!;
  for (const one of sizes) expect(body).toContain(one);
  for (const one of times) expect(time).toContain(one);
});

test('so have its sentences', () => {
  expect(text).toContain(`larger than ${size(SMALL_BODY_BYTES)} are read`);
  expect(text).toContain(`at most ${size(MAX_IDENTITY_FILE_BYTES)};`);
});
