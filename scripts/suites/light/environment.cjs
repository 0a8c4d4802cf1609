// The environment of a suite: the globals of the process itself, and all that a suite has changed there put back after it. jest's own one
// gives each suite a realm, in which each use of a global is a call, and every module is loaded anew.
const { readFileSync } = require('node:fs');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');
const { ModuleMocker } = require('jest-mock');

/** Functions that need a registry of modules for each suite. */
const REGISTRY =
  /\bjest\s*\.\s*(mock|doMock|unmock|dontMock|unstable_\w+|isolateModules\w*|resetModules|requireMock|requireActual|createMockFromModule)\b/;

module.exports = class LightEnvironment {
  constructor(config, context) {
    if (config.globalConfig.collectCoverage || REGISTRY.test(readFileSync(context.testPath, 'utf8'))) return new NodeEnvironment(config, context);
    this.global = globalThis;
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
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
};
