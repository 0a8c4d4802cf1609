import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { SCRIPTS, SHELLS } from '../../../cli/completion/scripts';
import { captured, filesIn } from '../capture';

const run = async (...args: string[]) => {
  const terminal = captured();
  const status = await runCommandLine(args, '1.2.3', terminal);
  return { status, out: terminal.out.join('\n') };
};
const complete = async (...words: string[]) => (await run('complete', '--', ...words)).out.split('\n').filter((line) => line !== '');

test.each<[string[], string[]]>([
  [['ch'], ['check']],
  [['co'], ['convert', 'completion']],
  [['help', 'gr'], ['graph']],
  [['check', '--se'], ['--severity', '--set']],
  [['check', '--output', ''], ['text', 'json']],
  [['check', '-o', 'j'], ['json']],
  [['check', '--output=j'], ['--output=json']],
  [['check', '--release', 'v2.1.'], ['v2.1.0']],
  [['upgrade-check', '--to', 'v2.2.'], ['v2.2.0']],
  [['crds', '--group', 'stor'], ['storage.azure.com']],
  [['crds', '--kind', 'storage.azure.com/StorageAccountsB'], ['storage.azure.com/StorageAccountsBlobService', 'storage.azure.com/StorageAccountsBlobServicesContainer']],
  [['status', '--state', 'Re'], ['Reconciling', 'Ready']],
  [['why', 'StorageAccountsM'], ['StorageAccountsManagementPolicy/']],
  [['completion', ''], ['bash', 'zsh', 'fish']],
  [['api', ''], ['build', 'test', 'run', 'diff', 'install', 'uninstall', 'help']],
  [['api', 'build', 'x.ts', '--na'], ['--name', '--namespace']],
  [['api', 'test', '-o', 'j'], ['json']],
  [['api', 'test', ''], []],
  [['explain', 'stor'], ['storage.']],
  [['explain', 'StorageAccountsT'], ['StorageAccountsTableService', 'StorageAccountsTableServicesTable']],
  [['explain', 'storage.StorageAccountsM'], ['storage.StorageAccountsManagementPolicy']],
  [['explain', 'storage.StorageAccount.networkA'], ['storage.StorageAccount.networkAcls']],
  [['explain', 'storage.StorageAccount.networkAcls.ipR'], ['storage.StorageAccount.networkAcls.ipRules']],
  [['explain', 'storage.StorageAccount', '--api-version', 'v2025'], ['v20250601']],
  // Files: the shell's own completion.
  [['check', ''], []],
  [['check', '--catalog', 'x'], []],
  [['explain', 'storage.Nothing.x'], []],
  [['explain', 'storage.StorageAccount.location.x'], []],
  [['nothing', 'x'], []],
])('%j', async (words, expected) => expect(await complete(...words)).toEqual(expected));

test('all commands but the hidden one', async () => {
  const found = await complete('');
  expect(found).toEqual(expect.arrayContaining(['check', 'plan', 'explain', 'completion']));
  expect(found).not.toContain('complete');
});

test.each(SHELLS)('the script of %s is printed', async (shell) => expect(await run('completion', shell)).toEqual({ status: 0, out: SCRIPTS[shell] }));

test('an unknown shell is a wrong command line', async () => expect((await run('completion', 'cmd')).status).toBe(2));

const hasBash = existsSync('/bin/bash') ? test : test.skip;
hasBash('bash takes the script, and completes with what the program says', () => {
  const directory = filesIn({});
  const program = join(directory, 'cdk8s-aso');
  writeFileSync(program, '#!/bin/sh\nfor last; do :; done\ncase "$last" in --output=*) echo --output=json;; *) echo "got $*" | tr " " _; echo storage.;; esac\n');
  chmodSync(program, 0o755);
  const script = `${SCRIPTS.bash}
compopt() { :; }
try() { COMP_LINE="$1" COMP_POINT=\${#1}; _cdk8s_aso; echo "\${COMPREPLY[*]}"; }
try 'cdk8s-aso explain st'
try 'cdk8s-aso check '
try 'cdk8s-aso check --output=j'`;
  const { stdout } = spawnSync('/bin/bash', ['--norc', '-c', script], { encoding: 'utf8', env: { PATH: `${directory}:${process.env.PATH}` } });
  expect(stdout).toBe('got_complete_--_explain_st storage.\ngot_complete_--_check_ storage.\njson\n');
});
