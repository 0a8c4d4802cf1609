import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const script = join(__dirname, '..', '..', 'scripts', 'lazy-root.mjs');

/** A library in miniature: each file says when it is loaded. */
const sources: Record<string, string> = {
  'index.ts': 'export * from \'./azure\';\nexport * from \'./core\';\n'
    + 'export * as storage from \'./services/storage\';\nexport * as network from \'./services/network\';\n',
  'azure/index.ts': 'export { Id as ArmId } from \'./id\';\nexport type { Parts } from \'./id\';\n',
  'azure/id.ts': 'console.log(\'id\');\nexport class Id {}\nexport interface Parts {}\n',
  'core/index.ts': 'export * from \'./resource\';\n',
  'core/resource.ts': 'console.log(\'resource\');\nexport class Resource {}\n',
  'services/storage/index.ts': 'export * from \'./account\';\nexport * from \'./shared\';\n',
  'services/storage/account.ts': 'import { Resource } from \'../../core\';\nconsole.log(\'account\');\nexport class Account extends Resource {}\n',
  'services/storage/shared.ts': 'console.log(\'shared\');\nexport enum Tier { HOT = \'Hot\' }\n',
  'services/network/index.ts': 'export * from \'./vnet\';\n',
  'services/network/vnet.ts': 'console.log(\'vnet\');\nexport class Vnet {}\n',
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
  expect(run('a.cjs', 'require(\'./lib\');')).toEqual(['id', 'resource', 'account', 'shared', 'vnet']);
});

test('afterwards requiring the root loads nothing, and a class only itself and what it needs', () => {
  lazify();
  expect(run('a.cjs', 'require(\'./lib\');')).toEqual([]);
  expect(run('a.cjs', 'const { storage } = require(\'./lib\'); console.log(\'service\'); storage.Tier.HOT;')).toEqual(['service', 'shared']);
  expect(run('a.cjs', 'new (require(\'./lib/services/storage\').Account)();')).toEqual(['account', 'resource']);
});

test('each export is one and the same thing by whatever way, enumerable and configurable', () => {
  lazify();
  expect(run('a.cjs', `
    const root = require('./lib');
    console.log(Object.keys(root).join());
    console.log(root.storage === require('./lib/services/storage'), root.storage.Account === root.storage.Account, root.Resource === require('./lib/core').Resource, typeof root.ArmId);
    const { enumerable, configurable } = Object.getOwnPropertyDescriptor(root, 'network');
    console.log(enumerable, configurable, root.__esModule);
  `).filter((line) => line.includes(' ') || line.includes(','))).toEqual(['ArmId,Resource,storage,network', 'true true true function', 'true true true']);
});

test('ECMAScript modules import by name, and load no kind that they do not touch', () => {
  lazify();
  expect(run('a.mjs', 'import { storage, Resource } from \'./lib/index.js\'; console.log(typeof storage.Account, typeof Resource);')).toContain('function function');
  const loaded = run('a.mjs', 'import { storage } from \'./lib/index.js\'; console.log(typeof storage.Tier);');
  expect(loaded).toContain('object');
  expect(loaded).not.toContain('account');
  expect(loaded).not.toContain('vnet');
  expect(run('a.mjs', 'import { Account } from \'./lib/services/storage/index.js\'; console.log(Account.name);')).toContain('Account');
});

test('running it again changes nothing', () => {
  lazify();
  const before = readFileSync(join(lib(), 'index.js'), 'utf8');
  lazify();
  expect(readFileSync(join(lib(), 'index.js'), 'utf8')).toBe(before);
});

test('maps of generated code are dropped, those of written code kept', () => {
  lazify();
  expect(readFileSync(join(lib(), 'services/storage/account.js'), 'utf8')).not.toContain('sourceMappingURL');
  expect(readFileSync(join(lib(), 'core/resource.js'), 'utf8')).toContain('sourceMappingURL');
});

test('an index that does something of its own is refused, not silently made lazy', () => {
  compile('core/index.ts', 'export * from \'./resource\';\nexport const answer = 42;\n');
  expect(() => lazify()).toThrow(/core\/index\.js: an index may only export from other files, but it has: exports\.answer = 42/);
});
