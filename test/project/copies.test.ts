import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { COPIES } from '../../projenrc/copies';

/** Findings of the linter in a piece of code, by a word of the message. */
const PIECES: readonly (readonly [code: string, found: string])[] = [
  ["metadata.annotations['serviceoperator.azure.com/reconcile-policy']", 'annotations.ts'],
  ['`aso.cdk8s.io/${name}`', 'annotations.ts'],
  ["const PREFIX = 'azure.workload.identity/';", 'annotations.ts'],
  ["({ 'helm.sh/resource-policy': 'keep' })", 'annotations.ts'],
  ["const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);", 'isRecord'],
  ["const isObject = value !== null && !Array.isArray(value) && typeof value === 'object';", 'isRecord'],
  ["if (!value || typeof value !== 'object' || Array.isArray(value)) stop();", 'isRecord'],
  ['const name = word.charAt(0).toUpperCase() + word.slice(1);', 'capitalized'],
  ['const name = `${word.charAt(0).toLowerCase()}${word.slice(1)}`;', 'uncapitalized'],
  ["const text = `${count} object${count === 1 ? '' : 's'}`;", 'plural'],
  ["const verb = names.length === 1 ? 'is' : 'are';", 'plural'],
  ["const problem = names.length > 1 ? `${count} problems` : '1 problem';", 'plural'],
  ['const cut = text.length > 80 ? `${text.slice(0, 79)}…` : text;', 'shortened'],
  ['const cut = text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;', 'shortened'],
  ["const CLASSES = { digit: '0-9', xdigit: '0-9A-Fa-f' };", 'toRegExp'],
  ['function levenshteinDistance(a: string, b: string): number { return a === b ? 0 : 1; }', 'editDistance'],
  ['const editDistance = (a: string, b: string) => (a === b ? 0 : 1);', 'editDistance'],
  ["const group = apiVersion.split('/')[0];", 'parseApiVersion'],
  ["const slash = object.apiVersion.indexOf('/');", 'parseApiVersion'],
  ["const step = key.replaceAll('~', '~0');", 'json-pointer.ts'],
];

/** Code that only resembles a copy. */
const OTHERS: readonly string[] = [
  "const apiVersion = 'kustomize.toolkit.fluxcd.io/v1';",
  "const apiVersion = 'resources.azure.com/v1';",
  "const isConstruct = typeof value === 'object' && value !== null && MARK in value;",
  'const first = names.length === 1 ? names[0] : undefined;',
];

function messagesOn(code: string): string[] {
  return new Linter()
    .verify(code, [{ languageOptions: { parser }, rules: { 'no-restricted-syntax': ['error', ...COPIES] } }])
    .map(({ message }) => message);
}

test.each(PIECES)('the linter refuses %s: %s', (code, found) => {
  expect(messagesOn(code)).toEqual([expect.stringContaining(found)]);
});

test.each(OTHERS)('the linter lets %s be', (code) => {
  expect(messagesOn(code)).toEqual([]);
});

test('each kind of copy has a piece of code that shows it', () => {
  const shown = COPIES.filter(({ message }) => PIECES.some(([, word]) => message.includes(word)));
  expect(shown).toEqual(COPIES);
});
