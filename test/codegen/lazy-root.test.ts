import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const script = join(__dirname, '..', '..', 'scripts', 'lazy-root.mjs');

/** A library in miniature: each file says when it is loaded. */
const sources: Record<string, string> = {
  'index.ts':
    "export * from './azure';\nexport * from './core';\n"
    + "export * as storage from './services/storage';\nexport * as network from './services/network';\n",
  'azure/index.ts': "export { Id as ArmId } from './id';\nexport type { Parts } from './id';\n",
  'azure/id.ts': "console.log('id');\nexport class Id {}\nexport interface Parts {}\n",
  'core/index.ts': "export * from './resource';\n",
  'core/resource.ts':
    "import { Check, check, LIMIT } from './checks';\nimport { Text, WORD } from './words';\nimport { Base } from './base';\n"
    + "console.log('resource');\n"
    + 'export class Resource extends Base {\n'
    + '  public static readonly WORDS = \'words_1.check\'; // words_1.check\n'
    + '  validate() { return [new Check(WORD).word, check(), new Text.Long(LIMIT).text, this.base, { WORD }.WORD === WORD]; }\n'
    + '  fail() {\n    check();\n    throw new Error(\'failed\');\n  }\n'
    + '}\n',
  'core/base.ts': "console.log('base');\nexport class Base { base = 'base'; }\n",
  'core/checks/index.ts': "export * from './check';\nexport { LIMIT } from './limit';\n",
  'core/checks/check.ts':
    "console.log('check');\nexport class Check { constructor(readonly word: string) {} }\nexport const check = () => 'checked';\n",
  'core/checks/limit.ts': "console.log('limit');\nexport const LIMIT = 3;\n",
  'core/words.ts':
    "console.log('words');\nexport const WORD = 'word';\nexport const Text = { Long: class { text: string; constructor(n: number) { this.text = WORD.repeat(n); } } };\n",
  'services/storage/index.ts': "export * from './account';\nexport * from './shared';\n",
  'services/storage/account.ts':
    "import { Resource } from '../../core';\nconsole.log('account');\nexport class Account extends Resource {}\n",
  'services/storage/shared.ts': "console.log('shared');\nexport enum Tier { HOT = 'Hot' }\n",
  'services/network/index.ts': "export * from './vnet';\n",
  'services/network/vnet.ts': "console.log('vnet');\nexport class Vnet {}\n",
};

let folder: string;
const lib = () => join(folder, 'lib');
const lazify = () => execFileSync(process.execPath, [script, lib()], { encoding: 'utf8', stdio: 'pipe' });
const run = (file: string, code: string) => {
  writeFileSync(join(folder, file), code);
  return execFileSync(process.execPath, [join(folder, file)], { encoding: 'utf8' }).trim().split('\n').filter((line) => line !== '');
};

function compile(path: string, source: string): void {
  // As jsii compiles the library.
  const { CommonJS } = ts.ModuleKind;
  const options = { module: CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true, inlineSourceMap: true, inlineSources: true };
  const file = join(lib(), path.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, ts.transpileModule(source, { compilerOptions: options, fileName: path }).outputText);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lazy-'));
  for (const [path, source] of Object.entries(sources)) compile(path, source);
});
afterEach(() => rmSync(folder, { recursive: true }));

test('as compiled, requiring the root loads everything: what the script is for', () => {
  expect(run('a.cjs', 'require(\'./lib\');')).toEqual(['id', 'check', 'limit', 'words', 'base', 'resource', 'account', 'shared', 'vnet']);
});

test('afterwards requiring the root loads nothing, and a class only itself and what it needs', () => {
  lazify();
  expect(run('a.cjs', "require('./lib');")).toEqual([]);
  expect(run('a.cjs', "const { storage } = require('./lib'); console.log('service'); storage.Tier.HOT;")).toEqual(['service', 'shared']);
  expect(run('a.cjs', "new (require('./lib/services/storage').Account)();")).toEqual(['account', 'resource', 'base']);
});

test('what a file imports is loaded where it is first used, once, and a base class with its class', () => {
  const code = 'const { Resource } = require(\'./lib/core\'); const r = new Resource(); console.log(\'made\'); r.validate(); console.log(r.validate().join());';
  const values = 'word,checked,wordwordword,base,true';
  expect(run('a.cjs', code)).toEqual(['check', 'limit', 'words', 'base', 'resource', 'made', values]);
  lazify();
  expect(run('a.cjs', code)).toEqual(['resource', 'base', 'made', 'check', 'words', 'limit', values]);
  expect(run('a.cjs', 'console.log(require(\'./lib/core\').Resource.WORDS);').at(-1)).toBe('words_1.check');
});

test('each export is one and the same thing by whatever way, enumerable and configurable', () => {
  lazify();
  expect(run('a.cjs', `
    const root = require('./lib');
    console.log(Object.keys(root).join());
    console.log(root.storage === require('./lib/services/storage'), root.storage.Account === root.storage.Account, root.Resource === require('./lib/core').Resource, typeof root.ArmId);
    const { enumerable, configurable } = Object.getOwnPropertyDescriptor(root, 'network');
    console.log(enumerable, configurable, root.__esModule);
  `,
  ).filter((line) => line.includes(' ') || line.includes(',')),
  ).toEqual(['ArmId,Resource,storage,network', 'true true true function', 'true true true']);
});

test('ECMAScript modules import by name, and load no kind that they do not touch', () => {
  lazify();
  expect(
    run('a.mjs', "import { storage, Resource } from './lib/index.js'; console.log(typeof storage.Account, typeof Resource);"),
  ).toContain('function function');
  const loaded = run('a.mjs', "import { storage } from './lib/index.js'; console.log(typeof storage.Tier);");
  expect(loaded).toContain('object');
  expect(loaded).not.toContain('account');
  expect(loaded).not.toContain('vnet');
  expect(run('a.mjs', 'import { Account } from \'./lib/services/storage/index.js\'; console.log(Account.name);')).toContain('Account');
});

test('running it again changes nothing', () => {
  lazify();
  const read = () => readdirSync(lib(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]);
  const before = read();
  lazify();
  expect(read()).toEqual(before);
});

test('no file has a source map, or names one', () => {
  lazify();
  const files = readdirSync(lib(), { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  expect(files.filter((file) => file.endsWith('.js') && readFileSync(join(lib(), file), 'utf8').includes('sourceMappingURL'))).toEqual([]);
});

test('an index further down that does more than export is a file like others', () => {
  compile(
    'core/checks/index.ts',
    "import { LIMIT } from './limit';\nexport * from './check';\nexport { LIMIT };\nexport const twice = () => 2 * LIMIT;\n",
  );
  lazify();
  const code =
    "const checks = require('./lib/core/checks'); console.log('loaded'); console.log(checks.twice(), typeof checks.Check, checks.LIMIT);";
  expect(run('a.cjs', code)).toEqual(['check', 'loaded', 'limit', '6 function 3']);
});

test('an index that does something of its own is refused, not silently made lazy', () => {
  compile('core/index.ts', 'export * from \'./resource\';\nexport const answer = 42;\n');
  expect(() => lazify()).toThrow(/core\/index\.js: an index may only export from other files, but it has: exports\.answer = 42/);
});
