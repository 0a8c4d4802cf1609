import { librariesOf, madeText } from './bill-of-materials';

// sbom.test.ts compares the list of a program with what is bundled.
test.each(['cli', 'composer', 'controller', 'sandbox'])('every package in %s is named with its licence', (program) => {
  const text = madeText('THIRD-PARTY-LICENSES.txt');
  const libraries = librariesOf(`lib/${program}/sbom.cdx.json`);
  expect(libraries.length).toBeGreaterThan(0);
  expect(libraries.filter((title) => !text.includes(`\n${title}`))).toEqual([]);
});

test('Graphviz is named, not only its wrapper', () => {
  const entry = madeText('THIRD-PARTY-LICENSES.txt').split('='.repeat(80)).find((text) => text.includes('Graphviz, compiled to WebAssembly'));
  expect(entry).toContain('Apache License');
  expect(entry).toContain('Eclipse Public License');
  expect(entry).toContain('https://gitlab.com/graphviz/graphviz');
});
