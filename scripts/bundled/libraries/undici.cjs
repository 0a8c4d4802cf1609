// Takes the place of undici's index in the bundles: what `engine/kubernetes/connection.ts` uses. The index loads fetch, WebSockets, mocks,
// caches and stores as well, which is half of undici's memory, in the controller twice: its supervisor's thread has a heap of its own.
const Dispatcher = require('../../../node_modules/undici/lib/dispatcher/dispatcher.js');

// As the index does it: `dispatcher.request` and the like.
Object.assign(Dispatcher.prototype, require('../../../node_modules/undici/lib/api/index.js'));

module.exports = {
  Agent: require('../../../node_modules/undici/lib/dispatcher/agent.js'),
  EnvHttpProxyAgent: require('../../../node_modules/undici/lib/dispatcher/env-http-proxy-agent.js'),
  ProxyAgent: require('../../../node_modules/undici/lib/dispatcher/proxy-agent.js'),
};
