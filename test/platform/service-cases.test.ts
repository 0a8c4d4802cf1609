// The constructs produce the objects of the platform's charts, with each fault corrected.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accept, type Case } from '../../scripts/accept-platform/accept';

const FOLDER = join(__dirname, '../fixtures/platform/selfservice');

const cases = readdirSync(FOLDER).map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Case);

test.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
  expect(await accept(one)).toEqual([]);
});
