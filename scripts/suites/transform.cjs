// TypeScript and ECMAScript modules as CommonJS, for suites.
const { readFileSync } = require('node:fs');
const { transformSync, version } = require('esbuild');

/** Changes when a file is transformed in another way. */
exports.VERSION = [version, process.version, readFileSync(__filename, 'utf8')].join('\0');

exports.transformed = (source, file) => {
  const { code, map } = transformSync(withLazyNamespaces(source), {
    loader: /\.[cm]?ts$/.test(file) ? 'ts' : 'js',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'external',
    sourcefile: file,
    supported: { 'dynamic-import': false }, // jest's modules are CommonJS: `import()` becomes `require()`
    define: { 'import.meta.url': JSON.stringify(`file://${file}`) },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  });
  return { code, map };
};

/** The root index names all services: a suite that imports it loads only the services that it uses, as users of the package do. */
function withLazyNamespaces(source) {
  return source.replace(
    /^export \* as (\w+) from '([^']+)';$/gm,
    "Object.defineProperty(module.exports, '$1', { enumerable: true, configurable: true, get: () => require('$2') });",
  );
}
