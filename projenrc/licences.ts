/**
 * The licences that a bundled package may have: they ask for their text, which `THIRD-PARTY-LICENSES.txt` has, and for nothing that a user
 * of the package would have to do. SPDX identifiers; what has none is named as `scripts/bundled/contents.mjs` names it.
 */
export const ALLOWED_LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  // Graphviz, unchanged, as WebAssembly in the CLI alone; THIRD-PARTY-LICENSES.txt says where its source is.
  'Eclipse Public License',
];
