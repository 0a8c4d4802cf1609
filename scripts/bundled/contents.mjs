// Kept by hand: what packages contain that their own package.json does not speak of.

const GRAPHVIZ_NOTICE = [
  'This package is a wrapper under the licence above around Graphviz, compiled to WebAssembly by the authors of the wrapper.',
  'Graphviz is licensed under the Eclipse Public License (EPL); its text is the file LICENSE of the release. The source code of Graphviz',
  'is available under that licence at https://gitlab.com/graphviz/graphviz, that of the wrapper and its build at',
  'https://github.com/hpcc-systems/hpcc-js-wasm. Graphviz contains or is linked with Expat (MIT), https://github.com/libexpat/libexpat.',
  'On behalf of all contributors to Graphviz, all warranties and conditions are disclaimed, and all liability is excluded.',
].join('\n');

/** By npm name: the notice for THIRD-PARTY-LICENSES.txt, and the components for the SBOM. */
export const CONTENTS = {
  '@hpcc-js/wasm-graphviz': {
    notice: GRAPHVIZ_NOTICE,
    components: [
      { name: 'graphviz', licence: 'Eclipse Public License', vcs: 'https://gitlab.com/graphviz/graphviz' },
      { name: 'expat', licence: 'MIT', vcs: 'https://github.com/libexpat/libexpat' },
    ],
  },
};
