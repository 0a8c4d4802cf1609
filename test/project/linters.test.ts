import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

// `npm test` runs oxlint with the rules of ESLint's configuration (projenrc/linters.ts); ESLint itself is run by editors and at night.

/** Violations, at least one of every rule; and code beside them that only resembles one. */
const FILES: Readonly<Record<string, string>> = {
  'engine/layout.ts': `
export const quoted = "double";
export const list = [ 1,2 ];
export const lines = [1,
  2];
export const object = {a: 1, 'b': 2,   c :3};
export const spread = { a: 1, b: 2,
  c: 3 };
export const last = {
  a: 1, b: 2,
  c: 3
};
export interface Members { a: string, b: number }
export function test(){
   if(list) { return 1 }
  else { return 2; }
}   



export const long = list.map((one) => one + 1).map((one) => one + 1).map((one) => one + 1).map((one) => one + 1).map((one) => one + 1).map((one) => one + 2);
export const brackets = [
  1, 2];
`,
  'engine/code.ts': `
import { join } from 'node:path';
import { basename } from 'node:path';
import type { ParsedPath } from 'node:path';
import { b } from './layout-b';
import { a } from './layout-a';
import { c } from '../src/core/names';
const required = require('node:fs');
export const bits = a | b;
export const dotted = required['readFileSync'];
export function braces(one: any): number {
  if (one) { return 1; } else
    return 2;
}
export function deep(one: boolean) {
  if (one)
    return [1,
      2];
  return [];
}
export class Ordered {
  public method(): string { return join(basename(c), this.field); }
  public readonly field: string = '';
  public static make(): Ordered { return new Ordered(); }
}
export type Paths = ParsedPath;
export const guard = typeof a === 'object' && !Array.isArray(a);
`,
  'engine/shadows.ts': `
export const outer = 1;
export interface Shape { readonly outer: number }
export type Value = string;
const later = (hoisted: number) => hoisted;
export function inner(outer: string): string {
  const Value = outer;
  const Shape = Value;
  return Shape;
}
export function types<Shape>(one: Shape): Shape { return one; }
export type Callback = (outer: string, later: number) => void;
export const nested = [1].map((one) => [2].map((one) => later(one + 1)));
export function hoists(): number {
  const before = (after: number) => after;
  const after = before(1);
  return after;
}
export function calls(): number {
  const run = (declared: number) => declared;
  function declared(): number { return run(1); }
  return declared();
}
export enum Colour { RED, GREEN }
export const paint = (Colour: string, RED: number) => Colour + RED;
export class Self { make(): unknown { return class Self {}; } }
try { nested.pop(); } catch (outer) { later(outer as number); }
declare global { interface Window { readonly outer: string } }
export namespace Names { export const outer = 2; }
export function defaults(one = 1, two = (one: number) => one): number { return two(one); }
export const overloads: { (outer: number): void; new (later: number): object } | undefined = undefined;
`,
  'engine/names.ts': `
import { join } from 'node:path';
import type { ParsedPath } from 'node:path';
import * as all from 'node:path';
import fs, { readFileSync } from 'node:fs';
import { type Stats } from 'node:fs';
export { basename } from 'node:path';
export { join, all, fs, readFileSync, type ParsedPath, type Stats };
`,
  'engine/layout-a.ts': 'export const a = 1;\n',
  'engine/layout-b.ts': 'export const b = 2;\n',
  'src/core/names.ts': "export const c = '';\n",
  'src/util/packages.ts': "import { Chart } from 'cdk8s';\nimport { parse } from 'yaml';\nimport { a } from '../../engine/layout-a';\nexport { a, Chart, parse };\n",
  'src/azure/annotations.ts': "export const KEY = 'aso.cdk8s.io/x';\n",
  'src/azure/other.ts': "export const KEY = 'aso.cdk8s.io/x';\n",
  'test/engine/limits.test.ts': "jest.setTimeout(1);\ntest('x', (): any => undefined, 100);\ntest.each([1])('%s', () => undefined, 2000);\n",
  'test/core/any.ts': 'export const one = {} as any;\n',
  'test/e2e/any.ts': 'export const one = {} as any;\n',
  'test/e2e/composer-any.ts': 'export const one = {} as any;\n',
  '.projenrc.ts': "export const fs = require('node:fs');\nexport const quoted = \"double\";\n",
  'examples/any.ts': 'export const one = { } as any;\n',
  'site/any.ts': 'export const one = {} as any;\n',
  'site/any.d.ts': 'export const one: any\n',
  'test/types/cases/wrong.ts': 'export const one = "";\n',
  'src/services/generated.ts': 'export const one = "";\n',
};

