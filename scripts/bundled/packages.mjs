// The npm packages that a bundle contains: esbuild's metafile says which files gave it bytes.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The given outputs of a build, and those that they import, at once or later. */
export function outputsOf(metafile, entries) {
  const reached = new Set(entries);
  for (const file of reached) {
    for (const { path, external } of metafile.outputs[file].imports) if (!external) reached.add(path);
  }
  return [...reached];
}

/** Files that are in outputs of a build, and not only read for them. */
export function bundledFiles(metafile, outputs) {
  const inputs = outputs.flatMap((output) => Object.entries(metafile.outputs[output].inputs));
  return [...new Set(inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file))];
}

/** The folder of the package that a file belongs to; undefined for files of this project. */
export const folderOf = (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

/** The packages that files came from, by name and version, each with `manifest` (its package.json) and `texts` (its licence files). */
export function packagesOf(root, files) {
  const packages = new Map();
  for (const folder of new Set(files.map(folderOf).filter(Boolean))) {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const key = keyOf(manifest);
    // npm may have the same version in two folders.
    if (packages.has(key)) continue;
    packages.set(key, { key, folder, manifest, licence: licenceOf(manifest), texts: licenceTexts(join(root, folder)) });
  }
  return [...packages.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The packages that each package imports, by key; those that this project's own files import are under the empty key. */
export function importsOf(root, metafile, files) {
  const keys = new Map();
  const keyOfFolder = (folder) => {
    if (folder === undefined) return '';
    if (!keys.has(folder)) keys.set(folder, keyOf(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))));
    return keys.get(folder);
  };
  const bundled = new Set(files.map((file) => keyOfFolder(folderOf(file))));
  const imports = new Map();
  for (const [file, { imports: paths }] of Object.entries(metafile.inputs)) {
    const from = keyOfFolder(folderOf(file));
    for (const { path, external } of paths) {
      const to = external ? '' : keyOfFolder(folderOf(path));
      if (to === '' || to === from || !bundled.has(to) || !bundled.has(from)) continue;
      imports.set(from, (imports.get(from) ?? new Set()).add(to));
    }
  }
  return imports;
}

const keyOf = ({ name, version }) => `${name} ${version}`;

/** The licence in package.json: an SPDX expression; old packages have an object, or a list of them. */
function licenceOf({ license, licenses }) {
  const given = license ?? licenses;
  const names = [given].flat().filter(Boolean).map((entry) => (typeof entry === 'string' ? entry : entry.type));
  return names.length > 1 ? `(${names.join(' OR ')})` : names[0];
}

function licenceTexts(folder) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)).sort();
  return files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
}
