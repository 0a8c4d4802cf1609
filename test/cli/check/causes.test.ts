import { runCommandLine } from '../../../cli/command-line';
import { captured, filesIn } from '../capture';

const group = (name: string, version = 'v1api20200601', spec = '{location: uksouth}') => (
  `apiVersion: resources.azure.com/${version}\nkind: ResourceGroup\nmetadata: {name: ${name}}\nspec: ${spec}\n`
);
const check = async (text: string, ...args: string[]) => {
  const terminal = captured();
  const status = await runCommandLine(['check', filesIn({ 'a.yaml': text }), ...args], '1.2.3', terminal);
  return { status, lines: terminal.out.join('\n').split('\n'), err: terminal.err.join('\n') };
};

const OLD = Array.from({ length: 8 }, (_, index) => group(`rg${index}`, 'v1beta20200601')).join('---\n');

describe('findings of one cause', () => {
  test('share a line, with the other places on the next; the summary counts each', async () => {
    const { status, lines } = await check(OLD);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/a\.yaml:1: error unknown-version ResourceGroup default\/rg0: apiVersion: .*; write resources\.azure\.com\/v1api20200601/);
    expect(lines[1]).toMatch(/^ {2}the same at 7 more places: \S+a\.yaml:6 ResourceGroup default\/rg1, .* ResourceGroup default\/rg5 and 2 more$/);
    expect([status, lines[2]]).toEqual([1, 'Check: 8 objects, 8 errors.']);
  });

  test('data without a policy, of any kinds', async () => {
    const data = (kind: string, name: string) => `apiVersion: storage.azure.com/v20250601\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: {owner: {name: a}}\n`;
    const { lines } = await check([data('StorageAccountsBlobServicesContainer', 'b'), data('StorageAccountsQueueServicesQueue', 'c')].join('---\n'));
    const at = lines.findIndex((line) => line.includes('data-unprotected'));
    expect(lines[at]).toContain('removalPolicy: RemovalPolicy.RETAIN');
    expect(lines[at + 1]).toMatch(/the same at 1 more place: \S+ StorageAccountsQueueServicesQueue default\/c$/);
  });

  test('have a line each with --verbose', async () => expect((await check(OLD, '--verbose')).lines).toHaveLength(9));

  test('are listed by their cause in the JSON output', async () => {
    const { lines } = await check(OLD, '--output', 'json');
    const { causes, findings } = JSON.parse(lines.join('\n')) as { causes: { findings: number[] }[]; findings: object[] };
    expect([findings.length, causes.map((cause) => cause.findings)]).toEqual([8, [[0, 1, 2, 3, 4, 5, 6, 7]]]);
  });

  test('other causes stay apart', async () => {
    const { lines } = await check(`${group('a', 'v1beta20200601')}---\n${group('b', undefined, '{locaton: uksouth}')}`);
    expect(lines.filter((line) => /^\S+: (error|warning)/.test(line)).length).toBeGreaterThan(1);
    expect(lines.join()).not.toContain('the same at');
  });
});

describe('--release', () => {
  const account = (version: string) => `apiVersion: storage.azure.com/${version}
kind: StorageAccount
metadata: {name: data}
spec: {owner: {name: rg}, azureName: shopdata4711, location: uksouth, kind: StorageV2, sku: {name: Standard_LRS}}
---
${group('rg')}`;

  test('a version that it does not serve is an error, which names the version that it serves', async () => {
    const { status, lines } = await check(account('v20250601'), '--release', 'v2.9.0');
    expect([status, lines[0]]).toEqual([1, expect.stringMatching(
      /release StorageAccount default\/data: apiVersion: v2\.9\.0 does not serve v20250601 .* v2\.18\.0 is the first .* write storage\.azure\.com\/v1api20230101/,
    )]);
  });

  test('a version that it has removed is an error', async () => {
    const cache = (version: string) => `apiVersion: cache.azure.com/${version}
kind: RedisEnterprise
metadata: {name: cache}
spec: {owner: {name: rg}, location: uksouth, sku: {name: Enterprise_E10}}
---
${group('rg')}`;
    const error = /error release RedisEnterprise .* v2\.21\.0 does not serve v1api20230701 of RedisEnterprise any more/;
    expect((await check(cache('v1api20230701'), '--release', 'v2.21.0')).lines.join('\n')).toMatch(error);
    expect((await check(cache('v1api20230701'), '--release', 'v2.20.0')).lines.join('\n')).toMatch(/warning release RedisEnterprise .* v2\.21\.0 will not serve v1api20230701/);
  });

  test('a version that it serves is none, and is not deprecated in favour of one that it lacks', async () => {
    expect((await check(account('v1api20230101'), '--release', '2.9')).lines.join('\n')).not.toMatch(/release|deprecated/);
    expect((await check(account('v1api20230101'))).lines.join('\n')).toContain('deprecated-version');
  });

  test('a release that does not exist is a wrong command line', async () => {
    expect(await check(account('v20250601'), '--release', 'v9')).toMatchObject({ status: 2, err: expect.stringMatching(/^--release v9: .* is not a version/) as string });
    expect((await check(account('v20250601'), '--release', 'v2.99.0')).err).toContain('there is no release');
  });
});
