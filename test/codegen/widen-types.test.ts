import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const script = join(__dirname, '..', '..', 'scripts', 'widen-types.mjs');

/** The declarations of a library in miniature. */
const declarations: Record<string, string> = {
  'azure/index.d.ts': "export * from './region';\n",
  'azure/region.d.ts':
    'export declare class Region {\n    static readonly UK_SOUTH = "uksouth";\n    static readonly EAST_US_2 = "eastus2";\n    private constructor();\n}\n',
  'azure/built-in-roles.js': "exports.builtInRoleNames = () => ['Reader', 'Chief\\'s Reader'];\n",
  'azure/built-in-roles.d.ts': 'export declare function builtInRoleNames(): string[];\n',
  'core/built-in-role.d.ts': 'export declare class BuiltInRole {\n    static fromName(name: string): BuiltInRole;\n    static custom(id: string): BuiltInRole;\n}\n',
  'core/index.d.ts': "export * from './policy';\nexport * from './graph';\nexport * from './naming';\n",
  'core/policy.d.ts':
    'export declare enum Policy {\n    SKIP = "skip"\n}\nexport interface BaseProps {\n    readonly policy?: Policy;\n}\n'
    + 'export declare class Policies {\n    apply(policy: Policy, deep?: boolean): Policy;\n    private hidden;\n}\n',
  'core/graph.d.ts':
    "import { Policy } from './policy';\nexport interface GraphNode {\n    readonly policy: Policy;\n    readonly location: string;\n}\n"
    + 'export declare class Graph {\n    constructor(options?: GraphOptions);\n    get nodes(): GraphNode[];\n    near(node: GraphNode): boolean;\n}\n'
    + 'export interface GraphOptions {\n    readonly only?: Policy;\n}\n',
  'core/naming.d.ts':
    "import { Policy } from './policy';\nexport interface INaming {\n    name(policy: Policy): string;\n}\n"
    + 'export declare abstract class Naming implements INaming {\n    abstract name(policy: Policy): string;\n}\n',
  'core/resource.d.ts':
    'export declare class Resource {\n    /** Names. @internal */\n    static _is(value: unknown): value is Resource;\n    /**\n     * Checks.\n'
    + '     * @internal\n     */\n    _check(policy: Policy): void;\n    /** Name. */\n    readonly name: string;\n    private readonly made;\n}\n'
    + 'export declare class Scope {\n    /** @internal */\n    readonly _name: string;\n    /** @internal */\n    get _path(): string;\n}\n'
    + 'export declare abstract class Matcher {\n    /** @internal */\n    abstract _describe(): string;\n    /** @internal */\n    _weight(): number;\n}\n'
    + 'export declare class Any extends Matcher {\n    /** @internal */\n    _describe(): string;\n}\n',
  'services/storage/index.d.ts': "export * from './account';\nexport * from './shared';\n",
  'services/storage/account.d.ts':
    "import type { Construct } from 'constructs';\nimport type { BaseProps } from '../../core';\nimport type { Encryption } from './shared';\n"
    + 'export interface AccountProps extends BaseProps {\n    /** Tier. */\n    readonly tier: Tier;\n    readonly tiers?: Tier[];\n'
    + '    readonly byName?: {\n        [key: string]: Tier;\n    };\n    readonly encryption?: Encryption;\n    readonly location: string;\n}\n'
    + 'export declare class Account {\n    constructor(scope: Construct, id: string, props: AccountProps);\n    get tier(): Tier;\n}\n'
    + 'export declare enum Tier {\n    HOT = "Hot"\n}\n',
  'services/storage/shared.d.ts':
    'export declare enum KeySource {\n    VAULT = "Microsoft.Keyvault"\n}\nexport interface Encryption {\n    readonly keySource?: KeySource;\n}\n',
};

let lib: string;
const widen = () => execFileSync(process.execPath, [script, lib]);
const read = (file: string) => readFileSync(join(lib, file), 'utf8');

beforeAll(() => {
  lib = mkdtempSync(join(tmpdir(), 'widen-'));
  for (const [path, text] of Object.entries(declarations)) {
    mkdirSync(dirname(join(lib, path)), { recursive: true });
    writeFileSync(join(lib, path), text);
  }
  widen();
});
afterAll(() => rmSync(lib, { recursive: true }));

test('a role is completed by its name, once however often the script runs', () => {
  widen();
  expect(read('core/built-in-role.d.ts')).toBe(
    "import type { RoleName } from '../azure/built-in-roles';\nexport declare class BuiltInRole {\n"
    + '    static fromName(name: RoleName): BuiltInRole;\n    static custom(id: string): BuiltInRole;\n}\n',
  );
  expect(read('azure/built-in-roles.d.ts').match(/export type RoleName = .*/g)).toEqual([
    "export type RoleName = 'Reader' | 'Chief\\'s Reader' | (string & {});",
  ]);
});

test('props take the texts of enums, in lists, maps and structs as well, and any region', () => {
  const text = read('services/storage/account.d.ts');
  expect(text).toContain('readonly tier: `${Tier}`;');
  expect(text).toContain('readonly tiers?: `${Tier}`[];');
  expect(text).toContain('[key: string]: `${Tier}`;');
  expect(text).toMatch(/^import type \{ RegionName \} from '\.\.\/\.\.\/azure\/region';\n/);
  expect(text).toContain('readonly location: RegionName;');
  expect(read('services/storage/shared.d.ts')).toContain('readonly keySource?: `${KeySource}`;');
  expect(read('core/policy.d.ts')).toContain('readonly policy?: `${Policy}`;');
  expect(read('azure/region.d.ts')).toMatch(/export type RegionName = 'uksouth' \| 'eastus2' \| \(string & \{\}\);\n$/);
});

test('parameters of methods do so, too; what comes out and what users write themselves stays an enum', () => {
  expect(read('core/policy.d.ts')).toContain('apply(policy: `${Policy}`, deep?: boolean): Policy;');
  expect(read('services/storage/account.d.ts')).toContain('get tier(): Tier;');
  expect(read('core/graph.d.ts')).toContain('readonly policy: Policy;\n    readonly location: string;');
  expect(read('core/graph.d.ts')).toContain('readonly only?: `${Policy}`;');
  expect(read('core/naming.d.ts')).toBe(declarations['core/naming.d.ts']);
});

test('internal members are not offered; a class stays one of its own, and an abstract class abstract', () => {
  expect(read('core/resource.d.ts')).toBe(
    'export declare class Resource {\n    /** Name. */\n    readonly name: string;\n    private readonly made;\n}\n'
    + 'export declare class Scope {\n    private readonly internals;\n}\n'
    + 'export declare abstract class Matcher {\n    /** @internal */\n    abstract _describe(): string;\n}\n'
    + 'export declare class Any extends Matcher {\n    /** @internal */\n    _describe(): string;\n}\n',
  );
});

test('a second run changes nothing', () => {
  const before = Object.keys(declarations).map(read);
  widen();
  expect(Object.keys(declarations).map(read)).toEqual(before);
});
