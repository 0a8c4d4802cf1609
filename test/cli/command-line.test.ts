import { captured, filesIn } from './capture';
import { runCommandLine } from '../../cli/command-line';
import { styleFor } from '../../cli/output/terminal';

const run = async (...args: string[]) => {
  const terminal = captured();
  const status = await runCommandLine(args, '1.2.3', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err };
};

test('the version and the help', async () => {
  expect(await run('--version')).toEqual({ status: 0, out: '1.2.3', err: [] });
  const help = await run('--help');
  expect([help.status, help.out]).toEqual([0, expect.stringMatching(/plan .*sandbox /s)]);
  expect(await run()).toEqual({ status: 2, out: help.out, err: [] });
  const api = await run('api', '--help');
  expect(api.out).toMatch(/\n {2}build /);
  expect(await run('api')).toEqual({ status: 2, out: api.out, err: [] });
  expect((await run('help', 'plan')).out).toContain('Exit status: 0 when');
  const imports = (await run('help', 'import')).out;
  expect(imports).toContain('(default: 8)');
  expect(imports).not.toMatch(/default: (\[\]|\{\}|false)/);
});

test.each<[string[], RegExp]>([
  [['pln', 'x'], /^unknown command 'pln' \(Did you mean plan\?\)$/],
  [['plan'], /^plan: give files or directories of manifests$/],
  [['plan', 'x', '--outptu', 'json'], /^unknown option '--outptu' \(Did you mean --output\?\)$/],
  [['plan', 'x', '-o', 'xml'], /'xml' is invalid\. Allowed choices are text, json, markdown\.$/],
  [['plan', 'x', '-s', '../..'], /is invalid\. Give a UUID\.$/],
])('%j makes no sense: exit status 2', async (args, line) => {
  expect(await run(...args)).toEqual({ status: 2, out: '', err: [expect.stringMatching(line)] });
});

test('the exit status of plan', async () => {
  const directory = filesIn({
    'a.yaml': 'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: {name: rg}\nspec: {location: uksouth}\n',
  });
  expect((await run('plan', directory)).status).toBe(0);
  expect((await run('plan', directory, `${directory}/none.yaml`)).status).toBe(1);
});

test('a malformed AZURE_SUBSCRIPTION_ID is not put into a path', async () => {
  process.env.AZURE_SUBSCRIPTION_ID = '../x';
  try {
    expect(await run('plan', '.')).toEqual({
      status: 2,
      out: '',
      err: [expect.stringContaining('AZURE_SUBSCRIPTION_ID is not a subscription id')],
    });
  } finally {
    delete process.env.AZURE_SUBSCRIPTION_ID;
  }
});

test('colours only on a terminal and not against the user\'s wish', () => {
  const coloured = (stream: object, environment: Record<string, string>) => styleFor(stream, environment).bold('x') !== 'x';
  expect(coloured({ isTTY: true }, {})).toBe(true);
  expect(coloured({}, {})).toBe(false);
  expect(coloured({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
  expect(coloured({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
});
