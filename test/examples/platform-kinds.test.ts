import { join } from 'node:path';
import { runCommandLine } from '../../cli/command-line';
import { captured } from '../cli/capture';

const example = (file: string) => join(__dirname, '..', '..', 'examples', 'platform-kinds', file);

test.each([
  ['team.yaml', ['environment.yaml']],
  ['service.yaml', ['environment.yaml', 'team.yaml']],
])('%s of the example gives the expected objects, without a warning', async (file, objects) => {
  const terminal = captured();
  const args = ['api', 'test', example('platform.ts'), example(file), '--objects', ...objects.map(example), '-o', 'json'];
  const status = await runCommandLine(args, '1.2.3', terminal);
  const { files } = JSON.parse(terminal.out.join('\n')) as { files: { outcome: string; warnings: unknown[] }[] };
  expect([status, terminal.err, files.map(({ outcome, warnings }) => [outcome, warnings])]).toEqual([0, [], [['same', []]]]);
});
