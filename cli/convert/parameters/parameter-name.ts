import { capitalized } from '../../../src/util/words';
import { ENCRYPTED_NAME, type Variable } from '../../manifests/later/variables';

/** Props of every chart, and members of every object. */
const TAKEN: ReadonlySet<string> = new Set([
  'labels', 'disableResourceNameHashes', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'toLocaleString', 'propertyIsEnumerable',
]);
const MAX_NAME = 60;
/** Functions of a template that leave a value what it is in YAML. */
const PLAIN_FUNCTIONS: ReadonlySet<string> = new Set(['quote', 'squote', 'toString', 'int', 'int64', 'float64', 'toYaml', 'toJson', 'trim']);
const CALL = /^(?:(?:default\s+(?<otherwise>"[^"]*"|'[^']*'|`[^`]*`|\S+)|(?<name>\w+))\s+)?(?<path>\$?\.?[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)$/;
const INDENT = /^n?indent \d+$/;
const DEFAULT = /^default\s+("[^"]*"|'[^']*'|`[^`]*`|\S+)$/;

/** A variable, without the way in which it is written. */
export interface Reading {
  /** Equal for variables that have one value. */
  readonly id: string;
  /** The words of its name. */
  readonly words: string;
  readonly default?: string | undefined;
}

/** Reads `${TEAM:=shop}`, `{{ .Values.team | default "shop" }}` and others. Variables with functions that change the value are apart. */
export function readVariable({ text, name, default: otherwise }: Variable): Reading {
  // Each has its own value, and no name.
  if (name === ENCRYPTED_NAME) return { id: text, words: 'encrypted value' };
  if (text.startsWith('{{')) return readTemplate(name);
  const isPlain = !text.startsWith('${') || otherwise !== undefined || text === `\${${name}}`;
  return { id: isPlain ? name : text, words: name, default: otherwise };
}

function readTemplate(expression: string): Reading {
  const [first = '', ...steps] = expression.split('|').map((step) => step.trim());
  const { path, default: own } = pathOf(first);
  const functions = steps.map((step) => (PLAIN_FUNCTIONS.has(step) || INDENT.test(step) ? {} : { default: DEFAULT.exec(step)?.[1] }));
  const isPlain = functions.every((one) => !('default' in one) || one.default !== undefined);
  if (path === undefined || !isPlain) return { id: `{{${expression}}}`, words: wordsOfTemplate(isPlain ? first : expression) };
  const [piped] = functions.flatMap((one) => one.default ?? []);
  const otherwise = own ?? piped;
  return { id: path, words: wordsOfTemplate(path), default: otherwise === undefined ? undefined : unquoted(otherwise) };
}

/** `.Values.team`, `quote .Values.team`, `default "shop" .Values.team`. */
function pathOf(step: string): { readonly path?: string; readonly default?: string } {
  const { path, name, otherwise } = CALL.exec(step)?.groups ?? {};
  if (path === undefined || (name !== undefined && otherwise === undefined && !PLAIN_FUNCTIONS.has(name))) return {};
  return { path: path.replace(/^[$.]+/, ''), ...(otherwise !== undefined && { default: otherwise }) };
}

function unquoted(text: string): string {
  return /^(["'`])(.*)\1$/s.exec(text)?.[2] ?? text;
}

function wordsOfTemplate(expression: string): string {
  return expression
    .replace(/\b(?:include|template|tpl|default|quote|squote|toYaml|toString)\b/g, ' ')
    .replace(/(^|[\s.$(])(?:Values|values|inputs|parameters)\.(?=[A-Za-z])/g, '$1');
}

/** `TEAM_NAME` → `teamName`, `storage.sku` → `storageSku`. */
export function parameterName(words: string, used: ReadonlySet<string>): string {
  const parts = words.split(/[^A-Za-z0-9]+/).filter((word) => word !== '').map(lowered);
  const joined = parts.map((part, index) => (index === 0 ? part : capitalized(part))).join('').slice(0, MAX_NAME);
  const name = /^[a-z]/.test(joined) ? joined : `value${capitalized(joined)}`;
  const free = (candidate: string) => !used.has(candidate) && !TAKEN.has(candidate);
  if (free(name)) return name;
  const longer = TAKEN.has(name) ? `${name}Value` : name;
  if (free(longer)) return longer;
  for (let n = 2; ; n++) if (free(`${longer}${n}`)) return `${longer}${n}`;
}

/** `NAME` → `name`, `Name` → `name`, `teamName` stays. */
function lowered(word: string): string {
  return /^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : word.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());
}

/** The variable of the environment that has the value of a parameter: `TEAM_NAME`. */
export function environmentName(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
}
