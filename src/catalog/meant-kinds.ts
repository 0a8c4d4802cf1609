import type { Catalog } from './catalog';
import type { Kind } from './kind';
import { NAME_SYNONYMS } from './kind-synonyms';
import { shortNameOf } from './short-names';
import { serviceOfGroup } from '../util/api-groups';
import { groupBy } from '../util/group-by';
import { nearest } from '../util/nearest';

/** As many kinds as a message names. */
const MAX_KINDS = 3;
/** The groups of Crossplane's providers, by their end: the label before it is the service. */
const CROSSPLANE = /^(?:(?<service>[a-z0-9]+)\.)?azure(?:\.m)?\.(?:upbound\.io|jet\.crossplane\.io|tf\.crossplane\.io|crossplane\.io)$/;
const ARM_PROVIDER = /^microsoft\.(?<provider>[a-z0-9]+)/i;

/** Services of Crossplane's groups, and of people, under the name that Azure Resource Manager has for them. */
const SERVICE_SYNONYMS: Readonly<Record<string, string>> = {
  containerapp: 'app',
  cosmosdb: 'documentdb',
  iot: 'devices',
  loganalytics: 'operationalinsights',
  postgresql: 'dbforpostgresql',
  mysql: 'dbformysql',
  redis: 'cache',
  dns: 'network',
};

/** A kind as a file or a command line names it: `Subnet` of `network.azure.com`, `azurerm_subnet`, `Microsoft.Network/virtualNetworks`. */
export interface NamedKind {
  /** The API group, or what is written in its place. */
  readonly group?: string | undefined;
  readonly kind: string;
}

/** A kind for a name, and the number of its words that the name leaves out. */
interface Candidate {
  readonly kind: Kind;
  readonly left: number;
}

/** The kinds of a catalog by their ARM type and by the names that people give them. */
interface KindIndex {
  readonly byArmType: ReadonlyMap<string, Kind>;
  /** By a name in lower case, in the singular and without separators. */
  readonly byAlias: ReadonlyMap<string, readonly Candidate[]>;
}

const indexes = new WeakMap<Catalog, { readonly revision: number; readonly index: KindIndex }>();

/**
 * The kinds that a name may mean, the likeliest first, at most three: by ARM type, by the last parts of kinds and ARM types, by the names
 * of Terraform's and Crossplane's providers, in the singular or plural and in any case; else by the nearest spelling. Kinds of the group,
 * or of the service that it is named after, come before all others.
 */
export function meantKinds({ group = '', kind }: NamedKind, catalog: Catalog): readonly Kind[] {
  const { byArmType, byAlias } = indexOf(catalog);
  const named = armTypesIn(group, kind).flatMap((type) => byArmType.get(type) ?? []);
  if (named.length > 0) return named.slice(0, 1);
  const place = placeOf(group, catalog);
  if (place === 'elsewhere') return [];
  const forms = namesIn(kind);
  const names = place === 'anywhere' ? forms : forms.flatMap((form) => [aliasOf([place]) + form, form]);
  for (const name of names) {
    const all = (byAlias.get(name) ?? []).filter((one) => place === 'anywhere' || one.kind.service === place || isWholeName(one, name));
    const inService = all.filter((one) => one.kind.service === place);
    const found = likeliest(inService.length > 0 ? inService : bestOfServices(all));
    if (found.length > 0) return found;
  }
  return similarKinds(kind, place, catalog);
}

function likeliest(found: readonly Candidate[]): readonly Kind[] {
  return [...found].sort((a, b) => a.left - b.left).slice(0, MAX_KINDS).map(({ kind }) => kind);
}

function bestOfServices(found: readonly Candidate[]): readonly Candidate[] {
  const ofServices = [...groupBy(found, ({ kind }) => kind.service).values()];
  return ofServices.map((of) => of.reduce((best, one) => (one.left < best.left ? one : best)));
}

/** Whether a name says a kind of another group in so many words: one word (Secret, Account) is a kind of many groups. */
function isWholeName({ kind: { kind } }: Candidate, name: string): boolean {
  return wordsOf(kind).length > 1 && aliasOf(wordsOf(kind)) === name;
}

/** The kinds of the nearest spelling: as few letters apart as in a typing error. */
function similarKinds(name: string, place: string, catalog: Catalog): readonly Kind[] {
  const kinds = place === 'anywhere' ? catalog.allKinds : catalog.kindsOf(place);
  const most = place === 'anywhere' ? Math.floor(name.length / 6) : Math.max(2, Math.floor(name.length / 6));
  const best = nearest(name, kinds.map(({ kind }) => kind), most);
  return best === undefined ? [] : kinds.filter(({ kind }) => kind === best).slice(0, MAX_KINDS);
}

/** The ARM types that group and kind may write together, in lower case, the longest first. */
function armTypesIn(group: string, kind: string): string[] {
  const name = kind.split('@')[0]!.toLowerCase().replace(/\/{1,99}$/, '');
  const before = group.split('@')[0]!.toLowerCase();
  return [`${before}/${name}`, name, before].filter((text) => ARM_PROVIDER.test(text) && text.includes('/'));
}

