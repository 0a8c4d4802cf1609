// jest's `runtime`, which loads the modules of a suite: with Node's `require`, so that suites of a process share the modules of the product.
const asyncHooks = require('node:async_hooks');
const { default: JestRuntime } = require('jest-runtime');
const LightEnvironment = require('./environment.cjs');
const { forgetProject, forgetSuite, hook, sourceMaps } = require('./modules.cjs');

const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const RETRY_TIMES = Symbol.for('RETRY_TIMES');
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

class LightRuntime {
  static createResolver = JestRuntime.createResolver;
  static createContext = JestRuntime.createContext;
  static createHasteMap = JestRuntime.createHasteMap;

  constructor(config, environment, ...rest) {
    if (!(environment instanceof LightEnvironment)) return new JestRuntime(config, environment, ...rest);
    const globalConfig = rest[5];
    this.environment = environment;
    this.watched = globalConfig.watch || globalConfig.watchAll;
    this.storages = [];
    hook(config.moduleNameMapper);
    globalThis.jest = jestObject(environment);
  }

  requireModule(path) {
    return require(path);
  }

  /** jest-circus: its state is the suite's, and so are its storages, each of which makes every promise of the process slower. */
  requireInternalModule(path) {
    delete globalThis[EVENT_HANDLERS];
    delete require.cache[require.resolve(path)];
    const { storages } = this;
    const { AsyncLocalStorage } = asyncHooks;
    asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
      constructor(...options) {
        super(...options);
        storages.push(this);
      }
    };
    try {
      return require(path);
    } finally {
      asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
    }
  }

  setGlobalsForRuntime() {}

  unstable_shouldLoadAsEsm() {
    return false;
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  clearAllMocks() {
    this.environment.moduleMocker.clearAllMocks();
  }

  resetAllMocks() {
    this.environment.moduleMocker.resetAllMocks();
  }

  restoreAllMocks() {
    this.environment.moduleMocker.restoreAllMocks();
  }

  enterTestCode() {}
  leaveTestCode() {}

  teardown() {
    for (const storage of this.storages) storage.disable();
    forgetSuite();
    if (this.watched) forgetProject();
  }
}

/** The part of `jest` that a suite may use and not be isolated. */
function jestObject({ moduleMocker, fakeTimersModern: timers }) {
  const jest = {
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    replaceProperty: moduleMocker.replaceProperty.bind(moduleMocker),
    isMockFunction: moduleMocker.isMockFunction.bind(moduleMocker),
    mocked: (value) => value,
    retryTimes: (times) => chained(() => (globalThis[RETRY_TIMES] = times)),
    setTimeout: (ms) => chained(() => (globalThis[TEST_TIMEOUT] = ms)),
    useFakeTimers: (options) => chained(() => timers.useFakeTimers(options)),
    useRealTimers: () => chained(() => timers.useRealTimers()),
  };
  const chained = (action) => {
    action();
    return jest;
  };
  for (const name of ['clearAllMocks', 'resetAllMocks', 'restoreAllMocks']) jest[name] = () => chained(() => moduleMocker[name]());
  for (const name of [
    'advanceTimersByTime', 'advanceTimersByTimeAsync', 'advanceTimersToNextTimer', 'advanceTimersToNextTimerAsync', 'clearAllTimers', 'getRealSystemTime',
    'getTimerCount', 'now', 'runAllTicks', 'runAllTimers', 'runAllTimersAsync', 'runOnlyPendingTimers', 'runOnlyPendingTimersAsync', 'setSystemTime',
  ]) {
    jest[name] = timers[name].bind(timers);
  }
  return jest;
}

module.exports = { __esModule: true, default: LightRuntime };
