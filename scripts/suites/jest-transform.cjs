// Lets jest's own runtime load TypeScript and ECMAScript modules.
const { createHash } = require('node:crypto');
const { transformed, VERSION } = require('./transform.cjs');

module.exports = {
  getCacheKey: (source, file, options) => createHash('sha256').update([VERSION, source, file, options.configString].join('\0')).digest('hex'),
  process: transformed,
};
