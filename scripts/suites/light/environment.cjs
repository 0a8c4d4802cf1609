// The environment of a suite: the globals of the process itself, and all that a suite has changed there put back after it. jest's own one
// gives each suite a realm, in which each use of a global is a call, and every module is loaded anew.
const { readFileSync } = require('node:fs');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');
const { ModuleMocker } = require('jest-mock');
const { measured } = require('./costs.cjs');

/** Functions that need a registry of modules for each suite. */
const REGISTRY =
  /\bjest\s*\.\s*(mock|doMock|unmock|dontMock|unstable_\w+|isolateModules\w*|resetModules|requireMock|requireActual|createMockFromModule)\b/;

/** Turns of the event loop until the handle of a closed server is gone. */
const MAX_TURNS = 100;
const listeningServers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'TCPServerWrap').length;

module.exports = class LightEnvironment {
  constructor(config, context) {
    if (config.globalConfig.collectCoverage || REGISTRY.test(readFileSync(context.testPath, 'utf8'))) return new NodeEnvironment(config, context);
    this.global = globalThis;
    this.ended = measured(context.testPath);
    this.servers = listeningServers();
    this.before = {
      descriptors: Object.getOwnPropertyDescriptors(globalThis), env: { ...process.env }, exit: process.exit, directory: process.cwd(),
    };
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    const { descriptors, env, exit, directory } = this.before;
    for (const key of Reflect.ownKeys(globalThis)) {
      const { configurable, value, get } = Object.getOwnPropertyDescriptor(globalThis, key);
      const own = Object.hasOwn(descriptors, key) ? descriptors[key] : undefined;
      if (!configurable || (own !== undefined && own.value === value && own.get === get)) continue;
      if (own === undefined) delete globalThis[key];
      else Object.defineProperty(globalThis, key, own);
    }
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
    process.exit = exit;
    if (process.cwd() !== directory) process.chdir(directory);
    this.ended();
    // The next suites of this process would keep it, and the process would not end.
    for (let turns = 0; listeningServers() > this.servers; turns += 1) {
      if (turns === MAX_TURNS) throw new Error('a server that the suite started still listens: close it');
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
};
