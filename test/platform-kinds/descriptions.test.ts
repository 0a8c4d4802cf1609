import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { descriptionsFile } from './docstrings';

const path = join(__dirname, '..', '..', 'src', 'platform-kinds', 'schema', 'descriptions.ts');

/** `UPDATE_DOCS=1 npx jest test/platform-kinds/descriptions` writes the file. */
test('the descriptions of claims are the docstrings of the interfaces', () => {
  const file = descriptionsFile();
  if (process.env.UPDATE_DOCS) writeFileSync(path, file);
  expect(readFileSync(path, 'utf8')).toBe(file);
});
