import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const script = join(root, 'scripts', 'changelog.mjs');
const HEAD = '# Changelog\n\nAbout versions.\n\n';
/** As commit-and-tag-version writes it. */
const GENERATED = '\n## [0.1.1](https://example.com/compare) (2027-01-31)\n\n\n'
  + '### Features\n\n* **cli:** a command ([bb3e1b5](https://example.com))\n';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'changelog-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const write = (file: string, text: string) => writeFileSync(join(directory, file), text);
const read = (file: string) => readFileSync(join(directory, file), 'utf8');

function run(args: string[], env: Record<string, string> = {}): string {
  const options = { cwd: directory, env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], options);
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

describe('the next version', () => {
  const nextVersion = (changelog: string, released: string, suggestion: string) => {
    write('CHANGELOG.md', changelog);
    return run(['next-version'], { VERSION: released, SUGGESTED_BUMP: suggestion });
  };

  test.each([
    ['0.1.0', '0.0.0', 'none', '0.1.0'], // the first release
    ['0.1.0', '0.1.0', 'patch', 'patch'], // a section of the last release
    ['0.2.0', '0.10.0', 'patch', 'patch'], // numbers, not texts
    ['0.10.0', '0.9.3', 'patch', '0.10.0'],
    ['1.0.0', '0.9.3', 'minor', '1.0.0'],
  ])('newest section %s, released %s, suggested %s: %s', (newest, released, suggestion, expected) => {
    expect(nextVersion(`${HEAD}## ${newest}\n\nText.\n\n## 0.0.1\n\nOld.\n`, released, suggestion)).toBe(expected);
  });

  test('without a section it is the suggestion', () => expect(nextVersion(HEAD, '0.0.0', 'minor')).toBe('minor'));
  test('headings inside a section are none', () => {
    expect(nextVersion(`${HEAD}## 0.1.0\n\n### 9.9.9.9 is an address\n`, '0.1.0', 'patch')).toBe('patch');
  });
});

describe('the notes of a release', () => {
  test.each([['0.1.0', '## 0.1.0\n\nBy hand.\n'], ['0.2.0', GENERATED]])('%s', (version, expected) => {
    write('CHANGELOG.md', `${HEAD}## 0.1.0\n\nBy hand.\n\n## 0.0.1\n\nOld.\n`);
    write('notes.md', GENERATED);
    write('version.txt', version);
    run(['notes', 'notes.md', 'version.txt']);
    expect(read('notes.md')).toBe(expected);
  });
});

describe('the section of a release', () => {
  const add = (changelog: string, version: string) => {
    write('CHANGELOG.md', changelog);
    write('notes.md', GENERATED);
    write('version.txt', version);
    run(['add', 'notes.md', 'version.txt']);
    return read('CHANGELOG.md');
  };

  test('is added above the others', () => {
    const changelog = add(`${HEAD}## 0.1.0\n\nBy hand.\n`, '0.1.1');
    expect(changelog).toBe(`${HEAD}${GENERATED.trim()}\n\n## 0.1.0\n\nBy hand.\n`);
    expect(add(changelog, '0.1.1')).toBe(changelog); // a job that runs again
  });
  test('is added to a file without any', () => expect(add(HEAD, '0.1.1')).toBe(`${HEAD}${GENERATED.trim()}\n`));
  test('that was written by hand stays', () => expect(add(`${HEAD}## 0.1.1\n\nBy hand.\n`, '0.1.1')).toBe(`${HEAD}## 0.1.1\n\nBy hand.\n`));
  test('of another version is refused', () => expect(() => add(HEAD, '0.3.0')).toThrow('notes.md has no section 0.3.0'));
});

test('CHANGELOG.md of this repository begins with a section that a release can take', () => {
  write('CHANGELOG.md', readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  expect(run(['next-version'], { VERSION: '0.0.0', SUGGESTED_BUMP: 'none' })).toMatch(/^\d+\.\d+\.\d+$/);
});