interface EslintMessage { readonly ruleId: string; readonly line: number; readonly severity: number }
interface EslintFile { readonly filePath: string; readonly messages: readonly EslintMessage[] }
interface OxlintMessage {
  readonly code: string;
  readonly filename: string;
  readonly severity: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}
type Rules = Readonly<Record<string, unknown>>;
interface Configuration { readonly rules: Rules; readonly overrides: readonly { readonly rules: Rules }[] }

const root = join(__dirname, '..', '..');
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'linters-'));
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), text);
  }
  mkdirSync(join(directory, 'scripts'));
  for (const file of ['.eslintrc.json', '.oxlintrc.json', 'package.json', 'tsconfig.packages.json', 'scripts/eslint-core.mjs']) {
    cpSync(join(root, file), join(directory, file));
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function output(program: string, ...args: string[]): unknown {
  const env = { ...process.env, ESLINT_USE_FLAT_CONFIG: 'false', NODE_NO_WARNINGS: '1' };
  const folders = [...new Set(Object.keys(FILES).map((file) => file.replace(/\/.*/, '')))];
  const command = [join(root, 'node_modules', program), ...args, ...folders];
  const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: directory, env, encoding: 'utf8' });
  if (!/^[[{]/.test(stdout)) throw new Error(`${program}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** A finding as `file:line rule severity`, the rule without its plugin: some have another plugin's in oxlint. Once for a line. */
const findings = (all: readonly string[]) => [...new Set(all)].sort();

test('oxlint finds what ESLint finds, with all of its rules', () => {
  const files = output('eslint/bin/eslint.js', '--format', 'json', '--ext', '.ts') as EslintFile[];
  const byEslint = findings(files.flatMap(({ filePath, messages }) => messages.map(({ ruleId, line, severity }) =>
    `${filePath.slice(directory.length + 1)}:${line} ${ruleId.replace(/^.*\//, '')} ${severity === 2 ? 'error' : 'warning'}`)));
  const { diagnostics } = output('oxlint/bin/oxlint', '--format', 'json') as { readonly diagnostics: readonly OxlintMessage[] };
  const byOxlint = findings(diagnostics.flatMap(({ code, filename, severity, labels }) => {
    const rule = /\(([\w-]+)\)$/.exec(code)?.[1];
    // ESLint has a finding for each import of the same, and oxlint one for all. Labels of other rules are places that explain a finding.
    const places = rule === 'no-duplicates' ? labels : labels.slice(0, 1);
    return places.map(({ span }) => `${filename}:${span.line} ${rule} ${severity}`);
  }));
  expect(byOxlint).toEqual(byEslint);
  // It begins with a comment.
  const config = parse(readFileSync(join(root, '.eslintrc.json'), 'utf8').replace(/^\/\/.*/, '')) as Configuration;
  const rules = [config.rules, ...config.overrides.map((one) => one.rules)].flatMap((one) => Object.entries(one))
    .filter(([, setting]) => [setting].flat()[0] !== 'off').map(([rule]) => rule.replace(/^.*\//, ''));
  expect([...new Set(rules)].filter((rule) => !byEslint.some((finding) => finding.includes(` ${rule} `)))).toEqual([]);
});
