import type { DefaultTheme, MarkdownEnv } from 'vitepress';

/** VitePress brings its own copy of the types of markdown-it, so only what is used of them is named. */
interface Renderer {
  render(source: string, env: MarkdownEnv): string;
}

/** Code of the pages of services: the examples repeat the names of the classes that they use. */
const EXAMPLES = /^```[\s\S]*?^```$/gm;
/** A row of a table, with the name in its first cell where that is code: a property, an output, a value. */
const ROWS = /^\| (?:`([^`]+)`)?.*$/gm;

/** The text of a page that the search finds: of a service's page, the descriptions and the names, without the texts of the tables. */
export function indexed(source: string, env: MarkdownEnv, md: Renderer): string {
  const ofService = env.relativePath.startsWith('api/');
  return md.render(ofService ? source.replace(EXAMPLES, '').replace(ROWS, (_, name: string | undefined) => name ?? '') : source, env);
}

/** Words of a name: `EventHubs` of Azure's documents is `NamespacesEventhub` here, and a search for `hub` finds both. */
const termsOf = (term: string, field?: string): string[] => {
  const words = field === 'title' ? term.split(/(?<=[a-z\d])(?=[A-Z])/) : [];
  return [term, ...words.length > 1 ? words : []].map((word) => word.toLowerCase());
};

/** The words of a query, and neighbours as one: "event hub" is part of `NamespacesEventhub`, "role assignment" is `RoleAssignment`. */
const wordsOf = (query: string): string[] => {
  const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...words, ...words.slice(1).map((word, index) => `${words[index]}${word}`)];
};

/** Words of other tools and of Azure's documents, with the words of these. */
const synonymsOf = (term: string): string[] => {
  const synonyms: Readonly<Record<string, string>> = {
    adopt: 'adoption',
    aks: 'managedcluster',
    arm: 'import',
    bicep: 'import',
    cdk: 'constructs',
    cosmos: 'documentdb',
    delete: 'deletion',
    destroy: 'deletion',
    helm: 'chart',
    lifecycle: 'deletion',
    login: 'credentials',
    multi: 'several',
    multitenant: 'teams',
    naming: 'names',
    postgres: 'dbforpostgresql',
    preview: 'plan',
    pulumi: 'languages',
    retain: 'deletion',
    tenancy: 'teams',
    tenant: 'teams',
    terraform: 'import',
    vm: 'virtualmachine',
    vnet: 'virtualnetwork',
    whatif: 'plan',
  };
  const word = term.toLowerCase();
  const synonym = Object.hasOwn(synonyms, word) ? synonyms[word] : undefined;
  return synonym === undefined ? [word] : [word, synonym];
};

/** A page is also found by its address: `/adoption` has another title. */
const fieldOf = (document: Readonly<Record<string, unknown>>, field: string): unknown => {
  if (field !== 'address') return document[field];
  if ((document.titles as readonly string[]).length > 0) return '';
  const [path = ''] = (document.id as string).split('#');
  const words = path.slice(path.lastIndexOf('/') + 1).split('-');
  return [...words, words.join('')].join(' ');
};

/**
 * A guide answers more questions than a reference, and a reference more than the specification; a page more than one of its sections, and
 * the class of a service more than the types of its properties. A word that is all of a title, or the end of a class's name, is what the
 * page or the class is about.
 */
const weightOf = (address: string, term: string, stored?: Readonly<Record<string, unknown>>): number => {
  const { title, titles } = stored as { readonly title: string; readonly titles: readonly string[] };
  const [, folder = ''] = /\/(api|modules|spec|adr)\//.exec(address) ?? [];
  const depth = folder === 'api' ? titles.length * (titles.length - 1) : titles.length;
  const words = title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const isSubject = folder === 'api' ? depth === 0 && words.endsWith(term) : (depth === 0 || folder === 'modules') && words === term;
  const ofFolder = ({ '': 2, 'api': 1, 'modules': 1 } as Readonly<Record<string, number>>)[folder] ?? 0.5;
  return ofFolder * (isSubject ? 2 : 1) / (1 + depth);
};

/** The functions run in the browser, where each has to stand alone: VitePress sends their text. */
export const INDEX = { fields: ['title', 'titles', 'text', 'address'], extractField: fieldOf, processTerm: termsOf };
export const QUERY = {
  tokenize: wordsOf,
  processTerm: synonymsOf,
  boostDocument: weightOf,
  boost: { title: 4, text: 1, titles: 2, address: 4 },
  prefix: (term: string) => term.length > 2,
  fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
  weights: { fuzzy: 0.3, prefix: 0.3 },
};

export const SEARCH: DefaultTheme.LocalSearchOptions = { _render: indexed, miniSearch: { options: INDEX, searchOptions: QUERY } };
