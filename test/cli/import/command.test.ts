import { Command } from 'commander';
import { addImportCommand } from '../../../cli/import/command';
import { captured } from '../capture';

jest.mock('../../../cli/import/run', () => ({ runImport: jest.fn(async () => 0) }));
const { runImport } = jest.requireMock<{ runImport: jest.Mock }>('../../../cli/import/run');

/** The options of a command line. @throws CommanderError for a wrong one */
async function optionsOf(...words: string[]): Promise<Record<string, unknown>> {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addImportCommand(program, captured(), () => undefined);
  program.commands[0]!.exitOverride().configureOutput({ writeErr: () => undefined });
  await program.parseAsync(['import', '/subscriptions/x', ...words], { from: 'user' });
  return runImport.mock.lastCall![1] as Record<string, unknown>;
}

test('an annotation has any text, a label several pairs', async () => {
  expect(await optionsOf('-a', 'note=Hello, world', '-a', 'example.com/url=https://x/?a=b', '-l', 'app=shop,tier=', '-n', 'shop')).toMatchObject({
    annotation: { 'note': 'Hello, world', 'example.com/url': 'https://x/?a=b' }, label: { app: 'shop', tier: '' }, namespace: 'shop',
  });
});

test.each([
  ['-n', 'Bad NS!'], ['-n', ''], ['-l', 'a=hello world'], ['-l', 'a b=c'], ['-l', 'a=b=c'], ['-l', 'a'], ['-a', 'note'], ['-a', '=x'], ['-a', 'a/b/c=x'],
])('%s %j is refused: Kubernetes would refuse each object', async (option, text) => {
  await expect(optionsOf(option, text)).rejects.toThrow(/is invalid/);
});
