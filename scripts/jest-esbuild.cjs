// Lets jest run TypeScript and ECMAScript modules: esbuild turns each file into CommonJS, without checking types.
const { createHash } = require('node:crypto');
const { transformSync, version } = require('esbuild');

module.exports = {
  getCacheKey: (source, file, options) =>
    createHash('sha256').update([version, source, file, options.configString, process.version].join('\0')).digest('hex'),
  process: (source, file) => {
    const { code, map } = transformSync(source, {
      loader: /\.[cm]?ts$/.test(file) ? 'ts' : 'js',
      format: 'cjs',
      target: 'node20',
      sourcemap: 'external',
      sourcefile: file,
      define: { 'import.meta.url': JSON.stringify(`file://${file}`) },
      tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    });
    return { code, map };
  },
};
