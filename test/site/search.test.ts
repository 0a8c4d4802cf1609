import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import MiniSearch from 'minisearch';
import { base, dist, notBuilt } from './built-site';
import { INDEX, QUERY } from '../../site/search';

/** Queries as a user types them, and the page or section that has to be among the first three results. */
const QUERIES: readonly (readonly [query: string, address: string])[] = [
  ['isHnsEnabled', 'api/storage#storageaccount'],
  ['lifecycle', 'removal#deletion-and-drift'],
  ['naming', 'names#azure-names'],
  ['bicep', 'import#import-what-is-in-azure'],
  ['subnet', 'api/network#virtualnetworkssubnet'],
  ['event hub', 'api/eventhub#namespaceseventhub'],
  ['role assignment', 'api/authorization#roleassignment'],
  ['private endpoint', 'api/network#privateendpoint'],
  ['adopt', 'adoption#resources-that-exist-already'],
  ['import', 'import#import-what-is-in-azure'],
  ['delete', 'removal#deletion-and-drift'],
  ['retain', 'removal#removal-policy'],
  ['drift', 'removal#deletion-and-drift'],
  ['credentials', 'credentials#credentials'],
  ['workload identity', 'workload-identity#workload-identity-for-pods'],
  ['multi tenant', 'platform#a-platform-and-its-teams'],
  ['alerts', 'modules/patterns#alerts'],
  ['diagnostics', 'modules/patterns#diagnostics'],
  ['tags', 'modules/core#tags'],
  ['python', 'languages#other-languages'],
  // Names of classes, of Azure and of other tools; a slip of the pen.
  ['StorageAccountsBlobService', 'api/storage#storageaccountsblobservice'],
  ['storage account', 'api/storage#storageaccount'],
  ['key vault', 'api/keyvault#vault'],
  ['strict workload identity', 'credentials#strict-workload-identity'],
  ['aks', 'api/containerservice#managedcluster'],
  ['vnet', 'api/network#virtualnetwork'],
  ['terraform', 'import#import-what-is-in-azure'],
  ['what-if', 'plan#plan-the-requests-to-azure'],
  ['workload identiy', 'workload-identity#workload-identity-for-pods'],
];
const RESULTS = 3;

(notBuilt === undefined ? describe : describe.skip)(`the search of the site${notBuilt === undefined ? '' : ` (${notBuilt})`}`, () => {
  let index: MiniSearch;
  beforeAll(() => {
    // As VitePress loads it in the browser.
    index = MiniSearch.loadJSON(builtIndex(), { ...INDEX, storeFields: ['title', 'titles'], searchOptions: QUERY });
  });
  const first = (query: string) => index.search(query).slice(0, RESULTS).map(({ id }) => (id as string).slice(base.length));

  test.each(QUERIES)('%s → %s', (query, address) => expect(first(query)).toContain(address));

  test('functions stand alone, as the browser gets their text', () => {
    const functions = [...Object.entries(INDEX), ...Object.entries(QUERY)].filter(([, value]) => typeof value === 'function');
    for (const [name, value] of functions) {
      const alone = runInNewContext(`(${String(value)})`) as (...args: unknown[]) => unknown;
      const document = { id: `${base}adoption#adopt`, titles: [], title: 'Adopt' };
      expect(() => alone(...name === 'extractField' ? [document, 'address'] : ['adopt', 'title', document])).not.toThrow();
    }
    expect(functions.length).toBeGreaterThan(4);
  });
});

/** The index as the build wrote it: a module with one text. */
function builtIndex(): string {
  const chunks = join(dist, 'assets', 'chunks');
  const file = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndexroot'))!;
  const literal = /^const \w+=([\s\S]*);\s*export\s*\{/.exec(readFileSync(join(chunks, file), 'utf8'))![1]!;
  return runInNewContext(literal) as string;
}
