import { compileErrors } from './compile';
import { run } from './run';
import { generate, serviceFiles } from '../../codegen/generate';
import type { KindModel, StructModel } from '../../codegen/model';
import { ASKED_BY_AZURE, AZURE_NAMES, OWNERS, REFERENCES } from '../../codegen/sample-values';
import { serviceModel } from '../../codegen/service-model';
import { Catalog } from '../../src/catalog';
import { Rules, RuleSeverity } from '../../src/core';

const catalog = Catalog.default();
const pages = [...generate(catalog)].filter(([path]) => path.startsWith('docs/api/'));

/** Every example on every page, under its heading. */
const snippets = pages.flatMap(([path, page]) =>
  page
    .split(/^## /m)
    .flatMap((section) =>
      [...section.matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
        .map(([, code = '']) => ({
          name: `${path} ${section.slice(0, section.indexOf('\n'))}`,
          kind: section.slice(0, section.indexOf('\n')),
          code,
        }))
        .filter(({ code }) => code.includes('new App()')),
    ),
);

test('every kind has an example, and just one', () => {
  const kinds = catalog.services.flatMap((service) =>
    serviceModel(catalog, service).kinds.map((kind) => `docs/api/${service.replace(/\./g, '')}.md ${kind.className}`),
  );
  expect(kinds.length).toBeGreaterThan(280);
  expect(snippets.map(({ name }) => name)).toEqual(kinds);
});

test('no example leaves an object empty', () =>
  expect(snippets.filter(({ code }) => code.includes('{}')).map(({ name }) => name)).toEqual([]));

/** The example for a subnet as it is where no other service can be read. */
const alone = serviceFiles(serviceModel(catalog, 'network')).get('docs/api/network.md')!
  .split('## VirtualNetworksSubnet\n')[1]!.match(/^```ts\n([\s\S]*?)^```$/m)![1]!;

test('every example compiles', () => expect(compileErrors([...snippets, { name: 'alone', code: alone }])).toEqual([]));

test('every example synthesizes its kind, below its owners, and no rule has an error to report', () => {
  const problems = snippets.flatMap(({ name, kind, code }) => {
    try {
      const { app, objects } = run(code!);
      const written =
        objects[objects.length - 1]?.kind === kind ? [] : [`${name}: the last object is a ${objects[objects.length - 1]?.kind}`];
      const found = Rules.check(app!).filter(({ severity }) => severity === RuleSeverity.ERROR);
      return [...written, ...found.map((finding) => `${name}: ${finding.rule} ${finding.message}`)];
    } catch (error) {
      return [`${name}: ${(error as Error).message}`];
    }
  });
  expect(problems).toEqual([]);
});

test('a page that is written without the other services has examples all the same', () => {
  expect(run(alone!).objects.map(({ kind, spec }) => [kind, spec?.owner])).toEqual([
    ['VirtualNetwork', { name: 'shared-group' }],
    ['VirtualNetworksSubnet', { name: expect.stringMatching(/^shop-virtual-network-/) }],
  ]);
});

test('what the tables of samples name is there', () => {
  const all = catalog.services.flatMap((service) =>
    serviceModel(catalog, service).kinds.map((kind) => ({ key: `${service}/${kind.className}`, kind })),
  );
  const kinds = new Map<string, KindModel>(all.map(({ key, kind }) => [key, kind]));
  const declared = (service: string) => {
    const model = serviceModel(catalog, service);
    return new Map([...model.shared, ...model.kinds.flatMap((kind) => kind.own)].map((one) => [one.name, one]));
  };
  const lacks = (struct: StructModel | undefined, [first, ...rest]: string[], types: ReturnType<typeof declared>): boolean => {
    const property = struct?.properties.find(({ propName }) => propName === first);
    if (!property) return true;
    if (rest.length === 0) return false;
    const type = property.type.is === 'array' ? property.type.of : property.type;
    const next = type.is === 'declared' ? types.get(type.name) : undefined;
    return lacks(next?.is === 'struct' ? next : undefined, rest, types);
  };
  const absent = Object.entries(ASKED_BY_AZURE).flatMap(([kind, paths]) => {
    const types = declared(kind.split('/')[0]!);
    return paths.filter((path) => lacks(kinds.get(kind)?.spec, path.split('.'), types)).map((path) => `${kind} ${path}`);
  });
  expect(absent).toEqual([]);
  const names = new Set([...kinds.values()].map(({ className }) => className));
  expect(Object.keys(AZURE_NAMES).filter((name) => !names.has(name))).toEqual([]);
  expect([...Object.values(REFERENCES), ...Object.values(OWNERS), ...Object.keys(OWNERS)].filter((kind) => !kinds.has(kind))).toEqual([]);
});