/**
 * The service that a group names, of this operator, of Azure Resource Manager or of Crossplane; `elsewhere`: a service of Azure without
 * kinds here.
 */
function placeOf(group: string, catalog: Catalog): string {
  const lower = group.toLowerCase().split('/')[0]!;
  const crossplane = CROSSPLANE.exec(lower);
  const { provider } = ARM_PROVIDER.exec(lower)?.groups ?? {};
  const own = serviceOfGroup(lower.replace(ARM_PROVIDER, '$<provider>'));
  const named = [own, crossplane?.groups?.service, provider, lower].map((name) => name && (SERVICE_SYNONYMS[name] ?? name));
  const known = named.find((name) => name !== undefined && catalog.hasService(name));
  // A typing error.
  const isOwn = own !== undefined && crossplane === null && provider === undefined;
  const near = isOwn ? nearest(own, catalog.services, own.length > 4 ? 2 : 1) : undefined;
  return known ?? near ?? (crossplane?.groups?.service !== undefined || provider !== undefined ? 'elsewhere' : 'anywhere');
}

/** The forms of a name that aliases may have, the most exact first. */
function namesIn(kind: string): string[] {
  const [text = ''] = kind.split('@');
  // A CRD's name has the group behind the plural; an ARM type has its provider before it.
  const named = text.replace(ARM_PROVIDER, '').replace(/\.[a-z0-9.]{0,253}(?:azure\.com|upbound\.io|crossplane\.io)$/i, '');
  const plain = named.replace(/^azurerm?_/i, '');
  const letters = aliasOf(wordsOf(plain));
  const once = [letters, ...rewritten(letters), letters.replace(/^azure/, '')];
  return [...new Set([...once, ...once.flatMap(rewritten)])].filter((form) => form !== '');
}

function rewritten(letters: string): string[] {
  return NAME_SYNONYMS.flatMap(([part, inAzure]) => (part.test(letters) ? [letters.replace(part, inAzure)] : []));
}

function indexOf(catalog: Catalog): KindIndex {
  const known = indexes.get(catalog);
  if (known?.revision === catalog.revision) return known.index;
  const byArmType = new Map<string, Kind>();
  const byAlias = new Map<string, Candidate[]>();
  for (const kind of catalog.allKinds) {
    const type = kind.latest.facts.arm?.type.toLowerCase();
    if (type !== undefined && !byArmType.has(type)) byArmType.set(type, kind);
    for (const [alias, left] of aliasesOf(kind)) {
      const others = byAlias.get(alias);
      if (others) others.push({ kind, left });
      else byAlias.set(alias, [{ kind, left }]);
    }
  }
  const index = { byArmType, byAlias };
  indexes.set(catalog, { revision: catalog.revision, index });
  return index;
}

/** The names of a kind, and how many words each leaves out: the words of the kind and of its ARM type, in order, without some. */
function aliasesOf({ service, kind, facts, latest }: Kind): Map<string, number> {
  const [provider = '', ...segments] = latest.facts.arm?.type.split('/') ?? [];
  const named = wordsOf(provider.replace(ARM_PROVIDER, '$<provider>'));
  const spellings = [
    [...wordsOf(service), ...wordsOf(kind)],
    [...named, ...wordsOf(kind)],
    ...(segments.length > 0 ? [[...named, ...segments.flatMap(wordsOf)], [...wordsOf(service), ...segments.flatMap(wordsOf)]] : []),
  ];
  const aliases = new Map<string, number>([facts.plural, facts.singular, ...(facts.shortNames ?? [])].map((name) => [aliasOf([name]), 0]));
  for (const words of spellings) {
    const last = words.at(-1) ?? '';
    for (const chosen of subsetsOf(words.slice(0, -1))) {
      const alias = aliasOf([...chosen, last]);
      const left = words.length - 1 - chosen.length;
      aliases.set(alias, Math.min(left, aliases.get(alias) ?? left));
    }
  }
  // Before kinds of other services that have the same words.
  const short = shortNameOf(service, kind);
  return short === undefined ? aliases : aliases.set(aliasOf(wordsOf(short)), -1);
}

/** All parts of a list, in its order. Names have up to a dozen words. */
function subsetsOf(words: readonly string[]): string[][] {
  return words.slice(-9).reduce<string[][]>((subsets, word) => [...subsets, ...subsets.map((subset) => [...subset, word])], [[]]);
}

/** The words of a name, in lower case: `storageAccounts` is storage and accounts, `DNSZone` dns and zone. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** Words as one name, each in the singular. */
function aliasOf(words: readonly string[]): string {
  return words.map(singular).join('');
}

function singular(word: string): string {
  if (word.length < 4) return word;
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:sses|shes|ches|xes)$/.test(word)) return word.slice(0, -2);
  return /[^siou]s$/.test(word) ? word.slice(0, -1) : word;
}
