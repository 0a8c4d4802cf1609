/**
 * Texts that something fills in later: Flux and envsubst (`${TEAM}`, `$TEAM`), Kustomize (`$(TEAM)`), templates (`{{ .team }}`,
 * `<< inputs.team >>`), pipelines (`#{team}#`, `__team__`) and people (`<SUBSCRIPTION_ID>`, `YOUR_SUBSCRIPTION_ID`).
 */

/** A variable in a text. */
export interface Variable {
  /** As it is written: `${TEAM:=shop}`. */
  readonly text: string;
  /** `TEAM`, `Values.team`. */
  readonly name: string;
  /** The value where nothing sets it. */
  readonly default?: string | undefined;
  /** Where it begins. */
  readonly from: number;
}

const FORMS: readonly RegExp[] = [
  // `$${TEAM}` stands for the text `${TEAM}`.
  /(?<!\$)\$\{(?<name>[^{}]+)\}/,
  /(?<!\$)\$\((?<name>[A-Za-z_][\w.-]*)\)/,
  // Azure has names such as `$web` and `$root`: a variable without braces is in capitals.
  /(?<![\w$])\$(?<name>[A-Z][A-Z0-9_]*)(?!\w)/,
  /\{\{(?<name>[^{}]+)\}\}/,
  /#\{(?<name>[\w.-]+)\}#/,
  /<<(?<name>[^<>]+)>>/,
  // `__proto__` and its kin are JavaScript's.
  /(?<![A-Za-z0-9_])__(?!(?:proto|(?:define|lookup)[GS]etter)__)(?<name>[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*)__(?![A-Za-z0-9_])/,
  // Words of people in angle brackets have capitals or a separator: `<SUBSCRIPTION_ID>`, `<your-tenant>`.
  /<(?<name>[A-Z][A-Z0-9]*(?:[ _.-][A-Z0-9]+)*|[A-Za-z][A-Za-z0-9]*(?:[ _-][A-Za-z0-9]+)+)>/,
  // Words of people without brackets say that they are replaced: `TENANT_ID_PLACEHOLDER`, `REPLACE_ME`, `YOUR_TENANT_ID`.
  /(?<![\w$%#{<])(?<name>(?=[A-Z0-9_]*(?:PLACEHOLDER|REPLACE_?ME|CHANGE_?ME)|YOUR_[A-Z])[A-Z][A-Z0-9_]*)(?!\w)/,
];
const ANY = new RegExp(FORMS.map(({ source }, index) => source.replace('?<name>', `?<name${index}>`)).join('|'), 'g');
const BEGINNINGS = /\$[{(A-Z]|\{\{|#\{|__|<|PLACEHOLDER|REPLACE_?ME|CHANGE_?ME|YOUR_/;
/** `NAME:=default`, and other functions of envsubst: `NAME:-default`, `NAME,,`. */
const ENVSUBST = /^#?(?<name>[A-Za-z_][A-Za-z0-9_]*)(?:(?::?[=-](?<default>.*))|[^A-Za-z0-9_.].*)?$/s;
/** Longer texts, and those of several lines, are scripts, queries and documents with variables of their own. */
const MAX_TEXT = 1000;

/** A value that SOPS has encrypted: `ENC[AES256_GCM,data:…,type:str]`. */
const ENCRYPTED = /^ENC\[[A-Z0-9_]+,data:[^\]]*\]$/;

/** The variables of a text, in their order. */
export function variablesIn(text: string): Variable[] {
  if (text.startsWith('ENC[') && ENCRYPTED.test(text)) return [{ text, name: ENCRYPTED_NAME, from: 0 }];
  if (text.length > MAX_TEXT || !BEGINNINGS.test(text) || text.trimEnd().includes('\n') || /<\/|\/>/.test(text)) return [];
  return Array.from(text.matchAll(ANY), ({ 0: whole, index, groups = {} }): Variable => {
    const inner = Object.values(groups).find((one) => one !== undefined) ?? '';
    const { name, default: otherwise } = whole.startsWith('${') ? ENVSUBST.exec(inner)?.groups ?? {} : {};
    return { text: whole, name: name ?? (/^(?:\{\{|<<)/.test(whole) ? inTemplate(inner) : inner).replace(/^[.$]+/, ''), default: otherwise, from: index };
  });
}

/** The name of all values that SOPS has encrypted. */
export const ENCRYPTED_NAME = 'ENC[…]';

/** The variable as plans show it: `<${TEAM}>`, `<SUBSCRIPTION_ID>`. */
export function placeholderOf({ text, name }: Pick<Variable, 'text' | 'name'>): string {
  if (name === ENCRYPTED_NAME) return '<ENCRYPTED>';
  return text.startsWith('<') ? text : `<${text}>`;
}

/** A placeholder of a variable in a text of a plan, and where it begins. */
export function variablePlaceholdersIn(text: string): Pick<Variable, 'text' | 'from'>[] {
  return variablesIn(text).flatMap((variable) => {
    const placeholder = placeholderOf(variable);
    const from = placeholder === variable.text ? variable.from : variable.from - 1;
    return text.startsWith(placeholder, from) && from >= 0 ? [{ text: placeholder, from }] : [];
  });
}

/** The expression of a template, without the hyphens that take the space around it away. */
function inTemplate(inner: string): string {
  return inner.replace(/^-/, '').replace(/-$/, '').trim();
}

/** Whether a text, or a part of it, comes later. */
export function isLater(value: unknown): value is string {
  return typeof value === 'string' && variablesIn(value).length > 0;
}

/** The text with each variable replaced. */
export function replaceVariables(text: string, by: (variable: Variable) => string | undefined): string {
  let [result, end] = ['', 0];
  for (const variable of variablesIn(text)) {
    result += text.slice(end, variable.from) + (by(variable) ?? variable.text);
    end = variable.from + variable.text.length;
  }
  return result + text.slice(end);
}
