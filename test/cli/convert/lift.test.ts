import { convertSources, singleFile } from '../../../cli/convert/convert';
import { readText, type Sources } from '../../../cli/convert/read';
import { Catalog } from '../../../src/catalog';

const ADOPT = { 'aso.cdk8s.io/adopt': 'IfPresent' };

interface Given {
  readonly annotations?: Record<string, string>;
  readonly [property: string]: unknown;
}

/** The code of resource groups with these names. */
function codeOf(groups: Readonly<Record<string, Given>>): string {
  const sources: Sources = { files: [], objects: [], unreadable: [], problems: [], notes: [] };
  const documents = Object.entries(groups).map(([name, { annotations, ...spec }]) =>
    JSON.stringify({ apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name, annotations }, spec: { azureName: name, ...spec } }));
  readText(documents.join('\n---\n'), 'Azure', sources);
  return singleFile(convertSources(sources, Catalog.default(), { lifts: true }).charts, sources);
}

test('what all have is said once', () => {
  const same = { location: 'uksouth', tags: { team: 'shop' }, annotations: { ...ADOPT, 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' } };
  const code = codeOf({ a: same, b: { ...same, tags: { team: 'shop', env: 'test' } } });
  expect(code).toContain('reconcilePolicy: ReconcilePolicy.DETACH_ON_DELETE');
  expect(code).toContain('adopt: AdoptionPolicy.IF_PRESENT');
  expect(code).toContain('{ metadata: { name: \'a\' } }');
  expect(code).toContain('tags: { env: \'test\' }');
  expect(code.match(/uksouth/g)).toHaveLength(1);
});

test('another location stays, and so do the tags where one resource has none', () => {
  const code = codeOf({ a: { location: 'uksouth', tags: { team: 'shop' } }, b: { location: 'uksouth', tags: { team: 'shop' } }, c: { location: 'ukwest' } });
  expect(code).toContain('Defaults.of(this).use({ location: \'uksouth\' })');
  expect(code).toContain('location: \'ukwest\'');
  expect(code).toContain('const tags = { team: \'shop\' };');
  expect(code.match(/\btags,?/g)).toHaveLength(3);
});

test('one object that is not adopted: nothing is said for all', () => {
  const code = codeOf({ a: { location: 'uksouth', annotations: ADOPT }, b: { location: 'ukwest' } });
  expect(code).not.toContain('Defaults');
  expect(code).toContain('adopt: AdoptionPolicy.IF_PRESENT');
});

test('the azureName that differs stays', () => {
  expect(codeOf({ a: { location: 'uksouth', azureName: 'Shop' }, b: { location: 'uksouth' } })).toContain('azureName: \'Shop\'');
});

test('without a location there is none after it, either', () => {
  const code = codeOf({ a: { location: 'uksouth' }, b: { location: 'uksouth' }, c: {} });
  expect(code.match(/uksouth/g)!.length).toBeLessThanOrEqual(2);
  expect(code).toContain('\'c\'');
});
