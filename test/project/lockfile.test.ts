import lock from '../../package-lock.json';

const packages = lock.packages as Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;

/** Where Node looks for a dependency of a package: beside what it has of its own, and in each folder above. */
function placesOf(path: string, name: string): string[] {
  const parts = path.split('/node_modules/');
  const folders = path === '' ? [] : parts.map((_, index) => parts.slice(0, parts.length - index).join('/node_modules/'));
  return [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`];
}

// Where npm installs beside packages that are there already, or a registry lacks one, it leaves those for other systems out; `npm ci` then
// refuses.
test('the lockfile has each optional dependency, for every system', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !placesOf(path, name).some((place) => place in packages))
      .map((name) => `${name} of ${path}`),
  );
  expect(missing).toEqual([]);
});
