// Lets jest's own runtime load TypeScript and ECMAScript modules.
const { createHash } = require('node:crypto');
const { mutated } = require('./mutant.cjs');
const { transformed, VERSION } = require('./transform.cjs');

module.exports = {
  getCacheKey: (source, file, options) => createHash('sha256').update([VERSION, mutated(source, file), file, options.configString].join('\0')).digest('hex'),
  process: (source, file) => transformed(mutated(source, file), file),
};
