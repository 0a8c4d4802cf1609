import { join } from 'node:path';
import { runCommandLine } from '../../cli/command-line';
import { captured } from '../cli/capture';

const example = join(__dirname, '..', '..', 'examples', 'platform-api');

test('the claims of the example give the expected objects, without a warning', async () => {
  const terminal = captured();
  const status = await runCommandLine(['api', 'test', join(example, 'bucket.ts'), join(example, 'claims'), '-o', 'json'], '1.2.3', terminal);
  const { files } = JSON.parse(terminal.out.join('\n')) as { files: { outcome: string; warnings: unknown[] }[] };
  expect([status, terminal.err, files.map(({ outcome, warnings }) => [outcome, warnings])]).toEqual([0, [], [['same', []], ['same', []]]]);
});
