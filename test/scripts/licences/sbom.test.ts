import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { librariesOf, madeText, sbom } from './bill-of-materials';
import { packagesOf } from './bundled-packages';

const PROGRAMS = ['cli', 'composer', 'controller', 'sandbox'];
const FILES = ['sbom.cdx.json', ...PROGRAMS.map((program) => `lib/${program}/sbom.cdx.json`)];

test.each(FILES)('%s is CycloneDX 1.6', async (file) => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  expect(await validator.validate(madeText(file))).toBeNull();
  // The validator is one that finds something.
  expect(await validator.validate(madeText(file).replace('"type": "library"', '"type": "book"'))).not.toBeNull();
});

test.each(PROGRAMS)('the list of %s has the packages that are bundled, and no others', async (program) => {
  const bundled = (await packagesOf(program)).map(({ name, version }) => `${name} ${version}`);
  expect(librariesOf(`lib/${program}/sbom.cdx.json`)).toEqual([...new Set(bundled)].sort());
});

test('the list of the package has the programs and all of their packages', () => {
  const { metadata, components } = sbom('sbom.cdx.json');
  const { version } = JSON.parse(madeText('package.json')) as { version: string };
  expect(metadata.component).toMatchObject({ name: 'cdk8s-aso', version });
  const programs = components.filter(({ type }) => type === 'application').map(({ name }) => name).sort();
  expect(programs).toEqual(PROGRAMS.map((program) => `cdk8s-aso/lib/${program}`));
  const libraries = PROGRAMS.flatMap((program) => librariesOf(`lib/${program}/sbom.cdx.json`));
  expect(librariesOf('sbom.cdx.json')).toEqual([...new Set(libraries)].sort());
});

test.each(FILES)('%s says by which way each package got in', (file) => {
  const { metadata, components, dependencies } = sbom(file);
  const edges = new Map(dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  const reached = new Set<string>();
  const visit = (ref: string) => {
    if (reached.has(ref)) return;
    reached.add(ref);
    edges.get(ref)?.forEach(visit);
  };
  visit(metadata.component['bom-ref']);
  expect(components.map((component) => component['bom-ref']).filter((ref) => !reached.has(ref))).toEqual([]);
});

test('what is inside of a package that speaks of itself alone is listed', () => {
  const wrapper = sbom('lib/cli/sbom.cdx.json').components.find(({ name }) => name === 'wasm-graphviz');
  expect(wrapper?.components?.map(({ name }) => name)).toEqual(['expat', 'graphviz']);
});
