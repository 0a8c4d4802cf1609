import type { InnerPlace, Item } from './item';
import { environmentName } from './parameters/parameter-name';
import type { Text } from './parameters/text';
import { fileNameOf } from '../../codegen/names';
import { wordsOf } from '../../codegen/words';
import type { Catalog } from '../../src/catalog';
import { propertyNameOf } from '../../src/catalog/property-names';
import { capitalized } from '../../src/util/words';

/** Reserved words of TypeScript, and names that the chart's constructor uses. */
const TAKEN = new Set([
  'abstract',
  'any',
  'arguments',
  'as',
  'async',
  'await',
  'boolean',
  'break',
  'case',
  'catch',
  'class',
  'const',
  'continue',
  'debugger',
  'declare',
  'default',
  'delete',
  'do',
  'else',
  'enum',
  'eval',
  'export',
  'extends',
  'false',
  'finally',
  'for',
  'function',
  'get',
  'global',
  'if',
  'implements',
  'import',
  'in',
  'instanceof',
  'interface',
  'is',
  'let',
  'module',
  'never',
  'new',
  'null',
  'number',
  'object',
  'of',
  'package',
  'private',
  'process',
  'protected',
  'public',
  'require',
  'return',
  'set',
  'static',
  'string',
  'super',
  'switch',
  'symbol',
  'this',
  'throw',
  'true',
  'try',
  'type',
  'typeof',
  'undefined',
  'unknown',
  'var',
  'void',
  'while',
  'with',
  'yield',
  'id',
  'scope',
  'props',
  // The app of objects that stand in others.
  'inside',
]);

/** The limit of Kubernetes; a file may contain longer kinds and names. */
const LONGEST = 63;
const LONGEST_NAME = 253;

/**
 * A variable for each object of a chart; construct ids are derived from the variables. The only object of a kind has the kind as its name
 * (`resourceGroup`); other objects add the part of their names that differs (`ordersQueue`, `invoicesQueue`).
 *
 * @param taken further reserved names: the imported services
 */
export function variableNames(items: readonly Item[], catalog: Catalog, taken: ReadonlySet<string>): Map<Item | InnerPlace, string> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const noun = nounOf(item, catalog);
    groups.set(noun, [...(groups.get(noun) ?? []), item]);
  }
  const names = new Map<Item | InnerPlace, string>();
  const used = new Set<string>();
  // Two variables may give the same construct id (`subNetA`, `subnetA`).
  const reserved = (name: string) => TAKEN.has(name) || taken.has(name);
  const usable = (name: string) => !reserved(name) && !used.has(constructIdOf(name));
  for (const [noun, group] of groups) {
    const tokensOf = distinguishing(group.map((item) => spokenText(item.texts.of(item.name ?? ''))));
    for (const [index, item] of group.entries()) {
      const tokens = group.length === 1 ? [] : withoutAbbreviation(withoutNamespace(tokensOf[index] ?? [], item), noun);
      const name = unique(named(noun, tokens), usable, reserved);
      used.add(constructIdOf(name));
      names.set(item, name);
    }
  }
  for (const place of items.flatMap(({ openPlaces }) => openPlaces)) {
    const name = unique(`${names.get(place.holder)!}${capitalized(place.path.at(-1) ?? '')}`, usable, reserved);
    used.add(constructIdOf(name));
    names.set(place, name);
  }
  return names;
}

/** A text with the names of its parameters: `team-rg` for `${TEAM}-rg`. */
export function spokenText({ parts }: Text): string {
  return parts.map((part) => (typeof part === 'string' ? part : environmentName(part.name).toLowerCase().replace(/_/g, '-'))).join('');
}

/** Whether a name has a meaning of its own in the code. */
export function isReserved(name: string): boolean {
  return TAKEN.has(name);
}

/** The construct id of a variable: `ordersQueue` → `orders-queue`. */
export function constructIdOf(variable: string): string {
  return fileNameOf(variable);
}

/** `team-a` → `TeamAChart`. */
export function chartClassOf(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '').map(capitalized).join('');
  return `${/^[A-Za-z]/.test(words) ? '' : 'Namespace'}${words}Chart`;
}

/** Removes the namespace as a prefix: `team-a-rg` in the namespace `team-a` becomes `rg`. */
function withoutNamespace(tokens: string[], { namespace = '', texts }: Item): string[] {
  const prefix = spokenText(texts.of(namespace)).split(/[^a-z0-9]+/);
  return prefix.every((token, i) => tokens[i] === token) ? tokens.slice(prefix.length) : tokens;
}

/** Removes the abbreviation of the kind, e.g. `rg` for a resource group. */
function withoutAbbreviation(tokens: string[], noun: string): string[] {
  const initials = wordsOf(noun).map((word) => word.charAt(0).toLowerCase()).join('');
  return tokens.filter((token, i) => !(initials.length > 1 && token === initials && (i === 0 || i === tokens.length - 1)));
}

/** A short noun for the kind: `StorageAccountsBlobServicesContainer` of a `StorageAccountsBlobService` is a `container`. */
function nounOf(item: Item, catalog: Catalog): string {
  if (item.isCredential) return 'credential';
  const facts = item.version?.facts.owner;
  const owner = typeof facts === 'object' && facts !== null ? catalog.kind(facts.group, facts.kind) : undefined;
  const plural = owner?.facts.plural ?? '';
  const rest = plural !== '' && item.kind.toLowerCase().startsWith(plural) ? item.kind.slice(plural.length) : '';
  const noun = /^[A-Z]/.test(rest) ? rest : item.kind;
  return propertyNameOf(noun.slice(0, LONGEST), false);
}

function named(noun: string, tokens: readonly string[]): string {
  if (tokens.length === 0) return noun;
  const lower = tokens.join('').toLowerCase();
  const lastWord = wordsOf(noun).at(-1) ?? '';
  // `ordersQueue` for the queue `orders`, but `ordersQueue`, not `ordersQueueQueue`, for `orders-queue`.
  const hasNoun = lower.endsWith(lastWord.toLowerCase());
  const name = tokens.map((token, i) => (i === 0 ? token : capitalized(token))).join('') + (hasNoun ? '' : capitalized(noun));
  return /^[a-z]/.test(name) ? name : noun + tokens.map(capitalized).join('');
}

/** The parts of each name that are not a prefix or suffix of all names. */
function distinguishing(names: readonly string[]): string[][] {
  const split = names.map((name) => name.slice(0, LONGEST_NAME).toLowerCase().split(/[^a-z0-9]+/).filter((token) => token !== ''));
  const shortest = Math.min(...split.map((tokens) => tokens.length));
  const same = (at: (tokens: string[]) => string | undefined) => new Set(split.map(at)).size === 1;
  let head = 0;
  while (head < shortest - 1 && same((tokens) => tokens[head])) head++;
  let tail = 0;
  while (head + tail < shortest - 1 && same((tokens) => tokens[tokens.length - 1 - tail])) tail++;
  return split.map((tokens) => tokens.slice(head, tokens.length - tail));
}

function unique(name: string, usable: (name: string) => boolean, reserved: (name: string) => boolean): string {
  if (usable(name)) return name;
  const longer = reserved(name) ? `${name}Resource` : name;
  if (usable(longer)) return longer;
  for (let n = 2; ; n++) if (usable(`${longer}${n}`)) return `${longer}${n}`;
}
