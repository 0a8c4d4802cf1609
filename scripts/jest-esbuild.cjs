// Lets jest run TypeScript and ECMAScript modules: esbuild turns each file into CommonJS, without checking types.
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { transformSync, version } = require('esbuild');

module.exports = {
  getCacheKey: (source, file, options) =>
    createHash('sha256').update([version, readFileSync(__filename, 'utf8'), source, file, options.configString, process.version].join('\0')).digest('hex'),
  process: (source, file) => {
    const { code, map } = transformSync(source, {
      loader: /\.[cm]?ts$/.test(file) ? 'ts' : 'js',
      format: 'cjs',
      target: 'node20',
      supported: { 'dynamic-import': false }, // jest has no module loader of its own for them
      sourcemap: 'external',
      sourcefile: file,
      supported: { 'dynamic-import': false }, // jest's modules are CommonJS: `import()` becomes `require()`
      define: { 'import.meta.url': JSON.stringify(`file://${file}`) },
      tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    });
    return { code, map };
  },
};
